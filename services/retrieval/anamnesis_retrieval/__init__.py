"""The retrieval service: from a question to a context. It keeps nothing."""
