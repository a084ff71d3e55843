"""The memory service, as the cluster service calls it."""
