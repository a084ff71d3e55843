"""Procedures and lessons: how they are worded, matched to a task, and put to the test."""
