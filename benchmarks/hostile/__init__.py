"""Hostile input for the whole suite: mutated calls, broken imports, forged page tokens."""
