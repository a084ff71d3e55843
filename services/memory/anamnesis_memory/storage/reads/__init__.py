"""Reads of a namespace, written once over the named statements of whichever database has it."""
