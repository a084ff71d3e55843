"""The memory service, as ingestion calls it."""
