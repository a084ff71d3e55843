"""An operator's work on a whole namespace: exports, imports, verification, another model."""
