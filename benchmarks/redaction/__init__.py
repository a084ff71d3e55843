"""Measures of redaction: personal data that is found, text redacted by mistake, and the cost."""
