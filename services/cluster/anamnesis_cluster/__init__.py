"""The cluster service: from many memories to knowledge. It keeps nothing."""
