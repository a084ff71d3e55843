"""The cost of a cycle of sleep for those who search meanwhile."""
