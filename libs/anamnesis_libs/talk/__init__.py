"""Reading of a line of talk by its words: its matters, if it stands, if it says anything.

Shared by the memory service, which marks what comes in, and retrieval, which reads it again.
"""
