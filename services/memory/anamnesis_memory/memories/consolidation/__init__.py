"""Consolidation: lessons that may be one, and what is decided of them."""
