"""Extraction: how much of what a reader would keep the local extractor finds, and what is wrong."""
