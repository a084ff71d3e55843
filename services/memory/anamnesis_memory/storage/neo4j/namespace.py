"""The store on a Neo4j server: one namespace of a graph that others share.

What was committed is read as committed, but not as of one moment: Neo4j has no snapshots, and a
reader may see half a commit. So the log of changes is read up to `revision` only, and how far
topics are is told from the same clock: what is known of it is learned when a commit has returned,
or under its lock, behind every commit under way.
"""

import secrets
import uuid
from collections.abc import Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TypeVar, cast

from anamnesis_libs.clock import Clock, micros
from anamnesis_libs.errors import StoreUnavailable
from anamnesis_libs.storage.neo4j import Neo4jGraph, Row, Transaction
from anamnesis_memory.model.memory import (
    Caller,
    Changes,
    Memory,
    StoreCounts,
    Vectors,
)
from anamnesis_memory.ports import Committed, IdempotentAnswer, IndexRecord, Write
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.group_commit import Bounds, GroupCommit
from anamnesis_memory.storage.neo4j.fill import fill
from anamnesis_memory.storage.neo4j.knowledge_reads import Neo4jKnowledge
from anamnesis_memory.storage.neo4j.last_seen import LastSeen
from anamnesis_memory.storage.neo4j.life_reads import Neo4jLife
from anamnesis_memory.storage.neo4j.locks import lock_clock, lock_embeddings
from anamnesis_memory.storage.neo4j.rows import (
    Properties,
    change_of,
    counts_of,
    embedding_row,
    memory_of,
    node,
    seen_by,
    vectors_of,
)
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph
from anamnesis_memory.storage.neo4j.source import Neo4jSource
from anamnesis_memory.storage.neo4j.upkeep import Neo4jUpkeep
from anamnesis_memory.storage.neo4j.uploads import Neo4jUploads
from anamnesis_memory.storage.neo4j.writes import (
    Attempt,
    Job,
    append_batch,
    may_append,
    run_batch,
)
from anamnesis_memory.storage.reads.json_documents import JsonDocumentReader
from anamnesis_memory.storage.reads.namespace import NamespaceReader
from anamnesis_memory.storage.reads.pipeline import PipelineReader

R = TypeVar("R")

TOMBSTONE_KEY_BYTES = 32


class Neo4jNamespace(
    Neo4jUpkeep,
    PipelineReader,
    Neo4jUploads,
    Neo4jLife,
    Neo4jKnowledge,
    JsonDocumentReader,
    NamespaceReader,
    Neo4jSource,
):
    """One namespace; implements `NamespaceStore`."""

    def __init__(
        self, scope: NamespaceGraph, clock: Clock, bounds: Bounds, spool_directory: Path | None
    ) -> None:
        self._scope = scope
        self._spool_directory = spool_directory
        self._known = Properties(commits=-1)
        self._last_seen = LastSeen()
        self._clock = clock
        self._writes: GroupCommit[Job, Committed[object]] = GroupCommit(self._commit_batch, bounds)

    @classmethod
    async def open(
        cls,
        graph: Neo4jGraph,
        incarnation: str,
        clock: Clock,
        bounds: Bounds,
        spool_directory: Path | None,
    ) -> "Neo4jNamespace":
        """Open or make one namespace.

        Raises:
            StoreUnavailable: the server does not answer.
        """
        scope, secret = NamespaceGraph(graph, incarnation), secrets.token_bytes(TOMBSTONE_KEY_BYTES)
        await graph.write(lambda tx: scope.within(tx).run("open_clock", tombstone_key=secret))
        await fill(scope)
        namespace = cls(scope, clock, bounds, spool_directory)
        await namespace._look()
        return namespace

    @property
    def revision(self) -> int:
        """See `NamespaceStore.revision`."""
        return rows.number(self._known["revision"])

    async def refresh(self, at_least: int = 0) -> int:
        """See `NamespaceStore.refresh`; the lock is taken only where there is news."""
        (told,) = map(node, await self._scope.read("get_clock"))
        known = rows.number(self._known["commits"])
        if rows.number(told["commits"]) > known or self.revision < at_least:
            await self._look()
        return self.revision

    async def commit(
        self, write: Write[R], remember: IdempotentAnswer[R] | None = None
    ) -> Committed[R]:
        """See `NamespaceStore.commit`."""
        job = (cast("Write[object]", write), cast("IdempotentAnswer[object] | None", remember))
        return cast("Committed[R]", await self._writes.submit(job))

    async def _commit_batch(self, jobs: Sequence[Job]) -> Sequence[Committed[object] | Exception]:
        """Commit as many as one transaction takes; without a server each gets the same error."""
        attempt = Attempt()

        async def work(transaction: Transaction) -> None:
            now_us = micros(self._clock.now())
            await run_batch(self._scope.within(transaction), jobs, now_us, attempt)

        async def append(session: Transaction) -> bool:
            now_us = micros(self._clock.now())
            tx = self._scope.within(session)
            return await append_batch(tx, jobs, now_us, attempt, self._last_seen)

        try:
            appends = all(may_append(write.wanted()) for write, _ in jobs)
            tried = appends and self._last_seen.may_try()
            if not (tried and await self._scope.graph.write_apart(append)):
                self._last_seen.forget()
                await self._scope.graph.write(work)
        except StoreUnavailable as error:
            return [error] * len(jobs)
        self._learn(attempt.row)
        return attempt.outcomes

    async def put_embeddings(
        self, embeddings: Mapping[str, Vectors], made_of: Mapping[str, int] | None = None
    ) -> frozenset[str]:
        """See `Upkeep.put_embeddings`; no commit has to wait for it, nor it for one."""
        revisions = made_of or {}
        packed: list[Row] = [
            {**embedding_row(memory_id, vectors), "revision": revisions.get(memory_id)}
            for memory_id, vectors in sorted(embeddings.items(), key=itemgetter(0))
        ]
        kept: set[str] = set()

        async def work(transaction: Transaction) -> None:
            tx = self._scope.within(transaction)
            await lock_embeddings(tx, uuid.uuid4().hex)
            found = await tx.put("put_embeddings", packed)
            kept.clear()
            kept.update(rows.text(node(row)["memory_id"]) for row in found)

        await self._scope.graph.write(work)
        return frozenset(kept)

    async def note_embedding_failures(self, memory_ids: Sequence[str], reason: str) -> None:
        """See `NamespaceStore.note_embedding_failures`."""

        async def work(transaction: Transaction) -> None:
            tx = self._scope.within(transaction)
            await lock_embeddings(tx, uuid.uuid4().hex)
            await tx.run("note_pending_failures", ids=memory_ids, reason=reason)

        await self._scope.graph.write(work)

    async def memories(self, memory_ids: Sequence[str], caller: Caller | None) -> list[Memory]:
        """See `NamespaceStore.memories`."""
        found = await self._by_id("get_memories", memory_ids)
        memories = (memory_of(found[one]) for one in memory_ids if one in found)
        return [memory for memory in memories if seen_by(caller, memory)]

    async def next_expiry(self) -> int | None:
        """See `NamespaceStore.next_expiry`."""
        first = await self.expiring(1)
        return first[0].expire_time_us if first else None

    async def changes(self, after: int, limit: int) -> Changes:
        """See `NamespaceStore.changes`. What changes meanwhile is told later, further up."""
        head = self.revision
        (told,) = map(
            node, await self._scope.read("changes_reach", after=after, head=head, limit=limit)
        )
        whole = rows.number(told["found"]) < limit
        up_to = head if whole else rows.number(told["reach"])
        found = await self._scope.read("changes", after=after, up_to=up_to)
        found.sort(key=_log_order)
        return Changes([change_of(row) for row in found], up_to)

    async def index_records(self, memory_ids: Sequence[str]) -> Sequence[IndexRecord]:
        """See `NamespaceStore.index_records`."""
        found = await self._by_id("get_index_records", memory_ids)
        return [
            IndexRecord(memory_of(row), None if row["vectors"] is None else vectors_of(row))
            for row in (found[one] for one in memory_ids if one in found)
        ]

    async def changes_to_index(
        self, after: int, limit: int
    ) -> tuple[Changes, Sequence[IndexRecord]]:
        """See `NamespaceStore.changes_to_index`."""
        changes = await self.changes(after, limit)
        here = [change.memory_id for change in changes.changes if not change.deleted]
        return changes, await self.index_records(here)

    async def topic_progress(self) -> tuple[int, int]:
        """See `NamespaceStore.topic_progress`."""
        await self.refresh()
        known = self._known
        return rows.number(known["topics_revision"]), rows.number(known["assigned_revision"])

    async def counts(self) -> StoreCounts:
        """See `NamespaceStore.counts`; bytes are those of texts and vectors."""
        states = await self._scope.read("count_states")
        (sessions,) = await self._scope.read("count_sessions")
        (topics,) = await self._scope.read("count_topics")
        (embeddings,) = await self._scope.read("count_embeddings")
        (pending,) = await self._scope.read("count_pending")
        return counts_of(states, sessions, topics, embeddings, pending)

    async def close(self) -> None:
        """See `NamespaceStore.close`; the driver is the catalogue's to close."""
        await self._writes.close()

    async def _by_id(self, query: str, memory_ids: Sequence[str]) -> dict[str, Row]:
        found = await self._scope.read(query, ids=list(dict.fromkeys(memory_ids)))
        return {rows.text(node(row)["memory_id"]): row for row in found}

    async def _look(self) -> None:
        """Read the clock behind every commit that is under way.

        It is a write, so that in a cluster what is read afterwards is at least as new.
        """
        self._learn(
            await self._scope.graph.write(
                lambda tx: lock_clock(self._scope.within(tx), uuid.uuid4().hex)
            )
        )

    def _learn(self, row: Row) -> None:
        """Take over what the clock said, unless something later is known."""
        told = node(row)
        if rows.number(told["commits"]) > rows.number(self._known["commits"]):
            self._known = told


def _log_order(row: Row) -> tuple[int, int]:
    held = node(row)
    return rows.number(held["revision"]), rows.number(held["memory_no"])
