"""Namespaces in SQLite: a file each, and one for the catalogue; statements in `.sql` files."""
