"""The embedded store: one SQLite file a namespace, and one for the catalogue."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

import apsw

from anamnesis_libs.clock import Clock, micros
from anamnesis_libs.errors import AnamnesisError
from anamnesis_libs.storage.sqlite import Database
from anamnesis_memory.model.memory import (
    Caller,
    Changes,
    Kind,
    LoggedChange,
    Memory,
    StoreCounts,
    Vectors,
)
from anamnesis_memory.ports import (
    CommitStamp,
    Committed,
    IdempotentAnswer,
    IndexRecord,
    Write,
)
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.additions import added_by
from anamnesis_memory.storage.group_commit import Bounds, GroupCommit
from anamnesis_memory.storage.life_rows import index_record_of
from anamnesis_memory.storage.pipeline_rows import caller_row
from anamnesis_memory.storage.reads.json_documents import JsonDocumentReader
from anamnesis_memory.storage.reads.namespace import NamespaceReader
from anamnesis_memory.storage.reads.pipeline import PipelineReader
from anamnesis_memory.storage.sqlite.answers import purge_answers
from anamnesis_memory.storage.sqlite.at_hand import AtHand
from anamnesis_memory.storage.sqlite.knowledge_reads import SqliteKnowledge
from anamnesis_memory.storage.sqlite.life_reads import SqliteLife
from anamnesis_memory.storage.sqlite.queries import QUERIES
from anamnesis_memory.storage.sqlite.source import SqliteSource
from anamnesis_memory.storage.sqlite.upkeep import SqliteUpkeep
from anamnesis_memory.storage.sqlite.uploads import SqliteUploads
from anamnesis_memory.storage.sqlite.writes import (
    get_meta,
    memory_no,
    put_embedding,
    run_write,
    set_meta,
)

HERE = Path(__file__).parent
MIGRATIONS = [file.read_text("utf-8") for file in sorted(HERE.glob("migrations/namespace_*.sql"))]

R = TypeVar("R")
_Job = tuple[Write[object], IdempotentAnswer[object] | None]
_Outcomes = list[Committed[object] | AnamnesisError]


class SqliteNamespace(
    SqliteUpkeep,
    PipelineReader,
    SqliteUploads,
    SqliteLife,
    SqliteKnowledge,
    JsonDocumentReader,
    NamespaceReader,
    SqliteSource,
):
    """One namespace in one file; implements `NamespaceStore`."""

    def __init__(self, database: Database, revision: int, clock: Clock, bounds: Bounds) -> None:
        self._database = database
        self._revision = revision
        self._first_expiry: tuple[int, int | None] = (-1, None)
        self._at_hand = AtHand(revision)
        self._clock = clock
        self._writes: GroupCommit[_Job, Committed[object]] = GroupCommit(self._commit_batch, bounds)

    @classmethod
    async def open(
        cls,
        path: Path,
        executor: Executor,
        clock: Clock,
        bounds: Bounds,
        *,
        must_exist: bool = False,
    ) -> "SqliteNamespace":
        """Open or make the file of one namespace.

        Raises:
            StoreUnavailable: the file cannot be opened.
            StoreDamaged: it is no database, or must exist and is absent or empty.
        """
        database = await Database.open(path, MIGRATIONS, executor, must_exist=must_exist)
        try:
            revision = await database.read(lambda c: get_meta(c, QUERIES, "revision"))
        except BaseException:
            await database.close()
            raise
        return cls(database, revision, clock, bounds)

    @property
    def revision(self) -> int:
        """See `NamespaceStore.revision`."""
        return self._revision

    async def refresh(self, at_least: int = 0) -> int:
        """See `NamespaceStore.refresh`; one process has the file, so there is no news."""
        return self._revision

    async def commit(
        self, write: Write[R], remember: IdempotentAnswer[R] | None = None
    ) -> Committed[R]:
        """See `NamespaceStore.commit`."""
        job = (cast("Write[object]", write), cast("IdempotentAnswer[object] | None", remember))
        return cast("Committed[R]", await self._writes.submit(job))

    async def _commit_batch(
        self, jobs: Sequence[_Job]
    ) -> Sequence[Committed[object] | AnamnesisError]:
        now_us = micros(self._clock.now())

        def work(connection: apsw.Connection) -> tuple[_Batch, int | None]:
            return _run_batch(connection, jobs, now_us), _next_expiry(connection)

        batch, expiry_us = await self._database.write(work)
        self._revision = max(self._revision, batch.revision)
        self._first_expiry = (self._revision, expiry_us)
        self._at_hand.note(batch.added, batch.begun, batch.revision)
        return batch.outcomes

    async def put_embeddings(
        self, embeddings: Mapping[str, Vectors], made_of: Mapping[str, int] | None = None
    ) -> frozenset[str]:
        """See `Upkeep.put_embeddings`; what the power takes of it is still pending."""

        def work(connection: apsw.Connection) -> frozenset[str]:
            kept = set()
            for memory_id, vectors in embeddings.items():
                revision = made_of.get(memory_id) if made_of else None
                number = memory_no(connection, QUERIES, memory_id, revision)
                if number is not None:
                    put_embedding(connection, QUERIES, number, vectors)
                    kept.add(memory_id)
            return frozenset(kept)

        self._at_hand.got_vectors(embeddings)
        return await self._database.write_soon(work)

    async def note_embedding_failures(self, memory_ids: Sequence[str], reason: str) -> None:
        """See `NamespaceStore.note_embedding_failures`."""

        def work(connection: apsw.Connection) -> None:
            for memory_id in memory_ids:
                number = memory_no(connection, QUERIES, memory_id)
                key: rows.Bindings = {"memory_no": number, "reason": reason}
                connection.execute(QUERIES["note_pending_failure"], key)

        await self._database.write_soon(work)

    async def memories(self, memory_ids: Sequence[str], caller: Caller | None) -> list[Memory]:
        """See `NamespaceStore.memories`."""
        asked = caller_row(caller)
        found = await self._rows("get_seen_memories", **asked, memory_ids=list(memory_ids))
        return [rows.memory_of(row) for row in found]

    async def next_expiry(self) -> int | None:
        """See `NamespaceStore.next_expiry`; each commit has read it."""
        revision, expiry_us = self._first_expiry
        if revision == self._revision:
            return expiry_us
        return await self._database.read(_next_expiry)

    async def changes(self, after: int, limit: int) -> Changes:
        """See `NamespaceStore.changes`."""
        return await self._database.read(lambda c: _changes(c, after, limit))

    async def index_records(self, memory_ids: Sequence[str]) -> Sequence[IndexRecord]:
        """See `NamespaceStore.index_records`."""
        return await self._database.read(lambda c: _index_records(c, memory_ids))

    async def changes_to_index(
        self, after: int, limit: int
    ) -> tuple[Changes, Sequence[IndexRecord]]:
        """See `NamespaceStore.changes_to_index`; what was just appended is at hand."""
        at_hand = self._at_hand.take(after, limit, self._revision)
        if at_hand is not None:
            return at_hand

        def work(connection: apsw.Connection) -> tuple[Changes, Sequence[IndexRecord]]:
            changes = _changes(connection, after, limit)
            here = [change.memory_id for change in changes.changes if not change.deleted]
            return changes, _index_records(connection, here)

        return await self._database.read(work)

    async def topic_progress(self) -> tuple[int, int]:
        """See `NamespaceStore.topic_progress`."""
        return await self._database.read(
            lambda c: (
                get_meta(c, QUERIES, "topics_revision"),
                get_meta(c, QUERIES, "assigned_revision"),
            )
        )

    async def counts(self) -> StoreCounts:
        """See `NamespaceStore.counts`."""
        return await self._database.read(_counts)

    async def close(self) -> None:
        """See `NamespaceStore.close`."""
        await self._writes.close()
        await self._database.close()


@dataclass(frozen=True, slots=True)
class _Batch:
    """The outcomes of a batch of writes, and the memories they added if they did no more.

    It has taken the store from the revision `begun` to `revision`.
    """

    outcomes: _Outcomes
    begun: int
    revision: int
    added: Sequence[Memory] | None


def _run_batch(connection: apsw.Connection, jobs: Sequence[_Job], now_us: int) -> _Batch:
    """Run writes one after another in the open transaction; each takes the next revision."""
    begun = revision = get_meta(connection, QUERIES, "revision")
    purge_answers(connection, QUERIES, now_us)
    outcomes: _Outcomes = []
    added: list[Sequence[Memory] | None] = []
    for write, remember in jobs:
        try:
            stamp = CommitStamp(revision + 1, now_us)
            committed, edits = run_write(connection, QUERIES, write, remember, stamp)
        except AnamnesisError as refused:
            outcomes.append(refused)
            continue
        revision = max(revision, committed.revision)
        outcomes.append(committed)
        added.append(added_by(edits))
    set_meta(connection, QUERIES, "revision", revision)
    return _Batch(outcomes, begun, revision, _together(added))


def _together(added: Sequence[Sequence[Memory] | None]) -> Sequence[Memory] | None:
    """The memories that all writes of a batch added; None if one did more."""
    known = [memories for memories in added if memories is not None]
    if len(known) < len(added):
        return None
    return [memory for memories in known for memory in memories]


def _next_expiry(connection: apsw.Connection) -> int | None:
    first = connection.execute(QUERIES["list_expiring"], {"limit": 1}).fetchone()
    return None if first is None else rows.number(first[1])


def _changes(connection: apsw.Connection, after: int, limit: int) -> Changes:
    head = get_meta(connection, QUERIES, "revision")
    reach = connection.execute(QUERIES["changes_reach"], {"after": after, "limit": limit}).get
    up_to = head if reach is None else rows.number(reach)
    found = rows.records(connection.execute(QUERIES["changes"], {"after": after, "up_to": up_to}))
    whole = len(found) < limit
    return Changes([_change_of(row) for row in found], head if whole else up_to)


def _index_records(connection: apsw.Connection, memory_ids: Sequence[str]) -> list[IndexRecord]:
    asked: rows.Bindings = {"memory_ids": json.dumps(list(memory_ids))}
    found = rows.records(connection.execute(QUERIES["get_index_records"], asked))
    return [index_record_of(row) for row in found]


def _change_of(row: rows.Record) -> LoggedChange:
    kind = row["kind"]
    return LoggedChange(
        revision=rows.number(row["revision"]),
        memory_id=rows.text(row["memory_id"]),
        deleted=bool(row["deleted"]),
        kind=None if kind is None else Kind(rows.text(kind)),
        scope=rows.text(row["scope"]),
    )


def _counts(connection: apsw.Connection) -> StoreCounts:
    tallies: tuple[dict[str, int], dict[str, int], dict[str, int]] = ({}, {}, {})
    for *names, count in connection.execute(QUERIES["count_states"]):
        for tally, name in zip(tallies, names, strict=True):
            tally[rows.text(name)] = tally.get(rows.text(name), 0) + rows.number(count)
    sessions, events = connection.execute(QUERIES["count_sessions"]).get
    pages = rows.number(connection.pragma("page_count")) * rows.number(
        connection.pragma("page_size")
    )
    return StoreCounts(
        by_kind=tallies[0],
        by_status=tallies[1],
        by_tier=tallies[2],
        sessions=sessions,
        events=events,
        topics=rows.number(connection.execute(QUERIES["count_topics"]).get),
        pending_embeddings=rows.number(connection.execute(QUERIES["count_pending"]).get),
        store_bytes=pages,
    )
