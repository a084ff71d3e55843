"""Admission of callers: their keys and tokens, rights and quotas."""
