"""Refinement: what a chat model says of importance in doubt and of long memories, in batches."""
