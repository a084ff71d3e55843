"""Streams without a key on a real server: few at once, of an age, and apart from keyed calls."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from grpc import StatusCode, aio
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis_libs.logs import logger
from anamnesis_libs.rpc.peers import connect
from anamnesis_libs.rpc.server import Health, add_health_and_reflection, bind, new_server
from anamnesis_libs.settings import Security, Server
from tests.unit.libs.rpc.echo import BYTES_MAX, KEY, SERVICE, Echo, EchoStub, calling

ASKED = health_pb2.HealthCheckRequest()
Statuses = health_pb2.HealthCheckResponse
Watch = aio.UnaryStreamMultiCallable[health_pb2.HealthCheckRequest, Statuses]


def watching(channel: aio.Channel) -> Watch:
    """Health's stream; its generated stub has no types."""
    return channel.unary_stream(
        "/grpc.health.v1.Health/Watch",
        health_pb2.HealthCheckRequest.SerializeToString,
        Statuses.FromString,
    )


@asynccontextmanager
async def watched(security: Security, server: Server | None = None) -> AsyncIterator[str]:
    """The address of a server with health, reflection and Echo."""
    running = new_server(server or Server(), security, logger("test"))
    Echo().register(running)
    add_health_and_reflection(running, [SERVICE], Health())
    address = bind(running, "127.0.0.1:0", security)
    await running.start()
    try:
        yield address
    finally:
        await running.stop(None)


@pytest.fixture
def keyed(tmp_path: Path) -> Security:
    file = tmp_path / "keys"
    file.write_text(KEY)
    return Security(api_keys_file=file, open_calls_by_peer_max=4, open_calls_max=4)


@pytest.mark.long
async def test_a_thousand_watchers_take_nothing_from_who_has_a_key(keyed: Security) -> None:
    async with (
        watched(keyed, Server(concurrent_rpcs_max=8)) as address,
        connect(address, message_bytes_max=BYTES_MAX) as stranger,
        calling(address, KEY) as stub,
    ):
        watch_health = watching(stranger)
        watches = [watch_health(ASKED, timeout=30) for _ in range(1024)]
        codes = [asyncio.create_task(watch.code()) for watch in watches]
        while sum(code.done() for code in codes) < len(codes) - 4:
            await asyncio.wait(codes, timeout=1, return_when=asyncio.FIRST_COMPLETED)
        ended = {code.result() for code in codes if code.done()}
        # a busy client may hear that its stream was reset before it hears why
        assert ended <= {StatusCode.RESOURCE_EXHAUSTED, StatusCode.CANCELLED}
        assert await stub.call("one_one", MemoryFilter())
        for watch in watches:
            watch.cancel()
        await asyncio.wait(codes)


async def test_a_stream_without_a_key_ends_at_its_age(keyed: Security) -> None:
    young = keyed.model_copy(update={"open_call_s_max": 0.2, "reflection_open": True})
    async with (
        watched(young) as address,
        connect(address, message_bytes_max=BYTES_MAX) as stranger,
    ):
        watch = watching(stranger)(ASKED, timeout=10)
        assert [seen.status async for seen in watch] == [Statuses.SERVING]
        reflect = stranger.stream_stream(
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
            reflection_pb2.ServerReflectionRequest.SerializeToString,
            reflection_pb2.ServerReflectionResponse.FromString,
        )(timeout=10)
        await reflect.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        assert len([response async for response in reflect]) == 1


async def test_a_silent_stream_of_requests_is_ended() -> None:
    async with (
        watched(Security(), Server(stream_idle_s_max=0.2)) as address,
        connect(address, message_bytes_max=BYTES_MAX) as channel,
    ):
        stub = EchoStub(channel)
        silent = stub.many_many(timeout=10)
        await silent.write(MemoryFilter())
        with pytest.raises(aio.AioRpcError, match=r"nothing came for 0\.2 s") as ended:
            [response async for response in silent]
        assert ended.value.code() is StatusCode.DEADLINE_EXCEEDED


async def test_what_is_no_message_is_refused_without_a_key_too() -> None:
    async with (
        watched(Security()) as address,
        connect(address, message_bytes_max=BYTES_MAX) as stranger,
    ):
        for method in ("Check", "Watch"):
            ask: aio.UnaryStreamMultiCallable[bytes, bytes] = stranger.unary_stream(
                f"/grpc.health.v1.Health/{method}"
            )
            with pytest.raises(aio.AioRpcError) as refused:
                [response async for response in ask(b"\xff", timeout=10)]
            assert refused.value.code() is StatusCode.INVALID_ARGUMENT


async def test_a_connection_that_never_speaks_is_closed() -> None:
    async with watched(Security(), Server(handshake_s_max=0.5, connections_max=30)) as address:
        host, _, port = address.rpartition(":")
        silent = [socket.create_connection((host, int(port)), timeout=5) for _ in range(20)]
        ended = await asyncio.gather(*(asyncio.to_thread(_until_closed, one) for one in silent))
        assert all(ended)
        async with calling(address) as stub:
            assert await stub.call("one_one", MemoryFilter())


def _until_closed(connection: socket.socket) -> bool:
    """Whether the server ends the connection."""
    with connection:
        try:
            while connection.recv(1024):
                pass
        except ConnectionError:
            return True
        except TimeoutError:
            return False
    return True
