"""The cost of a user's search among many users of one namespace."""
