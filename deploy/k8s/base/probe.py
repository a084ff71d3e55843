"""Ends with 0 while every service named on the command line is SERVING; "" is the process.

Kubernetes' own gRPC probes cannot speak TLS, which this server requires beyond loopback.
"""

import sys
from pathlib import Path

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

server, roots, *services = sys.argv[1:]
credentials = grpc.ssl_channel_credentials(Path(roots).read_bytes())
try:
    with grpc.secure_channel(server, credentials) as channel:
        for service in services:
            status = (
                HealthStub(channel).Check(HealthCheckRequest(service=service), timeout=4).status
            )
            if status != HealthCheckResponse.SERVING:
                sys.exit(f"{service}: {HealthCheckResponse.ServingStatus.Name(status)}")
except grpc.RpcError as failed:
    sys.exit(f"{server}: {failed.code().name}: {failed.details()}")
