"""The ingestion service as it is wired, between a real caller and a ledger in memory.

    caller --TCP--> ingestion --unix socket--> LedgerServer

Both servers stand behind the suite's own error edge, so that validation, status details,
deadlines and retries are the real ones.
"""

import asyncio
import functools
import json
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from grpc import aio

from anamnesis.ingestion.v1.ingestion_service_pb2 import (
    IngestFileHeader,
    IngestFileRequest,
    IngestFileResponse,
)
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.ledger_service_pb2_grpc import add_LedgerServiceServicer_to_server
from anamnesis_ingestion.intake.fingerprints import derive_session_id
from anamnesis_ingestion.wiring import build
from anamnesis_libs.clock import SystemClock
from anamnesis_libs.errors import AnamnesisError
from anamnesis_libs.logs import logger
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import connect
from anamnesis_libs.rpc.server import bind, new_server
from anamnesis_libs.rpc.status import from_rpc_error
from anamnesis_libs.run.module import ServiceContext
from anamnesis_libs.settings import Ingestion
from anamnesis_libs.settings.config import Settings
from anamnesis_libs.tokens import TokenCounter, load_counter
from tests.support.ledger_server import LedgerServer

if TYPE_CHECKING:  # a name of the type stubs only
    from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceAsyncStub

TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class IngestionSuite:
    """A caller's side of it, and the ledger behind it."""

    stub: "IngestionServiceAsyncStub"
    ledger: LedgerServer

    async def ingest(
        self, content: bytes, header: IngestFileHeader | None = None, chunk_bytes: int = 1 << 16
    ) -> IngestFileResponse:
        """Sends a file; an error is raised as ours."""
        return await self.stream(file_messages(content, header or HEADER, chunk_bytes))

    async def stream(self, messages: Iterable[IngestFileRequest]) -> IngestFileResponse:
        """Sends messages as they are; an error is raised as ours."""
        try:
            return await self.stub.IngestFile(iter(messages), timeout=TIMEOUT_S)
        except aio.AioRpcError as failed:
            raise from_rpc_error(failed, "ingestion") from failed


HEADER = IngestFileHeader(namespace="team", agent_id="coder", label="chats/monday.jsonl")
DERIVED = derive_session_id(HEADER.agent_id, HEADER.label)


def file_messages(
    content: bytes, header: IngestFileHeader, chunk_bytes: int = 1 << 16
) -> Iterator[IngestFileRequest]:
    """The messages of one file's stream."""
    yield IngestFileRequest(header=header)
    for at in range(0, len(content), chunk_bytes):
        yield IngestFileRequest(chunk=content[at : at + chunk_bytes])


def jsonl(*rows: object) -> bytes:
    """A file of these rows."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def said(*texts: str, **fields: object) -> list[dict[str, object]]:
    """A row of a user for each text."""
    return [{"role": "user", "content": text, **fields} for text in texts]


async def error_of(rpc: Awaitable[object]) -> AnamnesisError:
    """The error that a call ends with."""
    try:
        await rpc
    except aio.AioRpcError as failed:
        return from_rpc_error(failed, "ingestion")
    raise AssertionError("the call was answered")


@asynccontextmanager
async def ingestion_suite(
    ledger: LedgerServer | None = None, ingestion: Ingestion | None = None
) -> AsyncIterator[IngestionSuite]:
    """Both servers, and a channel to the first."""
    # rpcs that are not scripted are UNIMPLEMENTED, as they are generated
    ledger = ledger or LedgerServer()  # type: ignore[abstract]
    settings = Settings(ingestion=ingestion or Ingestion())
    async with AsyncExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="ledger-")))
        memory_address = f"unix:{directory / 'memory.sock'}"
        await _serve_ledger(ledger, memory_address, settings, stack)
        address = await _serve_ingestion(memory_address, settings, stack)
        channel = connect(address, message_bytes_max=settings.server.message_bytes_max)
        await stack.enter_async_context(channel)
        yield IngestionSuite(IngestionServiceStub(channel), ledger)


async def _serve_ledger(
    ledger: LedgerServer, address: str, settings: Settings, stack: AsyncExitStack
) -> None:
    server = _server(settings)
    add_LedgerServiceServicer_to_server(ledger, server)
    server.add_insecure_port(address)
    await server.start()
    stack.push_async_callback(server.stop, None)


async def _serve_ingestion(memory: str, settings: Settings, stack: AsyncExitStack) -> str:
    bytes_max = settings.server.message_bytes_max
    channels = Channels(settings.peers, settings.security, bytes_max, {"memory": memory})
    stack.push_async_callback(channels.close)
    context = ServiceContext(
        settings=settings,
        clock=SystemClock(),
        tokens=_counter(),
        logger=logger("test"),
        channels=channels,
        stopping=asyncio.Event(),
    )
    server = _server(settings)
    module = build(context)
    module.register(server)
    address = bind(server, "127.0.0.1:0", settings.security)
    await module.start()
    await server.start()
    stack.push_async_callback(module.stop)
    stack.push_async_callback(server.stop, None)
    return address


@functools.cache
def _counter() -> TokenCounter:
    """Loading it takes longer than most tests."""
    return load_counter("o200k_base")


def _server(settings: Settings) -> aio.Server:
    return new_server(settings.server, settings.security, logger("test"))
