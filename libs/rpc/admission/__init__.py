"""Who may call, what, and how much of it."""
