"""gRPC, once for the whole suite: status mapping, the error edge, servers and channels."""
