"""Measurements that somebody else gets again with one command; nothing of them is shipped."""
