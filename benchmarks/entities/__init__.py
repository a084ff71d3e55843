"""Matching of names to entities: labelled pairs, and names that texts keep apart."""
