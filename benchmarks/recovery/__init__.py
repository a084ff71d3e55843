"""Processes killed at random moments while five clients write: what is lost, what is doubled."""
