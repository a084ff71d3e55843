"""Erasing: what goes with what, the writes that take it away, and looking for what is left."""
