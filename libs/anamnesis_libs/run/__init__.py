"""Processes: what a target is, how its loops run, how the suite starts and stops."""
