"""What a line of talk is, by its words: its matters, whether it stands, whether it says anything.

Shared by the memory service, which marks what comes in, and retrieval, which reads it again.
"""
