"""Everything that a namespace holds, read through its port."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from anamnesis_memory.model.memory import (
    Caller,
    Kind,
    LoggedChange,
    Memory,
    MemoryFilter,
    StoreCounts,
    Topic,
    Vectors,
)
from anamnesis_memory.model.session import Event, Session
from anamnesis_memory.ports import Listing, NamespaceStore
from tests.sim.requests import AGENT

T = TypeVar("T")

EVERYTHING = MemoryFilter(include_archived=True)
EVERYBODY = Caller(agent_id=AGENT)
PAGE = 500


@dataclass(frozen=True, slots=True)
class Held:
    """A namespace as it is."""

    name: str
    revision: int
    memories: Sequence[Memory]
    sessions: Mapping[str, Session]
    events: Mapping[tuple[str, int], Event]
    vectors: Mapping[str, Vectors]
    pending: frozenset[str]
    topics: Sequence[Topic]
    members: Mapping[str, Sequence[str]]
    changes: Sequence[LoggedChange]
    counts: StoreCounts
    topics_revision: int
    assigned_revision: int

    @property
    def by_id(self) -> Mapping[str, Memory]:
        """Memories by id."""
        return {memory.memory_id: memory for memory in self.memories}

    @property
    def drawers(self) -> list[Memory]:
        """Episodic memories, oldest first."""
        return [memory for memory in self.memories if memory.kind is Kind.EPISODIC]


async def hold(name: str, store: NamespaceStore, page: int) -> Held:
    """Read a namespace whole; the change log in pages of this size."""
    memories = (await store.list_memories(EVERYTHING, EVERYBODY, 0, PAGE)).items
    ids = [memory.memory_id for memory in memories]
    sessions = _whole(await store.list_sessions(EVERYBODY, "", "", "", PAGE))
    events = [
        event
        for session in sessions
        for event in _whole(await store.list_events(session.session_id, -1, PAGE))
    ]
    topics = _whole(await store.topics("", None, "", PAGE))
    changed, assigned = await store.topic_progress()
    return Held(
        name=name,
        revision=store.revision,
        memories=memories,
        sessions={session.session_id: session for session in sessions},
        events={(event.session_id, event.index): event for event in events},
        vectors=await store.embeddings(ids),
        pending=frozenset(await store.pending_embeddings(PAGE)),
        topics=topics,
        members={
            topic.topic_id: _whole(await store.list_topic_members(topic.topic_id, 0, PAGE))
            for topic in topics
        },
        changes=await log_of(store, page),
        counts=await store.counts(),
        topics_revision=changed,
        assigned_revision=assigned,
    )


async def log_of(store: NamespaceStore, page: int, after: int = 0) -> list[LoggedChange]:
    """The change log behind a revision, page by page."""
    told: list[LoggedChange] = []
    while after < store.revision:
        changes = await store.changes(after, page)
        assert changes.revision > after, "the log stands still before its end"
        told += changes.changes
        after = changes.revision
    return told


def _whole(listing: Listing[T]) -> Sequence[T]:
    assert listing.next_after is None, "a namespace of a simulation fits on a page"
    return listing.items
