"""What led to what in a session, and what came after what, as far as its calls show it."""
