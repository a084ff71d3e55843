"""Adoption: what was of use is counted, off the answer's path, and strengthens what it met."""
