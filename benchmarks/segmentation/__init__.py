"""Measures of segmentation without a model: the task boundaries that it finds."""
