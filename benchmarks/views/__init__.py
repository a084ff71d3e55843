"""The time that a view takes in a large namespace."""
