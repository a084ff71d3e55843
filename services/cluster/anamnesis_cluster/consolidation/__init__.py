"""Consolidation: lessons that say the same are made one, and the text of both is worded."""
