"""Backends of the store port; only this package names a database."""
