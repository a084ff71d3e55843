"""Erasure over real channels and SQLite: who may, what is refused, what is waited for."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1 import event_pb2, ledger_service_pb2, memory_pb2, memory_service_pb2
from anamnesis_libs.errors import FailedPrecondition, RevisionOfAnotherIncarnation
from anamnesis_libs.errors.not_found import NamespaceNotFound, SessionNotFound
from tests.support.memory_service import Served, serving
from tests.support.messages import made
from tests.support.pipeline_calls import refused, talk

pytestmark = pytest.mark.slow


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service."""
    async with serving(tmp_path) as running:
        yield running


async def hide(served: Served) -> None:
    """A session that only one agent may see."""
    request = ledger_service_pb2.AppendEventsRequest(
        namespace="n",
        session_id="hidden",
        agent_id="helper",
        visibility=event_pb2.VISIBILITY_PRIVATE_TO_AGENT,
        events=[
            event_pb2.Event(role=event_pb2.ROLE_USER, content="x", event_time=Timestamp(seconds=1))
        ],
    )
    await served.ledger.AppendEvents(request)


async def delete_session(
    served: Served, session_id: str, **caller: str
) -> ledger_service_pb2.DeleteSessionResponse:
    request = ledger_service_pb2.DeleteSessionRequest(
        namespace="n", session_id=session_id, caller=Caller(**caller)
    )
    return await served.ledger.DeleteSession(request)


async def incarnation(served: Served) -> str:
    named = await served.admin.GetNamespace(pb.GetNamespaceRequest(namespace="n"))
    return named.namespace.incarnation


async def test_a_session_is_erased_by_somebody_who_may_see_it(served: Served) -> None:
    await hide(served)
    assert isinstance(await refused(delete_session(served, "hidden")), SessionNotFound)
    done = await delete_session(served, "hidden", agent_id="helper")
    assert (done.receipt.records["sessions"], done.receipt.records["memories"]) == (1, 1)
    gone = await refused(delete_session(served, "hidden", agent_id="helper"))
    assert isinstance(gone, SessionNotFound)


async def test_a_session_that_is_gone_but_named_is_erased_by_an_operator(served: Served) -> None:
    await talk(served)
    stated = memory_service_pb2.NewMemory(
        kind=memory_pb2.MEMORY_KIND_LEARNING, content="wash apples", session_id="s"
    )
    await served.memory.CreateMemory(
        memory_service_pb2.CreateMemoryRequest(namespace="n", memory=stated)
    )
    request = pb.DeleteSubjectRequest(namespace="n", session_id="s")
    receipt = (await served.admin.DeleteSubject(request)).receipt
    assert (receipt.records["memories"], receipt.records["events"]) == (3, 2)
    again = (await served.admin.DeleteSubject(request)).receipt
    assert not again.records


async def test_nobody_there_leaves_an_empty_receipt(served: Served) -> None:
    await talk(served)
    request = pb.DeleteSubjectRequest(namespace="n", user_id="nobody")
    receipt = (await served.admin.DeleteSubject(request)).receipt
    assert (dict(receipt.records), receipt.files, receipt.index_entries) == ({}, 0, 0)


async def test_a_snapshot_that_was_set_aside_goes_with_what_it_may_hold(served: Served) -> None:
    await talk(served)
    directory = served.behind.directory / "index"
    async with served.behind.namespaces.reading("n") as opened:
        aside = directory / f"{opened.namespace.incarnation}.x-1.damaged-5"
        aside.write_bytes(b"not an index, but SORT is in it")
    sought = pb.VerifyErasureRequest(namespace="n", canaries=["sort is"])
    places = (await served.admin.VerifyErasure(sought)).places
    assert [(one.store, one.occurrences) for one in places if one.place == aside.name] == [
        ("snapshots", 1)
    ]
    await delete_session(served, "s")
    assert not aside.exists()
    assert not (await served.admin.VerifyErasure(sought)).places


async def test_a_namespace_is_deleted_only_as_what_it_is(served: Served) -> None:
    await talk(served)
    other = pb.DeleteNamespaceRequest(namespace="n", incarnation="0" * 20)
    assert isinstance(await refused(served.admin.DeleteNamespace(other)), FailedPrecondition)
    unknown = pb.DeleteNamespaceRequest(namespace="m", incarnation="0" * 20)
    assert isinstance(await refused(served.admin.DeleteNamespace(unknown)), NamespaceNotFound)
    was = await incarnation(served)
    request = pb.DeleteNamespaceRequest(namespace="n", incarnation=was)
    receipt = (await served.admin.DeleteNamespace(request)).receipt
    assert (receipt.records["events"], receipt.records["memories"]) == (2, 2)
    files = [path.name for path in served.behind.directory.rglob(f"{was}*")]
    assert not files
    await talk(served)
    assert await incarnation(served) != was
    read = made(
        ledger_service_pb2.GetSessionRequest,
        namespace="n",
        session_id="s",
        at_least_revision=receipt.revision,
    )
    assert isinstance(await refused(served.ledger.GetSession(read)), RevisionOfAnotherIncarnation)


async def test_who_reads_a_namespace_is_waited_for(served: Served) -> None:
    await talk(served)
    was = await incarnation(served)
    request = pb.DeleteNamespaceRequest(namespace="n", incarnation=was)
    async with served.behind.namespaces.reading("n") as opened:
        deleting = asyncio.ensure_future(served.admin.DeleteNamespace(request))
        while not opened.released.is_set():
            await asyncio.wait([deleting], timeout=0.01)
        assert not deleting.done()
        assert await opened.store.session("s") is not None
    await deleting
    assert isinstance(
        await refused(served.admin.GetNamespace(pb.GetNamespaceRequest(namespace="n"))),
        NamespaceNotFound,
    )
