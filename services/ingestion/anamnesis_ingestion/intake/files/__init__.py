"""From the bytes of a session file, in any shape, to events with a place."""
