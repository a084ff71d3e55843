"""The memory service: the one owner of durable data."""
