"""Backends of the store port, a folder each, and rows that they share; others know no database."""
