"""Documents that callers name: putting, reading, searching and deleting them."""
