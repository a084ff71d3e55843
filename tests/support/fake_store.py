"""A store in memory: the port to the letter, as simple as can be.

Its contract tests are those of the databases, so what is tested on it is tested on what a
database would do. A `Disk` is what is left when the process is gone: stores that are opened on
the same one find the same data.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from anamnesis_libs.clock import Clock, micros
from anamnesis_memory.model.expiry import Expiring
from anamnesis_memory.model.memory import (
    Caller,
    Changes,
    Memory,
    MemoryFilter,
    Namespace,
    StoreCounts,
    Topic,
    Vectors,
    Work,
)
from anamnesis_memory.model.scopes import scopes_of
from anamnesis_memory.model.session import Event, Session
from anamnesis_memory.ports import (
    CommitStamp,
    Committed,
    IdempotentAnswer,
    IndexRecord,
    Listing,
    Write,
)
from anamnesis_memory.ports.catalogue import Capabilities, Due
from anamnesis_memory.storage.answers import mentioned
from tests.support.fake_filter import passes
from tests.support.fake_json_documents import FakeJsonDocuments
from tests.support.fake_knowledge import FakeKnowledge
from tests.support.fake_life import FakeLife
from tests.support.fake_palace import FakePalace
from tests.support.fake_pipeline import FakePipeline
from tests.support.fake_records import Answer, Records
from tests.support.fake_upkeep import FakeUpkeep
from tests.support.fake_uploads import FakeUploads
from tests.support.store_rules import owns, within

R = TypeVar("R")
T = TypeVar("T")
K = TypeVar("K", int, str)


@dataclass(slots=True)
class Disk:
    """What outlives a process."""

    catalogue: dict[str, Namespace] = field(default_factory=dict)
    due: dict[tuple[str, Work], Due] = field(default_factory=dict)
    notes: int = 0
    namespaces: dict[str, Records] = field(default_factory=dict)


class FakeNamespace(
    FakeUpkeep,
    FakePipeline,
    FakeUploads,
    FakeLife,
    FakeKnowledge,
    FakePalace,
    FakeJsonDocuments,
):
    """One namespace; implements `NamespaceStore`."""

    def __init__(self, records: Records, clock: Clock) -> None:
        self._records = records
        self._clock = clock

    @property
    def revision(self) -> int:
        """See `NamespaceStore.revision`."""
        return self._records.revision

    async def refresh(self, at_least: int = 0) -> int:
        """See `NamespaceStore.refresh`; there is nothing to learn."""
        return self._records.revision

    async def commit(
        self, write: Write[R], remember: IdempotentAnswer[R] | None = None
    ) -> Committed[R]:
        """See `NamespaceStore.commit`."""
        held = self._records
        stamp = CommitStamp(held.revision + 1, micros(self._clock.now()))
        if remember and (known := held.known_answer(remember.key, stamp.now_us)):
            return Committed(known.revision, replayed=known.answer)
        seen = held.seen(write.wanted())
        decision = write.decide(seen, stamp)
        edits = decision.edits
        revision = stamp.revision if edits.any else held.revision
        answer = remember.encode(decision.result, revision) if remember else b""
        held.apply(edits, stamp)
        if remember:
            key = remember.key
            told = mentioned(seen, edits, tells_memories=remember.tells_memories)
            kept = Answer(key, answer, revision, stamp.now_us, told)
            held.answers[key.method, key.request_id] = kept
        return Committed(revision, result=decision.result)

    async def put_embeddings(
        self, embeddings: Mapping[str, Vectors], made_of: Mapping[str, int] | None = None
    ) -> frozenset[str]:
        """See `Upkeep.put_embeddings`."""
        held, revisions = self._records, made_of or {}
        kept = {
            key: each
            for key, each in embeddings.items()
            if key in held.memories and revisions.get(key) in (None, held.memories[key].revision)
        }
        held.vectors.update(kept)
        return frozenset(kept)

    async def note_embedding_failures(self, memory_ids: Sequence[str], reason: str) -> None:
        """See `NamespaceStore.note_embedding_failures`: what has no vectors is pending anyway."""

    async def pending_embeddings(self, limit: int) -> Sequence[str]:
        """See `NamespaceStore.pending_embeddings`."""
        return self._pending()[:limit]

    async def memories(self, memory_ids: Sequence[str], caller: Caller | None) -> list[Memory]:
        """See `NamespaceStore.memories`."""
        held = self._records.memories
        return [held[key] for key in memory_ids if key in held and _sees(caller, held[key])]

    async def list_memories(
        self, where: MemoryFilter, caller: Caller | None, after: int, limit: int
    ) -> Listing[Memory]:
        """See `NamespaceStore.list_memories`."""
        held = self._records.memories.values()
        found = [memory for memory in held if passes(memory, where) and _sees(caller, memory)]
        return _page(found, lambda memory: self._records.places[memory.memory_id], after, limit)

    async def expiring(self, limit: int) -> Sequence[Expiring]:
        """See `NamespaceStore.expiring`."""
        kept = self._records.memories.values()
        found = [(one.expire_time_us, one.memory_id) for one in kept if one.expire_time_us]
        return [Expiring(memory_id, at_us) for at_us, memory_id in sorted(found)[:limit]]

    async def next_expiry(self) -> int | None:
        """See `NamespaceStore.next_expiry`."""
        first = await self.expiring(1)
        return first[0].expire_time_us if first else None

    async def embeddings(self, memory_ids: Sequence[str]) -> Mapping[str, Vectors]:
        """See `NamespaceStore.embeddings`."""
        held = self._records.vectors
        return {key: held[key] for key in memory_ids if key in held}

    async def session(self, session_id: str, caller: Caller | None = None) -> Session | None:
        """See `NamespaceStore.session`."""
        held = self._records.sessions.get(session_id)
        return held if held is not None and _sees(caller, held) else None

    async def list_sessions(
        self, caller: Caller | None, agent_id: str, user_id: str, after: str, limit: int
    ) -> Listing[Session]:
        """See `NamespaceStore.list_sessions`."""
        found = [
            session
            for session in self._records.sessions.values()
            if _sees(caller, session)
            and agent_id in ("", session.agent_id)
            and (not user_id or owns(user_id, session.user_id))
        ]
        return _page(found, lambda session: session.session_id, after, limit)

    async def list_events(self, session_id: str, after: int, limit: int) -> Listing[Event]:
        """See `NamespaceStore.list_events`."""
        held = self._records.events.values()
        found = [event for event in held if event.session_id == session_id]
        return _page(found, lambda event: event.index, after, limit)

    async def changes(self, after: int, limit: int) -> Changes:
        """See `NamespaceStore.changes`."""
        log = self._records.log(after)
        if len(log) < limit:
            return Changes(log, self.revision)
        reach = log[limit - 1].revision
        return Changes([change for change in log if change.revision <= reach], reach)

    async def index_records(self, memory_ids: Sequence[str]) -> Sequence[IndexRecord]:
        """See `NamespaceStore.index_records`."""
        vectors = self._records.vectors
        found = await self.memories(memory_ids, None)
        return [IndexRecord(memory, vectors.get(memory.memory_id)) for memory in found]

    async def changes_to_index(
        self, after: int, limit: int
    ) -> tuple[Changes, Sequence[IndexRecord]]:
        """See `NamespaceStore.changes_to_index`."""
        changes = await self.changes(after, limit)
        here = [change.memory_id for change in changes.changes if not change.deleted]
        return changes, await self.index_records(here)

    async def topics(
        self, topic_id: str, caller: Caller | None, after: str, limit: int
    ) -> Listing[Topic]:
        """See `NamespaceStore.topics`."""
        found = [
            topic
            for topic in self._records.topics.values()
            if topic_id in ("", topic.topic_id)
            and (caller is None or within(topic.scope, scopes_of(caller)))
        ]
        return _page(found, lambda topic: topic.topic_id, after, limit)

    async def topic_progress(self) -> tuple[int, int]:
        """See `NamespaceStore.topic_progress`."""
        return self._records.topics_revision, self._records.assigned_revision

    async def list_topic_members(self, topic_id: str, after: int, limit: int) -> Listing[str]:
        """See `NamespaceStore.list_topic_members`."""
        found = [key for key, place in self._records.members.items() if place == topic_id]
        return _page(found, self._records.places.__getitem__, after, limit)

    async def counts(self) -> StoreCounts:
        """See `NamespaceStore.counts`."""
        held = self._records
        memories = held.memories.values()
        return StoreCounts(
            by_kind=Counter(memory.kind.value for memory in memories),
            by_status=Counter(memory.status.value for memory in memories),
            by_tier=Counter(memory.tier.value for memory in memories),
            sessions=len(held.sessions),
            events=len(held.events),
            topics=len(held.topics),
            pending_embeddings=len(self._pending()),
            store_bytes=sum(len(memory.content.encode()) for memory in memories),
        )

    async def close(self) -> None:
        """See `NamespaceStore.close`; nothing is under way."""

    def _pending(self) -> list[str]:
        return [key for key in self._records.memories if key not in self._records.vectors]


class FakeCatalogue:
    """Implements `Catalogue`."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    async def get(self, name: str) -> Namespace | None:
        """See `Catalogue.get`."""
        return self._disk.catalogue.get(name)

    async def create(self, namespace: Namespace) -> Namespace:
        """See `Catalogue.create`."""
        return self._disk.catalogue.setdefault(namespace.name, namespace)

    async def replace(self, namespace: Namespace, incarnation: str) -> bool:
        """See `Catalogue.replace`."""
        there = self._disk.catalogue.get(namespace.name)
        if (there.incarnation if there else "") != incarnation:
            return False
        self._disk.catalogue[namespace.name] = namespace
        return True

    async def remove(self, namespace: Namespace) -> bool:
        """See `Catalogue.remove`."""
        there = self._disk.catalogue.get(namespace.name)
        if there is None or there.incarnation != namespace.incarnation:
            return False
        del self._disk.catalogue[namespace.name]
        for key in [key for key in self._disk.due if key[0] == namespace.name]:
            del self._disk.due[key]
        return True

    async def list(self, after: str, limit: int) -> Listing[Namespace]:
        """See `Catalogue.list`."""
        held = self._disk.catalogue.values()
        return _page(held, lambda namespace: namespace.name, after, limit)

    async def set_due(self, name: str, work: Work, at_us: int) -> None:
        """See `Catalogue.set_due`."""
        known = self._disk.due.get((name, work))
        earliest_us = at_us if known is None else min(at_us, known.at_us)
        self._note(name, work, earliest_us)

    async def due(self, works: Sequence[Work], before_us: int, limit: int) -> Sequence[Due]:
        """See `Catalogue.due`."""
        held = self._disk.due.values()
        found = [one for one in held if one.work in works and one.at_us <= before_us]
        return sorted(found, key=lambda one: (one.at_us, one.name, one.work))[:limit]

    async def reschedule(self, due: Due, at_us: int | None) -> None:
        """See `Catalogue.reschedule`. If anything was noted since, the earliest time counts."""
        known = self._disk.due.get((due.name, due.work))
        if known != due:
            if at_us is not None:
                await self.set_due(due.name, due.work, at_us)
        elif at_us is None:
            del self._disk.due[due.name, due.work]
        else:
            self._note(due.name, due.work, at_us)

    def _note(self, name: str, work: Work, at_us: int) -> None:
        self._disk.notes += 1
        self._disk.due[name, work] = Due(name, work, at_us, self._disk.notes)

    async def close(self) -> None:
        """See `Catalogue.close`."""


class FakeStores:
    """The stores of one disk; implements `Stores`."""

    def __init__(self, disk: Disk, clock: Clock) -> None:
        self._disk = disk
        self._clock = clock
        self._catalogue = FakeCatalogue(disk)

    @property
    def capabilities(self) -> Capabilities:
        """See `Stores.capabilities`; memory has no files."""
        return Capabilities(is_shared=False, files_max=0)

    @property
    def catalogue(self) -> FakeCatalogue:
        """All namespaces."""
        return self._catalogue

    async def open(self, namespace: Namespace) -> FakeNamespace:
        """See `Stores.open`."""
        records = self._disk.namespaces.setdefault(namespace.incarnation, Records())
        return FakeNamespace(records, self._clock)

    async def make_room(self) -> bool:
        """See `Stores.make_room`; memory has none set aside."""
        return False

    async def discard(self, namespace: Namespace) -> None:
        """See `Stores.discard`."""
        named = self._disk.catalogue.get(namespace.name)
        if named is None or named.incarnation != namespace.incarnation:
            self._disk.namespaces.pop(namespace.incarnation, None)

    async def close(self) -> None:
        """See `Stores.close`."""


def _sees(caller: Caller | None, record: Memory | Session) -> bool:
    return caller is None or caller.sees(record.visibility, record.agent_id, record.user_id)


def _page(found: Iterable[T], key: Callable[[T], K], after: K, limit: int) -> Listing[T]:
    """What sorts behind `after`, as much as is asked for."""
    behind = sorted((item for item in found if key(item) > after), key=key)
    more = len(behind) > limit
    return Listing(behind[:limit], key(behind[limit - 1]) if more else None)
