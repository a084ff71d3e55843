"""The derived index: text and vectors of one namespace, rebuilt from the store at any time."""
