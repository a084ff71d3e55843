"""The graph of memories and entities: walking it, and the edges that callers draw themselves."""
