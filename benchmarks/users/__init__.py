"""What a user's search costs among many users of one namespace."""
