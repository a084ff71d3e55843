"""Editing: what may be changed of a memory that is there, with what it was before."""
