"""The neighbourhood of an entity, for people: gathered, told as a tree, drawn as a picture."""
