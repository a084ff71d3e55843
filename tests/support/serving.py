"""Running a service of the suite beside scripted memory services, over real channels."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from grpc import aio

from anamnesis.memory.v1 import (
    admin_service_pb2_grpc,
    knowledge_service_pb2_grpc,
    ledger_service_pb2_grpc,
    memory_service_pb2_grpc,
    topic_service_pb2_grpc,
)
from anamnesis_libs.clock import SystemClock
from anamnesis_libs.logs import logger
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.server import bind, new_server
from anamnesis_libs.run.module import ServiceContext, ServiceModule
from anamnesis_libs.settings import Peers, Security, Server
from anamnesis_libs.settings.config import Settings
from anamnesis_libs.tokens import TokenCounter
from tests.support.memory_server import MemoryServer

BYTES_MAX = 1024 * 1024


@asynccontextmanager
async def serving_memory() -> AsyncIterator[MemoryServer]:
    """Runs the scripted services; their address is `memory.address`."""
    # rpcs that are not scripted are UNIMPLEMENTED, as they are generated
    memory = MemoryServer()  # type: ignore[abstract]
    server = new_server(Server(message_bytes_max=BYTES_MAX), Security(), logger("test"))
    memory_service_pb2_grpc.add_MemoryServiceServicer_to_server(memory, server)
    topic_service_pb2_grpc.add_TopicServiceServicer_to_server(memory, server)
    ledger_service_pb2_grpc.add_LedgerServiceServicer_to_server(memory.ledger, server)
    admin_service_pb2_grpc.add_AdminServiceServicer_to_server(memory, server)
    knowledge_service_pb2_grpc.add_KnowledgeServiceServicer_to_server(memory, server)
    memory.address = bind(server, "127.0.0.1:0", Security())
    await server.start()
    try:
        yield memory
    finally:
        await server.stop(None)


@asynccontextmanager
async def service_context(
    memory: MemoryServer, tokens: TokenCounter, groups: Mapping[str, object] | None = None
) -> AsyncIterator[ServiceContext]:
    """What a process would lend a service beside this memory; `groups` replaces settings."""
    peers = Peers(memory=memory.address)
    channels = Channels(peers, Security(), BYTES_MAX)
    stopping = asyncio.Event()
    settings = Settings.model_validate({"peers": peers, **(groups or {})})
    try:
        yield ServiceContext(settings, SystemClock(), tokens, logger("test"), channels, stopping)
    finally:
        stopping.set()
        await channels.close()


@asynccontextmanager
async def serving_module(module: ServiceModule) -> AsyncIterator[aio.Channel]:
    """A channel to a service, behind the error edge; its loops are the test's to step."""
    await module.start()
    server = new_server(Server(message_bytes_max=BYTES_MAX), Security(), logger("test"))
    module.register(server)
    address = bind(server, "127.0.0.1:0", Security())
    await server.start()
    try:
        async with aio.insecure_channel(address) as channel:
            yield channel
    finally:
        await server.stop(None)
        await module.stop()
