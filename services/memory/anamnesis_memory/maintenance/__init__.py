"""Sleep: what the memory service does with what it keeps while nobody waits for it."""
