"""Thousands of namespaces, a few open: what memory that takes, and what opening one costs."""
