"""Everyday questions to small memories: chats, documentation pages and coding logs."""
