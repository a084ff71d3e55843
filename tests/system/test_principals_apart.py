"""Fifty principals at work at once, each in a namespace of its own: nobody gets at another's."""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from google.protobuf.message import Message
from google.protobuf.text_format import MessageToString
from grpc import StatusCode, aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import event_pb2, filter_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval_pb
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.printed_tables import Note, note_table
from tests.support.processes import start

PRINCIPALS, ROUNDS = 50, 2
OPERATOR = (("authorization", "Bearer operator-0123456789"),)
MARKER = re.compile(r"marker\d\d[a-z]+")
"""A word that one principal alone says, with its number in it."""
OF_AN_ID = 4

Try = tuple[Callable[..., Awaitable[Message]], Message]


@dataclass(slots=True)
class Worker:
    """One principal: its key, what it wrote and has not deleted, and what it was answered."""

    number: int
    clients: Clients
    dice: random.Random
    kept: dict[str, str] = field(default_factory=dict)
    """Memories by their ids, with the session of each."""
    sessions: set[str] = field(default_factory=set)
    revision: str = ""
    markers_seen: int = 0
    answers: int = 0
    refusals: int = 0

    @property
    def namespace(self) -> str:
        """Its own."""
        return f"team-{self.number}"

    @property
    def who(self) -> Caller:
        """Its user."""
        return Caller(user_id=f"user-{self.number}")

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """Its key, as it travels."""
        return (("authorization", f"Bearer {key_of(self.number)}"),)

    def marker(self, thing: str = "") -> str:
        """A word that nobody else says."""
        return f"marker{self.number:02}{thing}"

    def words(self, count: int) -> list[str]:
        """As many new ones."""
        return [self.marker("".join(self.dice.choices("aeklmnoprstu", k=8))) for _ in range(count)]

    def heard(self, answer: Message) -> None:
        """An answer holds markers of its own alone."""
        found = MARKER.findall(MessageToString(answer, as_utf8=True))
        foreign = {marker for marker in found if not marker.startswith(self.marker())}
        assert not foreign, (self.number, foreign)
        self.markers_seen += len(found)
        self.answers += 1


def key_of(number: int) -> str:
    """The key of a principal."""
    return f"worker-{number:02}-0123456789"


@pytest.fixture
async def workers(tmp_path: Path) -> AsyncIterator[list[Worker]]:
    """The principals of a suite where nothing is yet."""
    lines = [
        f"{key_of(number)} namespaces=team-{number} user=user-{number}\n"
        for number in range(PRINCIPALS)
    ]
    (tmp_path / "api").write_text("operator-0123456789\n")
    (tmp_path / "agent").write_text("".join(lines))
    settings = {
        "ANAMNESIS_MODELS__EMBEDDER": "static",
        "ANAMNESIS_SECURITY__API_KEYS_FILE": str(tmp_path / "api"),
        "ANAMNESIS_SECURITY__AGENT_KEYS_FILE": str(tmp_path / "agent"),
        "ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "3600",
    }
    process = await asyncio.to_thread(start, tmp_path / "data", "all", settings)
    try:
        async with clients_of(everywhere(process.address)) as clients:
            yield [Worker(number, clients, random.Random(number)) for number in range(PRINCIPALS)]
    finally:
        assert await asyncio.to_thread(process.stop) == 0, "".join(process.output)


@pytest.mark.long
async def test_fifty_at_once_see_and_delete_their_own_alone(
    workers: list[Worker], record_property: Note
) -> None:
    for _ in range(ROUNDS):
        await asyncio.gather(*(_work(worker, workers) for worker in workers))
    await asyncio.gather(*(_all_is_there(worker) for worker in workers))
    assert all(worker.markers_seen > ROUNDS * 4 for worker in workers)
    rows = [
        ("principals", PRINCIPALS),
        ("answers with own markers alone", sum(worker.answers for worker in workers)),
        ("markers in them", sum(worker.markers_seen for worker in workers)),
        ("tries at another's that were refused", sum(worker.refusals for worker in workers)),
        ("memories left", sum(len(worker.kept) for worker in workers)),
        ("sessions left", sum(len(worker.sessions) for worker in workers)),
    ]
    note_table(record_property, "principals apart", [("what", "number"), *rows])


async def _work(worker: Worker, workers: list[Worker]) -> None:
    """A round of a principal's: it writes, then does the rest in an order of its own."""
    await _append(worker)
    await _observe(worker)
    steps = [_search, _context, _list, _delete_memory, _delete_session]
    worker.dice.shuffle(steps)
    tried_at = worker.dice.randrange(len(steps))
    for place, step in enumerate(steps):
        if place == tried_at:
            other = worker.dice.choice([each for each in workers if each is not worker])
            await _intrude(worker, other)
        await step(worker)


async def _append(worker: Worker) -> None:
    session = f"{worker.marker('talk')}-{worker.dice.randrange(10**9)}"
    said = [
        event_pb2.Event(role=event_pb2.ROLE_USER, content=f"I keep {word} at home.")
        for word in worker.words(2)
    ]
    request = ingestion_pb.AppendEventsRequest(
        namespace=worker.namespace, session_id=session, events=said, use_server_time=True
    )
    worker.heard(await worker.clients.ingestion.AppendEvents(request, metadata=worker.key))
    worker.sessions.add(session)


async def _observe(worker: Worker) -> None:
    for word in worker.words(3):
        request = ingestion_pb.ObserveRequest(
            namespace=worker.namespace,
            session_id=f"{worker.marker('seen')}-{worker.dice.randrange(10**9)}",
            source="user",
            content=f"Remember that my {word} is due on Friday.",
            use_server_time=True,
        )
        answer = await worker.clients.ingestion.Observe(request, metadata=worker.key)
        worker.heard(answer)
        worker.revision = answer.revision
        worker.kept[answer.memory_id] = request.session_id
        worker.sessions.add(request.session_id)


async def _search(worker: Worker) -> None:
    request = retrieval_pb.SearchRequest(
        namespace=worker.namespace,
        query="what is due on Friday, what do I keep at home",
        caller=worker.who,
        limit=50,
        at_least_revision=worker.revision,
    )
    answer = await worker.clients.retrieval.Search(request, metadata=worker.key)
    assert answer.results
    worker.heard(answer)


async def _context(worker: Worker) -> None:
    request = retrieval_pb.BuildContextRequest(
        namespace=worker.namespace,
        query="what is due on Friday",
        caller=worker.who,
        token_budget=2_000,
        at_least_revision=worker.revision,
    )
    answer = await worker.clients.retrieval.BuildContext(request, metadata=worker.key)
    assert MARKER.search(answer.text)
    worker.heard(answer)


async def _list(worker: Worker) -> None:
    asked = memory_pb.ListMemoriesRequest(
        namespace=worker.namespace, caller=worker.who, page_size=500
    )
    answer = await worker.clients.memory.ListMemories(asked, metadata=worker.key)
    assert {memory.memory_id for memory in answer.memories} >= worker.kept.keys()
    worker.heard(answer)
    sessions = ledger_pb.ListSessionsRequest(
        namespace=worker.namespace, caller=worker.who, page_size=500
    )
    listed = await worker.clients.ledger.ListSessions(sessions, metadata=worker.key)
    assert {session.session_id for session in listed.sessions} == worker.sessions
    worker.heard(listed)


async def _delete_memory(worker: Worker) -> None:
    gone = worker.dice.choice(sorted(worker.kept))
    request = memory_pb.DeleteMemoryRequest(
        namespace=worker.namespace, memory_id=gone, caller=worker.who
    )
    worker.heard(await worker.clients.memory.DeleteMemory(request, metadata=worker.key))
    del worker.kept[gone]


async def _delete_session(worker: Worker) -> None:
    gone = worker.dice.choice(sorted(worker.sessions))
    request = ledger_pb.DeleteSessionRequest(
        namespace=worker.namespace, session_id=gone, caller=worker.who
    )
    worker.heard(await worker.clients.ledger.DeleteSession(request, metadata=worker.key))
    worker.sessions.discard(gone)
    worker.kept = {memory: of for memory, of in worker.kept.items() if of != gone}


async def _intrude(worker: Worker, other: Worker) -> None:
    """Ask for another's by its namespace, by its user, and by its ids in an own namespace."""
    places = [(other.namespace, other.who), (other.namespace, worker.who)]
    for namespace, who in (*places, (worker.namespace, other.who)):
        for call, request in _tries(worker, other, namespace, who):
            with pytest.raises(aio.AioRpcError) as refused:
                await call(request, metadata=worker.key)
            assert refused.value.code() is StatusCode.PERMISSION_DENIED, request
            worker.refusals += 1
    for call, request in _tries(worker, other, worker.namespace, worker.who)[:OF_AN_ID]:
        with pytest.raises(aio.AioRpcError) as refused:
            await call(request, metadata=worker.key)
        assert refused.value.code() is StatusCode.NOT_FOUND, request
        worker.refusals += 1


def _tries(worker: Worker, other: Worker, namespace: str, who: Caller) -> list[Try]:
    """Ways to read and to delete what is another's; the first `OF_AN_ID` name a thing of its."""
    clients = worker.clients
    memory_id = worker.dice.choice(sorted(other.kept))
    session_id = worker.dice.choice(sorted(other.sessions))
    everything = filter_pb2.MemoryFilter(include_archived=True)
    tries: list[Try] = [
        (clients.memory.GetMemory, memory_pb.GetMemoryRequest(memory_id=memory_id)),
        (clients.memory.DeleteMemory, memory_pb.DeleteMemoryRequest(memory_id=memory_id)),
        (clients.ledger.ListEvents, ledger_pb.ListEventsRequest(session_id=session_id)),
        (clients.ledger.DeleteSession, ledger_pb.DeleteSessionRequest(session_id=session_id)),
        (clients.memory.ListMemories, memory_pb.ListMemoriesRequest()),
        (clients.memory.DeleteMemories, memory_pb.DeleteMemoriesRequest(filter=everything)),
        (clients.retrieval.Search, retrieval_pb.SearchRequest(query="due on Friday")),
        (clients.ingestion.EndSession, ingestion_pb.EndSessionRequest(session_id=session_id)),
    ]
    for _, request in tries:
        request.MergeFrom(type(request)(namespace=namespace, caller=who))
    return tries


async def _all_is_there(worker: Worker) -> None:
    """An operator sees what a principal wrote and did not delete, and nothing of anybody else's."""
    asked = memory_pb.ListMemoriesRequest(
        namespace=worker.namespace, all_visibilities=True, page_size=500
    )
    listed = await worker.clients.memory.ListMemories(asked, metadata=OPERATOR)
    assert {memory.memory_id for memory in listed.memories} >= worker.kept.keys()
    worker.heard(listed)
    for session in worker.sessions:
        request = ledger_pb.ListEventsRequest(
            namespace=worker.namespace, session_id=session, all_visibilities=True
        )
        events = await worker.clients.ledger.ListEvents(request, metadata=OPERATOR)
        assert events.events
        worker.heard(events)
