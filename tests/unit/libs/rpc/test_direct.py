"""Tests of calls within one process: as over a socket, but for the socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from grpc import aio

from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis_libs import errors
from anamnesis_libs.logs import logger
from anamnesis_libs.rpc.direct import DirectChannel, DirectHandlers
from anamnesis_libs.rpc.peers import call, connect
from anamnesis_libs.rpc.server import new_edge, server_behind
from anamnesis_libs.settings import Security, Server
from tests.unit.libs.rpc.echo import ARITIES, BYTES_MAX, Echo, EchoStub

GOOD = MemoryFilter(tags=["tea"])
BAD = MemoryFilter(tags=["t" * 999])


@asynccontextmanager
async def direct(echo: Echo, folder: Path) -> AsyncIterator[EchoStub]:
    """A stub on a channel within this process."""
    address = f"unix:{folder}/echo.sock"
    edge = new_edge(Server(), Security(), logger("test"))
    server = server_behind(edge, Server(message_bytes_max=BYTES_MAX), Security())
    handlers = DirectHandlers(server, edge)
    echo.register(handlers.registrar)
    server.add_insecure_port(address)
    await server.start()
    async with connect(address, message_bytes_max=BYTES_MAX) as socket:
        yield EchoStub(cast(aio.Channel, DirectChannel(handlers, socket)))
    await server.stop(None)


@pytest.mark.parametrize("arity", ARITIES)
async def test_every_arity_is_served(arity: str, tmp_path: Path) -> None:
    async with direct(Echo(), tmp_path) as stub:
        assert GOOD in await stub.call(arity, GOOD)


async def test_one_request_and_one_answer_are_handed_over_and_never_written(
    tmp_path: Path,
) -> None:
    async with direct(Echo(), tmp_path) as stub:
        assert await stub.one_one(GOOD, timeout=5) is GOOD


async def test_an_error_arrives_with_all_that_it_says(tmp_path: Path) -> None:
    async def refuse(_: MemoryFilter) -> None:
        raise errors.QuotaExceeded("calls_per_s", 5, 7)

    async with direct(Echo(before=refuse), tmp_path) as stub:
        with pytest.raises(errors.ResourceExhausted) as refused:
            await call(stub.one_one, GOOD, timeout_s=5)
    assert refused.value.reason == errors.QuotaExceeded.reason
    assert refused.value.retry_after_s == 7


async def test_a_request_that_breaks_a_rule_never_reaches_the_servicer(tmp_path: Path) -> None:
    echo = Echo()
    async with direct(echo, tmp_path) as stub:
        with pytest.raises(errors.InvalidArgument) as refused:
            await call(stub.one_one, BAD, timeout_s=5)
    assert [violation.field for violation in refused.value.violations] == ["tags[0]"]
    assert echo.seen == []


async def test_unavailable_is_tried_again(tmp_path: Path) -> None:
    tries = 0

    async def busy_twice(_: MemoryFilter) -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise errors.StoreUnavailable("busy")

    async with direct(Echo(before=busy_twice), tmp_path) as stub:
        assert await call(stub.one_one, GOOD, timeout_s=5) == GOOD
    assert tries == 3


async def test_the_deadline_ends_the_handler_too(tmp_path: Path) -> None:
    ended = False

    async def sleep(_: MemoryFilter) -> None:
        nonlocal ended
        try:
            await asyncio.Event().wait()
        finally:
            ended = True

    async with direct(Echo(before=sleep), tmp_path) as stub:
        with pytest.raises(errors.DeadlineExceeded):
            await call(stub.one_one, GOOD, timeout_s=0.05)
    assert ended


async def test_a_fault_shows_an_incident_and_no_text(tmp_path: Path) -> None:
    async def fail(_: MemoryFilter) -> None:
        raise KeyError("secret text")

    async with direct(Echo(before=fail), tmp_path) as stub:
        with pytest.raises(errors.Internal) as failed:
            await call(stub.one_one, GOOD, timeout_s=5)
    assert "incident" in failed.value.message
    assert "secret" not in failed.value.message


async def test_who_cancels_ends_the_handler(tmp_path: Path) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def sleep(_: MemoryFilter) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with direct(Echo(before=sleep), tmp_path) as stub:
        running = asyncio.ensure_future(stub.one_one(GOOD, timeout=5))
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert ended.is_set()


async def test_an_rpc_nobody_serves_is_unimplemented(tmp_path: Path) -> None:
    async with direct(Echo(), tmp_path) as stub:
        with pytest.raises(errors.Unimplemented):
            await call(stub.absent, GOOD, timeout_s=5)
