"""Bad input: a precise status, the field, and nothing changed."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import cast

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import error_details_pb2
from grpc import aio
from grpc_status import rpc_status

from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.memory.v1 import (
    admin_service_pb2,
    event_pb2,
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
    work_pb2,
)
from anamnesis.retrieval.v1 import retrieval_service_pb2
from tests.support.clients import Clients
from tests.support.messages import made
from tests.system.bad_requests import BAD, SPACE

NOW = Timestamp(seconds=1_770_000_000)
INVALID = grpc.StatusCode.INVALID_ARGUMENT
Call = Callable[[Clients], Awaitable[object]]


def learning(content: str = "a lesson", **more: object) -> memory_service_pb2.NewMemory:
    """A lesson as a caller states it."""
    return made(
        memory_service_pb2.NewMemory,
        kind=memory_pb2.MEMORY_KIND_LEARNING,
        content=content,
        **more,
    )


def create(memory: memory_service_pb2.NewMemory, namespace: str = SPACE) -> Call:
    """Create one memory."""
    request = memory_service_pb2.CreateMemoryRequest(namespace=namespace, memory=memory)
    return lambda clients: clients.memory.CreateMemory(request)


def append(*events: event_pb2.Event, namespace: str = SPACE) -> Call:
    """Append events through ingestion."""
    request = ingestion_service_pb2.AppendEventsRequest(
        namespace=namespace, session_id="s", agent_id="a", events=events
    )
    return lambda clients: clients.ingestion.AppendEvents(request)


def search(**fields: object) -> Call:
    """Search."""
    request = made(
        retrieval_service_pb2.SearchRequest, **{"namespace": SPACE, "query": "q", **fields}
    )
    return lambda clients: clients.retrieval.Search(request)


def upload(*parts: ingestion_service_pb2.IngestFileRequest) -> Call:
    """Stream a file."""

    async def stream() -> AsyncIterator[ingestion_service_pb2.IngestFileRequest]:
        for part in parts:
            yield part

    return lambda clients: clients.ingestion.IngestFile(stream())


def header(namespace: str = SPACE) -> ingestion_service_pb2.IngestFileRequest:
    """The first part of a file."""
    return ingestion_service_pb2.IngestFileRequest(
        header=ingestion_service_pb2.IngestFileHeader(
            namespace=namespace, agent_id="a", label="file.bin"
        )
    )


def chunk(body: bytes) -> ingestion_service_pb2.IngestFileRequest:
    """A part of a file."""
    return ingestion_service_pb2.IngestFileRequest(chunk=body)


def event(content: str = "hello", **more: object) -> event_pb2.Event:
    """An event with what is required."""
    return made(
        event_pb2.Event,
        **{"role": event_pb2.ROLE_USER, "content": content, "event_time": NOW, **more},
    )


def run_stages(*stages: "work_pb2.WorkKind.ValueType") -> Call:
    """Run stages of the pipeline."""
    request = ingestion_service_pb2.RunPipelineRequest(namespace=SPACE, stages=stages)
    return lambda clients: clients.ingestion.RunPipeline(request).read()


def retry_stages(*stages: "work_pb2.WorkKind.ValueType") -> Call:
    """Retry what failed of stages of the pipeline."""
    request = ingestion_service_pb2.RetryFailuresRequest(namespace=SPACE, stages=stages)
    return lambda clients: clients.ingestion.RetryFailures(request)


async def list_with_another_lists_token(clients: Clients) -> object:
    """A page token of one list shown to another."""
    first = await clients.memory.ListMemories(
        memory_service_pb2.ListMemoriesRequest(namespace=SPACE, page_size=1)
    )
    assert first.next_page_token
    return await clients.ledger.ListSessions(
        ledger_service_pb2.ListSessionsRequest(namespace=SPACE, page_token=first.next_page_token)
    )


REFUSED: list[tuple[str, Call, grpc.StatusCode, str, str]] = [
    ("namespace in capitals", create(learning(), "Team A"), INVALID, "namespace", "FIELD_INVALID"),
    ("empty namespace", create(learning(), ""), INVALID, "namespace", "FIELD_INVALID"),
    ("long namespace", create(learning(), "a" * 64), INVALID, "namespace", "FIELD_INVALID"),
    ("unknown enum", create(memory_service_pb2.NewMemory(kind=99, content="x")),  # type: ignore[arg-type]
     INVALID, "memory.kind", "FIELD_INVALID"),
    ("unspecified enum", create(memory_service_pb2.NewMemory(content="x")),
     INVALID, "memory.kind", "FIELD_INVALID"),
    ("blank text", create(learning("  \n")), INVALID, "memory.content", "FIELD_INVALID"),
    ("a text over the limit", create(learning("x" * (1 << 20) + "y")),
     INVALID, "memory.content", "FIELD_INVALID"),
    ("importance over one", create(learning(importance=1.5)),
     INVALID, "memory.importance", "FIELD_INVALID"),
    ("a part of another kind", create(learning(fact=memory_pb2.Fact(
        subject="s", predicate="p", object="o"))), INVALID, "memory.fact", "FIELD_INVALID"),
    ("a vector of another dimension", create(learning(embedding=memory_pb2.Embedding(
        vector=[0.5] * 7))), INVALID, "memory.embedding.vector",
     "EMBEDDING_DIMENSION_MISMATCH"),
    ("a vector of zeros of another dimension", append(event(embedding=[0.0] * 7)),
     INVALID, "events[0].embedding", "EMBEDDING_DIMENSION_MISMATCH"),
    ("an event without time", append(event(), event_pb2.Event(
        role=event_pb2.ROLE_USER, content="when?")), INVALID, "events[1].event_time",
     "FIELD_INVALID"),
    ("an event without text", append(event("")), INVALID, "events[0].content", "FIELD_INVALID"),
    ("an index twice", append(event(index=3), event("other", index=3)),
     INVALID, "events[1].index", "FIELD_INVALID"),
    ("a negative index", append(event(index=-1)), INVALID, "events[0].index", "FIELD_INVALID"),
    ("an empty query", search(query=""), INVALID, "query", "FIELD_INVALID"),
    ("a negative limit", search(limit=-1), INVALID, "limit", "FIELD_INVALID"),
    ("an unknown mode", search(mode=77), INVALID, "mode", "FIELD_INVALID"),
    ("a made-up page token", search(page_token="made-up"), INVALID, "page_token",
     "PAGE_TOKEN_INVALID"),
    ("another list's page token", list_with_another_lists_token, INVALID, "page_token",
     "PAGE_TOKEN_INVALID"),
    ("a made-up revision", search(at_least_revision="tomorrow"), INVALID,
     "at_least_revision", "FIELD_INVALID"),
    ("a stage that is none of the pipeline's", run_stages(work_pb2.WORK_KIND_LABEL,
     work_pb2.WORK_KIND_CLUSTER), INVALID, "stages[1]", "FIELD_INVALID"),
    ("a retry of what is no stage", retry_stages(work_pb2.WORK_KIND_FORGET),
     INVALID, "stages[0]", "FIELD_INVALID"),
    ("a binary file", upload(header(), chunk(bytes(range(256)) * 40)),
     INVALID, "chunk", "FILE_NOT_TEXT"),
    ("a file without header", upload(chunk(b"{}")), INVALID, "header", "FIELD_INVALID"),
    ("a long file without header", upload(*[chunk(b"{}" * 99_999)] * 30), INVALID, "header",
     "FIELD_INVALID"),
]  # fmt: skip


def details(error: aio.AioRpcError) -> tuple[str, list[str]]:
    """The reason and the violated fields of an error."""
    status = rpc_status.from_call(cast("grpc.Call", error))
    assert status is not None
    reason, fields = "", []
    for packed in status.details:
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if packed.Unpack(info):
            reason = info.reason
        if packed.Unpack(bad):
            fields = [violation.field for violation in bad.field_violations]
    return reason, fields


async def state(clients: Clients) -> tuple[bytes, bytes]:
    """Everything that a refused request could have changed; what fades by itself is left out."""
    memories = await clients.memory.ListMemories(
        memory_service_pb2.ListMemoriesRequest(namespace=SPACE, page_size=500)
    )
    for memory in memories.memories:
        memory.ClearField("retention")
    namespace = await clients.admin.GetNamespace(
        admin_service_pb2.GetNamespaceRequest(namespace=SPACE)
    )
    return (
        memories.SerializeToString(deterministic=True),
        namespace.SerializeToString(deterministic=True),
    )


@pytest.mark.parametrize(
    ("call", "code", "field", "reason"),
    [pytest.param(*row[1:], id=row[0]) for row in REFUSED],
)
async def test_bad_input_is_refused_and_changes_nothing(
    clients: Clients, call: Call, code: grpc.StatusCode, field: str, reason: str
) -> None:
    for content in ("a first lesson", "a second lesson"):
        # no lesson: those change the namespace behind the answer, when they join a cluster
        memory = memory_service_pb2.NewMemory(kind=memory_pb2.MEMORY_KIND_SEMANTIC, content=content)
        request = memory_service_pb2.CreateMemoryRequest(
            namespace=SPACE, memory=memory, request_id=content
        )
        await clients.memory.CreateMemory(request)
    before = await state(clients)
    with pytest.raises(aio.AioRpcError) as refused:
        await call(clients)
    told, fields = details(refused.value)
    assert refused.value.code() is code, refused.value.details()
    assert told == reason, refused.value.details()
    assert field in fields, fields
    assert await state(clients) == before


async def test_every_service_refuses_what_is_bad_and_changes_nothing(clients: Clients) -> None:
    await create(memory_service_pb2.NewMemory(kind=memory_pb2.MEMORY_KIND_SEMANTIC, content="a"))(
        clients
    )
    before, wrong = await state(clients), []
    for bad in BAD:
        with pytest.raises(aio.AioRpcError) as refused:
            await bad.call(clients)
        reason, fields = details(refused.value)
        if (refused.value.code(), reason) != (bad.code, bad.reason) or not bad.names(fields):
            wrong.append((bad.name, refused.value.code(), reason, fields))
    assert wrong == []
    assert await state(clients) == before


async def test_reading_a_namespace_that_is_not_there(clients: Clients) -> None:
    with pytest.raises(aio.AioRpcError) as missing:
        await search(namespace="nobody-made-this")(clients)
    assert missing.value.code() is grpc.StatusCode.NOT_FOUND
    assert details(missing.value)[0] == "NAMESPACE_NOT_FOUND"


async def test_malformed_lines_are_told_and_cost_nothing_else(clients: Clients) -> None:
    good = b'{"role": "user", "content": "line %d", "timestamp": "2026-03-02T09:00:00Z"}\n'
    bad = [b"{half\n", b"[1, 2]\n", b'"text"\n', b"\xff\xfe\n", b"null\n"]
    body = b"".join(good % number + line for number, line in enumerate(bad))
    answer = await upload(header("bad-lines"), chunk(body))(clients)
    assert isinstance(answer, ingestion_service_pb2.IngestFileResponse)
    assert answer.appended == len(bad)
    assert [line.line for line in answer.skipped_lines] == [2, 4, 6, 8, 10]
    assert all(line.reason for line in answer.skipped_lines)
