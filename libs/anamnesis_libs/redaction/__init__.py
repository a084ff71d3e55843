"""Redaction: what must not be stored, logged or sent to a model is replaced by its kind."""
