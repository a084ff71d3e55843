"""Ingestion: reads sessions, cuts them into tasks and extracts what is worth keeping."""
