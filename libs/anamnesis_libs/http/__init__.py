"""JSON over HTTP and gRPC-Web beside gRPC, for curl, browsers and scripts.

Every call is handed to the gRPC server of the same process, so that rights, checks, limits and
errors are those of gRPC: nothing here knows a single rpc.
"""
