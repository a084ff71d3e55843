"""A loop that asks a peer for its health: who needs a peer that does not answer cannot serve."""

from grpc import aio
from grpc_health.v1 import health_pb2

from anamnesis_libs.errors import Unimplemented
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import call
from anamnesis_libs.run.loop import Loop

EVERY_S = 2.0
TIMEOUT_S = 3.0


def peer_watch(name: str, peer: str, channels: Channels) -> Loop:
    """The watch that `name` keeps on `peer`; it fails at once, and tries again soon.

    Any answer will do: a peer that is not well says so in its own health.
    """

    async def step() -> bool:
        check: aio.UnaryUnaryMultiCallable[
            health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse
        ] = channels.to(peer).unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        try:
            await call(check, health_pb2.HealthCheckRequest(), timeout_s=TIMEOUT_S, peer=peer)
        except Unimplemented:
            return False
        return False

    return Loop(
        f"{name}.{peer}_answers",
        every_s=EVERY_S,
        step=step,
        failures_max=1,
        pause_s_max=EVERY_S,
    )
