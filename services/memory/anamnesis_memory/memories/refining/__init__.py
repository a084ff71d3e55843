"""Refining: what a chat model says of how much memories matter, and in short of long ones."""
