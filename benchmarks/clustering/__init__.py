"""Lessons sorted into clusters: beside other methods, in other orders, how fast and how exact."""
