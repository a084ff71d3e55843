"""A real gRPC server that answers what a test tells it to, and keeps what it was asked.

It runs behind the suite's own error edge (keys, validation, status details) in a thread with its
own event loop, so that a test calls it as a person does: over a channel, from another loop.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc import aio

from anamnesis.cluster.v1 import cluster_service_pb2, projection_service_pb2
from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestFileHeader, IngestFileRequest
from anamnesis.memory.v1 import (
    admin_service_pb2,
    knowledge_service_pb2,
    ledger_service_pb2,
    lesson_service_pb2,
    memory_service_pb2,
    palace_service_pb2,
)
from anamnesis.retrieval.v1 import retrieval_service_pb2
from anamnesis_libs.errors import AnamnesisError, Unimplemented
from anamnesis_libs.logs import Logger
from anamnesis_libs.rpc.server import bind, new_server
from anamnesis_libs.settings import Security, Server

Answer = Message | AnamnesisError
Asked = TypeVar("Asked", bound=Message)
Context = aio.ServicerContext[Message, Message]
Handler: TypeAlias = "grpc.RpcMethodHandler[Message, Message]"

_FILES = (
    *(ingestion_service_pb2, retrieval_service_pb2, projection_service_pb2),
    *(admin_service_pb2, ledger_service_pb2, memory_service_pb2),
    *(knowledge_service_pb2, palace_service_pb2, cluster_service_pb2),
    lesson_service_pb2,
)
_FILE_TIME_S = 0.05


@dataclass(slots=True)
class ReceivedFile:
    """One IngestFile stream: its header, its chunks' sizes, its bytes."""

    header: IngestFileHeader
    chunk_sizes: list[int] = field(default_factory=list)
    content: bytes = b""


class Script:
    """What to answer, and what was asked."""

    def __init__(self) -> None:
        self.address = ""
        self.requests: list[Message] = []
        self.files: list[ReceivedFile] = []
        self.files_at_once_most = 0
        self._files_at_once = 0
        self._answers: dict[str, list[Answer]] = {}
        self._answers_by_label: dict[str, Answer] = {}
        self._stalled: set[str] = set()

    def answer(self, rpc: str, *answers: Answer) -> None:
        """An rpc's answers in turn; the last one is given again and again."""
        self._answers[rpc] = list(answers)

    def stall(self, rpc: str) -> None:
        """Never answers an rpc, once its stream of answers is played; for who is interrupted."""
        self._stalled.add(rpc)

    def answer_file(self, label_end: str, answer: Answer) -> None:
        """The answer to files whose label ends so; others get that of IngestFile."""
        self._answers_by_label[label_end] = answer

    def asked(self, kind: type[Asked]) -> list[Asked]:
        """The requests of a kind, in order."""
        return [request for request in self.requests if isinstance(request, kind)]

    async def unary(self, rpc: str, request: Message) -> Message:
        """Plays an rpc of one request."""
        self.requests.append(request)
        return _played(self._next(rpc))

    async def stream(self, rpc: str, request: Message) -> AsyncIterator[Message]:
        """Plays an rpc that streams: all its answers, then the end."""
        self.requests.append(request)
        for answer in self._answers.get(rpc, [Unimplemented(f"the script has no {rpc}")]):
            yield _played(answer)
        await self._stall(rpc)

    async def _stall(self, rpc: str) -> None:
        if rpc in self._stalled:
            await asyncio.Event().wait()

    async def upload(self, requests: AsyncIterator[Message]) -> Message:
        """Plays IngestFile; an error is raised after the header, before the chunks are read."""
        self._files_at_once += 1
        self.files_at_once_most = max(self.files_at_once_most, self._files_at_once)
        try:
            return await self._uploaded(requests)
        finally:
            self._files_at_once -= 1

    async def _uploaded(self, requests: AsyncIterator[Message]) -> Message:
        file = ReceivedFile(_part(await anext(requests)).header)
        self.files.append(file)
        answer = _played(self._file_answer(file.header.label))
        async for request in requests:
            chunk = _part(request).chunk
            file.chunk_sizes.append(len(chunk))
            file.content += chunk
        await self._stall("IngestFile")
        await asyncio.sleep(_FILE_TIME_S)
        return answer

    def _file_answer(self, label: str) -> Answer:
        own = (given for end, given in self._answers_by_label.items() if label.endswith(end))
        return next(own, None) or self._next("IngestFile")

    def _next(self, rpc: str) -> Answer:
        waiting = self._answers.get(rpc, [])
        if not waiting:
            return Unimplemented(f"the script has no {rpc}")
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]


@contextmanager
def scripted_suite(security: Security | None = None) -> Iterator[Script]:
    """A running server; its address is `script.address`."""
    script, ready, ending = Script(), threading.Event(), threading.Event()
    run = _serve(script, security or Security(), ready, ending)
    thread = threading.Thread(target=asyncio.run, args=(run,))
    thread.start()
    try:
        assert ready.wait(timeout=10), "the scripted server did not start"
        yield script
    finally:
        ending.set()
        thread.join()


async def _serve(
    script: Script, security: Security, ready: threading.Event, ending: threading.Event
) -> None:
    server = new_server(Server(), security, _silent_logger())
    for file in _FILES:
        for service in file.DESCRIPTOR.services_by_name.values():
            server.add_generic_rpc_handlers((_handlers(script, service),))
    script.address = bind(server, "127.0.0.1:0", security)
    await server.start()
    ready.set()
    await asyncio.to_thread(ending.wait)
    await server.stop(None)


def _handlers(script: Script, service: ServiceDescriptor) -> grpc.GenericRpcHandler:
    handlers = {method.name: _handler(script, method) for method in service.methods}
    return grpc.method_handlers_generic_handler(service.full_name, handlers)


def _handler(script: Script, method: MethodDescriptor) -> Handler:
    async def one(request: Message, _: Context) -> Message:
        return await script.unary(method.name, request)

    async def many(requests: AsyncIterator[Message], _: Context) -> Message:
        return await script.upload(requests)

    async def streamed(request: Message, _: Context) -> AsyncIterator[Message]:
        async for answer in script.stream(method.name, request):
            yield answer

    codecs = (
        GetMessageClass(method.input_type).FromString,
        GetMessageClass(method.output_type).SerializeToString,
    )
    if method.client_streaming:
        return grpc.stream_unary_rpc_method_handler(many, *codecs)
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(streamed, *codecs)
    return grpc.unary_unary_rpc_method_handler(one, *codecs)


def _played(answer: Answer) -> Message:
    if isinstance(answer, AnamnesisError):
        raise answer
    return answer


def _part(request: Message) -> IngestFileRequest:
    assert isinstance(request, IngestFileRequest)
    return request


def _silent_logger() -> Logger:
    """The server's log would end up among the output that tests read."""
    silent: Logger = structlog.wrap_logger(
        structlog.ReturnLogger(), wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR)
    )
    return silent
