"""The health of a service whose memory is away, in processes of their own."""

import asyncio
import signal
from pathlib import Path

from grpc import aio
from grpc_health.v1 import health_pb2

from tests.support.processes import start

STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static"}
RETRIEVAL = "anamnesis.retrieval.v1.RetrievalService"
WAITED_S_MAX = 20.0
Status = health_pb2.HealthCheckResponse


async def turns(address: str, wanted: int) -> None:
    """Return when the health of retrieval is as wanted; that of the process is always well."""
    async with aio.insecure_channel(address) as channel, asyncio.timeout(WAITED_S_MAX):
        check: aio.UnaryUnaryMultiCallable[
            health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse
        ] = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        while True:
            assert (await check(health_pb2.HealthCheckRequest())).status == Status.SERVING
            told = await check(health_pb2.HealthCheckRequest(service=RETRIEVAL))
            if told.status == wanted:
                return
            await asyncio.sleep(0.1)


async def test_retrieval_is_not_serving_while_memory_does_not_answer(tmp_path: Path) -> None:
    memory = await asyncio.to_thread(start, tmp_path / "data", "memory", STATIC)
    peers = {**STATIC, "ANAMNESIS_PEERS__MEMORY": memory.address}
    retrieval = await asyncio.to_thread(start, tmp_path / "other", "retrieval", peers)
    try:
        await turns(retrieval.address, Status.SERVING)
        memory.popen.send_signal(signal.SIGSTOP)
        await turns(retrieval.address, Status.NOT_SERVING)
        memory.popen.send_signal(signal.SIGCONT)
        await turns(retrieval.address, Status.SERVING)
        memory.kill()
        await turns(retrieval.address, Status.NOT_SERVING)
        assert await asyncio.to_thread(retrieval.stop) == 0
    finally:
        memory.kill()
        retrieval.kill()
