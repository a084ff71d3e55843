"""The gRPC edge: one servicer a proto service."""
