"""Comparison of a namespace across stores: moved, verified, searched; with the times."""
