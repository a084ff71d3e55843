"""Preparing texts before they are stored: redaction, tokens, levels, archives."""
