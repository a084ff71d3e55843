"""Walks over a large graph, on each backend."""
