"""Taking in what is seen: events, observations, files and texts."""
