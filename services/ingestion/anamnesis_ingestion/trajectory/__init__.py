"""Trajectories: how well a task went, what is extracted from it, and rows for training."""
