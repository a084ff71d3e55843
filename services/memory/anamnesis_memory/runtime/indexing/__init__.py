"""Namespaces that are open, each with an index that follows its store."""
