"""Segmentation: a session's events become tasks, window by window."""
