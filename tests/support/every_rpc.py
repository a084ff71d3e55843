"""Every rpc of the suite by its descriptor: a request to it, and the code it answers with."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode, aio

from anamnesis.cluster.v1 import cluster_service_pb2, projection_service_pb2
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.memory.v1 import (
    admin_service_pb2,
    document_service_pb2,
    knowledge_service_pb2,
    ledger_service_pb2,
    lesson_service_pb2,
    memory_service_pb2,
    palace_service_pb2,
    procedure_service_pb2,
    topic_service_pb2,
    working_memory_service_pb2,
)
from anamnesis.retrieval.v1 import retrieval_service_pb2
from anamnesis_libs.rpc.admission.rights import AGENT_FIELDS, AGENT_RPCS, ITSELF

SERVED = (
    admin_service_pb2,
    cluster_service_pb2,
    document_service_pb2,
    ingestion_service_pb2,
    knowledge_service_pb2,
    ledger_service_pb2,
    lesson_service_pb2,
    memory_service_pb2,
    palace_service_pb2,
    procedure_service_pb2,
    projection_service_pb2,
    retrieval_service_pb2,
    topic_service_pb2,
    working_memory_service_pb2,
)
"""The files of protos that hold a service."""
_NAMESPACE = "namespace"

Streamed: TypeAlias = "aio.UnaryStreamCall[Message, bytes] | aio.StreamStreamCall[Message, bytes]"
Metadata = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Rpc:
    """One rpc."""

    name: str
    """As it travels: `/package.Service/Method`."""
    method: MethodDescriptor

    def empty(self) -> Message:
        """A request that says nothing."""
        return GetMessageClass(self.method.input_type)()

    def asking(self, namespace: str, who: Caller) -> Message:
        """A request about a namespace that names a caller, wherever this rpc's requests do."""
        request = self.empty()
        for holder in (request, *_parts(request)):
            if _NAMESPACE in holder.DESCRIPTOR.fields_by_name:
                setattr(holder, _NAMESPACE, namespace)
        for path in AGENT_RPCS.get(self.name, ()):
            named = _made_at(request, path)
            for owner in ("agent_id", "user_id"):
                setattr(named, owner, getattr(who, owner))
        if (needed := AGENT_FIELDS.get(self.name)) is not None:
            setattr(request, needed, "some")
        return request

    async def code(self, channel: aio.Channel, request: Message, metadata: Metadata) -> StatusCode:
        """How the server answers the request; OK as soon as the first message of a stream came."""
        name, write = self.name, type(request).SerializeToString
        match self.method.client_streaming, self.method.server_streaming:
            case False, False:
                return await _code(channel.unary_unary(name, write)(request, metadata=metadata))
            case True, False:
                return await _code(
                    channel.stream_unary(name, write)(iter([request]), metadata=metadata)
                )
            case False, True:
                return await _code_of_stream(
                    channel.unary_stream(name, write)(request, metadata=metadata)
                )
            case _:
                return await _code_of_stream(
                    channel.stream_stream(name, write)(iter([request]), metadata=metadata)
                )


def every_rpc() -> Iterator[Rpc]:
    """The rpcs of all services."""
    for file in SERVED:
        for service in file.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                yield Rpc(f"/{service.full_name}/{method.name}", method)


async def _code(call: aio.Call) -> StatusCode:
    return StatusCode(await call.code())


async def _code_of_stream(call: Streamed) -> StatusCode:
    with suppress(aio.AioRpcError):
        if await call.read() is not aio.EOF:
            call.cancel()
            return StatusCode.OK
    return await _code(call)


def _parts(request: Message) -> list[Message]:
    """The messages of a request that say which namespace it is about, set."""
    parts = [
        getattr(request, field.name)
        for field in request.DESCRIPTOR.fields
        if field.message_type is not None
        and not field.is_repeated
        and _NAMESPACE in field.message_type.fields_by_name
    ]
    for part in parts:
        part.SetInParent()
    return parts


def _made_at(request: Message, path: str) -> Message:
    """The message at a path of the table of rights, made where it is not there."""
    if path == ITSELF:
        return request
    held = getattr(request, path)
    made: Message = held.add() if request.DESCRIPTOR.fields_by_name[path].is_repeated else held
    return made
