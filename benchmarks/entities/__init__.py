"""How well names are matched to entities: labelled pairs, and names that texts keep apart."""
