"""Lessons by topic: what changes in a namespace is followed, and each lesson assigned."""
