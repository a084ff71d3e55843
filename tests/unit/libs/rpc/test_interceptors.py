"""Tests of rpc/interceptors.py: what a caller sees of a failure, over a real channel."""

import asyncio
from pathlib import Path

import grpc
import pytest
from grpc import aio
from structlog.testing import capture_logs

from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis.memory.v1.memory_service_pb2 import GetMemoryRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import (
    MemoryServiceServicer,
    MemoryServiceStub,
    add_MemoryServiceServicer_to_server,
)
from anamnesis_libs import errors
from anamnesis_libs.errors import not_found
from anamnesis_libs.logs import logger
from anamnesis_libs.rpc.peers import connect
from anamnesis_libs.rpc.server import bind, new_server
from anamnesis_libs.rpc.status import from_rpc_error
from anamnesis_libs.settings import Security, Server
from tests.unit.libs.rpc.echo import ARITIES, BYTES_MAX, KEY, SERVICE, Echo, calling, serving

GOOD = MemoryFilter(agent_id="good")
BAD = MemoryFilter(agent_id="b" * 257)


async def _failure(echo: Echo, arity: str, *requests: MemoryFilter) -> errors.AnamnesisError:
    async with serving(echo) as address, calling(address) as stub:
        with pytest.raises(aio.AioRpcError) as failed:
            await stub.call(arity, *requests)
    return from_rpc_error(failed.value, "echo")


@pytest.fixture
def keyed(tmp_path: Path) -> Security:
    file = tmp_path / "keys"
    file.write_text(KEY)
    return Security(api_keys_file=file)


@pytest.mark.parametrize("arity", ARITIES)
async def test_a_good_call_passes(arity: str) -> None:
    async with serving(Echo()) as address, calling(address) as stub:
        assert GOOD in await stub.call(arity, GOOD)


@pytest.mark.parametrize("arity", ARITIES)
async def test_our_error_arrives_as_itself(arity: str) -> None:
    async def refuse(_: MemoryFilter) -> None:
        raise not_found.MemoryNotFound("m-1")

    error = await _failure(Echo(before=refuse), arity, GOOD)
    assert isinstance(error, not_found.MemoryNotFound)
    assert error.metadata == {"memory_id": "m-1"}


@pytest.mark.parametrize("arity", ARITIES)
async def test_an_unknown_exception_shows_an_incident_and_no_text(arity: str) -> None:
    async def break_down(_: MemoryFilter) -> None:
        raise RuntimeError("my secret diary")

    with capture_logs() as lines:
        error = await _failure(Echo(before=break_down), arity, GOOD)
    assert isinstance(error, errors.Internal)
    assert "diary" not in error.message
    incidents = [line for line in lines if line["event"] == "rpc.incident"]
    assert [line["incident_id"] for line in incidents] == [error.metadata["incident_id"]]
    assert incidents[0]["error"] == "RuntimeError"


@pytest.mark.parametrize("arity", ARITIES)
async def test_a_request_that_breaks_a_rule_never_reaches_the_servicer(arity: str) -> None:
    echo = Echo()
    error = await _failure(echo, arity, BAD)
    assert isinstance(error, errors.InvalidArgument)
    assert [violation.field for violation in error.violations] == ["agent_id"]
    assert echo.seen == []


@pytest.mark.parametrize("arity", ARITIES)
@pytest.mark.parametrize("body", [b"\xff", b"\x0b" * 200, b"\x0a\x02\xed\xa0", b"\x0a\x7f"])
async def test_bytes_that_are_no_message_are_an_invalid_argument(arity: str, body: bytes) -> None:
    echo, name = Echo(), "".join(map(str.capitalize, arity.split("_")))
    async with serving(echo) as address, connect(address, message_bytes_max=BYTES_MAX) as channel:
        method: aio.StreamStreamMultiCallable[bytes, bytes]
        method = channel.stream_stream(f"/{SERVICE}/{name}")
        with pytest.raises(aio.AioRpcError) as failed:
            async for _ in method(iter([body])):
                pass
    error = from_rpc_error(failed.value, "echo")
    assert isinstance(error, errors.InvalidArgument)
    assert "no message of this rpc" in error.message
    assert echo.seen == []


@pytest.mark.parametrize("arity", ["many_one", "many_many"])
async def test_each_message_of_a_stream_is_checked(arity: str) -> None:
    echo = Echo()
    error = await _failure(echo, arity, GOOD, GOOD, BAD, GOOD)
    assert isinstance(error, errors.InvalidArgument)
    assert echo.seen == [GOOD, GOOD]


async def test_a_stream_is_told_why_while_its_client_still_writes() -> None:
    async with serving(Echo()) as address, calling(address) as stub:
        for _ in range(200):
            with pytest.raises(aio.AioRpcError) as failed:
                await stub.call("many_many", BAD, *(GOOD,) * 5)
            assert failed.value.code() is grpc.StatusCode.INVALID_ARGUMENT, failed.value.details()


async def test_an_rpc_nobody_serves_is_unimplemented_with_a_reason() -> None:
    async with serving(Echo()) as address, calling(address) as stub:
        with pytest.raises(aio.AioRpcError) as failed:
            await stub.absent(GOOD, timeout=5)
    error = from_rpc_error(failed.value, "echo")
    assert isinstance(error, errors.Unimplemented)
    assert error.metadata == {"method": "/test.Echo/Absent"}


@pytest.mark.parametrize("arity", ARITIES)
async def test_without_a_key_nothing_is_served(arity: str, keyed: Security) -> None:
    echo = Echo()
    async with serving(echo, keyed) as address:
        for key in ("", "not-the-key-of-the-tests"):
            async with calling(address, key) as stub:
                for _ in range(50):
                    with pytest.raises(aio.AioRpcError) as failed:
                        await stub.call(arity, GOOD)
                    assert failed.value.code() is grpc.StatusCode.UNAUTHENTICATED, arity
    assert echo.seen == []


@pytest.mark.parametrize("arity", ARITIES)
async def test_with_a_key_every_arity_is_served(arity: str, keyed: Security) -> None:
    async with serving(Echo(), keyed) as address, calling(address, KEY) as stub:
        assert GOOD in await stub.call(arity, GOOD)


async def test_a_peers_error_that_nobody_handled_passes_through() -> None:
    async def far(_: MemoryFilter) -> None:
        raise not_found.NamespaceNotFound("team-a")

    async with serving(Echo(before=far)) as behind, calling(behind) as peer:

        async def ask(request: MemoryFilter) -> None:
            await peer.one_one(request, timeout=5)

        error = await _failure(Echo(before=ask), "one_one", GOOD)
    assert isinstance(error, not_found.NamespaceNotFound)


async def test_a_cancelled_call_ends_its_servicer_and_is_logged() -> None:
    ended = asyncio.Event()

    async def wait(_: MemoryFilter) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async with serving(Echo(before=wait)) as address, calling(address) as stub:
        with capture_logs() as lines:
            with pytest.raises(aio.AioRpcError) as failed:
                await stub.one_one(GOOD, timeout=0.1)
            await asyncio.wait_for(ended.wait(), 5)
            await asyncio.sleep(0)
    assert failed.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert [line["code"] for line in lines if line["event"] == "rpc"] == ["CANCELLED"]


@pytest.mark.parametrize(
    ("named", "logged", "code"),
    [("team-a", "team-a", "UNIMPLEMENTED"), ("my contents", "", "INVALID_ARGUMENT")],
)
async def test_the_log_has_method_namespace_and_code_and_no_contents(
    named: str, logged: str, code: str
) -> None:
    server = new_server(Server(), Security(), logger("test"))
    unwritten = MemoryServiceServicer()  # type: ignore[abstract]  # its rpcs raise, as is meant
    add_MemoryServiceServicer_to_server(unwritten, server)
    address = bind(server, "127.0.0.1:0", Security())
    await server.start()
    request = GetMemoryRequest(namespace=named, memory_id="contents")
    async with connect(address, message_bytes_max=1024) as channel:
        with capture_logs() as lines, pytest.raises(aio.AioRpcError):
            await MemoryServiceStub(channel).GetMemory(request, timeout=5)
    await server.stop(None)
    (line,) = lines
    assert line["method"] == "/anamnesis.memory.v1.MemoryService/GetMemory"
    assert (line["namespace"], line["code"]) == (logged, code)
    assert "contents" not in str(line)
