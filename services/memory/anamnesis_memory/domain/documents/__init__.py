"""Documents that callers name: their values, fields and paths, by rules without I/O."""
