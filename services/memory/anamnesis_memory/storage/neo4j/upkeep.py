"""A whole namespace in Neo4j: read at one revision, put as it was, bound to another model.

Neo4j has no snapshots: what is read page by page while others write is of no one moment. So an
export holds both locks of the namespace, of which every change takes one first, reads all there
is into a file on this side, lets go of them, and tells the file. Nothing can change between the
first page and the last, and nothing depends on which change carries a revision and which does not.

What it costs: writers of this namespace wait until it has been read, some seconds for 20,000
memories, whatever becomes of the export afterwards; readers and other namespaces do not. What
waits longer than the server lets a transaction run is refused and may be sent again.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path

from anamnesis_libs.storage.neo4j import Row, Transaction
from anamnesis_memory.model.memory import Vectors
from anamnesis_memory.ports.upkeep import (
    Binding,
    Cursors,
    Deletion,
    Export,
    Record,
    RecordType,
    Tombstone,
    TombstoneKey,
    TopicPlace,
)
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.knowledge_rows import (
    entity_of,
    mention_of,
    reason_of,
    telling_of,
    version_of,
)
from anamnesis_memory.storage.life_rows import copy_of, document_of, edge_of
from anamnesis_memory.storage.neo4j.draft import Clock
from anamnesis_memory.storage.neo4j.imports import put_records
from anamnesis_memory.storage.neo4j.locks import lock_clock, lock_embeddings
from anamnesis_memory.storage.neo4j.rows import embedding_row, kept_of, node, texts
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph, ScopedTransaction
from anamnesis_memory.storage.neo4j.spool import Spool
from anamnesis_memory.storage.neo4j.staged import binding_of, stage, switch
from anamnesis_memory.storage.neo4j.topics import recompute_topics
from anamnesis_memory.storage.neo4j.uploads import stream_uploads
from anamnesis_memory.storage.neo4j.writes import Attempt, begin, finish
from anamnesis_memory.storage.pipeline_rows import activity_of, segment_of, usage_of, work_of
from anamnesis_memory.storage.stub_rows import stub_of
from anamnesis_memory.storage.upload_rows import kept_upload_of

PAGE_RECORDS = 500
REMOVED_AT_ONCE = 2_000
PIECES_REMOVED_AT_ONCE = 32
"""8 MiB of uploads: the server holds what a transaction removes."""
WHOLE_S_MAX = 3_600.0
"""After this the server ends by itself what goes over a whole namespace, should we hang."""


class Neo4jUpkeep:
    """Implements `Upkeep` but for what embeds; a part of `Neo4jNamespace`."""

    _scope: NamespaceGraph
    _spool_directory: Path | None

    @asynccontextmanager
    async def export(self) -> AsyncIterator[Export]:
        """See `Upkeep.export`; writers wait while it begins."""
        with closing(Spool(self._spool_directory)) as spool:

            async def copy(transaction: Transaction) -> tuple[Row, Row]:
                return await _copy(self._scope.within(transaction), spool)

            clock, counted = await self._scope.graph.write(copy, timeout_s=WHOLE_S_MAX)
            cursors = _cursors_of(clock)
            counts = {kind: rows.number(node(counted)[kind.value]) for kind in RecordType}
            binding = binding_of(clock, "bound")
            key = TombstoneKey(rows.blob(node(clock)["tombstone_key"]))
            yield Export(cursors.revision, counts, binding, _pages(spool, key, cursors))

    async def import_batch(self, records: Sequence[Record]) -> None:
        """See `Upkeep.import_batch`."""
        await self._change(lambda tx, clock: put_records(tx, records, clock))

    async def requeue_embeddings(self, memory_ids: Sequence[str]) -> None:
        """See `Upkeep.requeue_embeddings`."""

        async def work(tx: ScopedTransaction, _: Clock) -> None:
            await tx.each("requeue_embeddings", memory_ids)

        await self._change(work)

    async def repair_topics(self, topic_ids: Sequence[str]) -> None:
        """See `Upkeep.repair_topics`."""

        async def work(tx: ScopedTransaction, clock: Clock) -> None:
            _advance(clock)
            await recompute_topics(tx, topic_ids, clock.revision)

        await self._change(work)

    async def binding(self) -> Binding | None:
        """See `Upkeep.binding`."""
        return await self._bound("bound")

    async def stage_embeddings(self, binding: Binding, embeddings: Mapping[str, Vectors]) -> None:
        """See `Upkeep.stage_embeddings`."""
        if await self._bound("staged") != binding:
            await remove_some(self._scope, "clear_some_staged")
        staged = [embedding_row(memory_id, vectors) for memory_id, vectors in embeddings.items()]
        await self._change(lambda tx, _: stage(tx, binding, staged))

    async def unstaged(self, binding: Binding, limit: int) -> Sequence[str]:
        """See `Upkeep.unstaged`."""
        same = await self._bound("staged") == binding
        found = await self._scope.read("list_unstaged", same=same, limit=limit)
        return [rows.text(node(row)["memory_id"]) for row in found]

    async def switch_embeddings(self, binding: Binding) -> int:
        """See `Upkeep.switch_embeddings`; one transaction, whose size the server's memory bounds.

        Raises:
            ResourceExhausted: the namespace is too large for it; nothing is changed.
        """

        async def work(tx: ScopedTransaction, clock: Clock) -> None:
            _advance(clock)
            await switch(tx, binding, clock.revision)

        return rows.number(node(await self._change(work, WHOLE_S_MAX))["revision"])

    async def _change(
        self,
        work: Callable[[ScopedTransaction, Clock], Awaitable[None]],
        timeout_s: float | None = None,
    ) -> Row:
        """Change something under both locks, once; answers the clock as it was put."""
        attempt = Attempt()

        async def once(transaction: Transaction) -> None:
            tx = self._scope.within(transaction)
            clock = await begin(tx, attempt)
            if clock is not None:
                await lock_embeddings(tx, attempt.commit_id)
                await work(tx, clock)
                await finish(tx, clock, attempt)

        await self._scope.graph.write(once, timeout_s=timeout_s)
        self._learn(attempt.row)
        return attempt.row

    async def _bound(self, place: str) -> Binding | None:
        (clock,) = await self._scope.read("get_clock")
        return binding_of(clock, place)

    def _learn(self, row: Row) -> None:
        raise NotImplementedError


async def remove_some(scope: NamespaceGraph, query: str, limit: int = REMOVED_AT_ONCE) -> None:
    """Run a named statement that removes up to `$limit` nodes until none is left."""
    removed = limit
    while removed == limit:
        (told,) = await scope.graph.write(
            lambda transaction: scope.within(transaction).run(query, limit=limit)
        )
        removed = rows.number(node(told)["count"])


async def discard(scope: NamespaceGraph) -> None:
    """Remove a namespace that no name leads to; it may stop at any step and be done again."""
    await scope.graph.write(lambda tx: scope.within(tx).run("close_clock"))
    await remove_some(scope, "discard_some_pieces", PIECES_REMOVED_AT_ONCE)
    await remove_some(scope, "discard_some")
    await scope.graph.write(lambda tx: scope.within(tx).run("discard_clock"))


def _advance(clock: Clock) -> None:
    """Take the next revision, since topics change."""
    clock.revision += 1
    clock.topics_revision = clock.revision


async def _copy(tx: ScopedTransaction, spool: Spool) -> tuple[Row, Row]:
    """Everything into the spool, under the locks; answers the clock, and what is counted apart."""
    clock = await lock_clock(tx, "export")
    await lock_embeddings(tx, "export")
    await spool.clear()
    for kind in _READERS:
        one_by_one = kind is RecordType.UPLOADS
        found = stream_uploads(tx) if one_by_one else tx.stream(f"all_{kind.value}")
        await _spool(spool, kind.value, found, 1 if one_by_one else PAGE_RECORDS)
    (counted,) = await tx.run("count_all")
    return clock, counted


async def _spool(spool: Spool, name: str, found: AsyncIterator[Row], at_once: int) -> None:
    """Records of one type into the spool, in pages."""
    page: list[Row] = []
    async for row in found:
        page.append(row)
        if len(page) == at_once:
            await spool.put(name, page)
            page = []
    if page:
        await spool.put(name, page)


async def _pages(
    spool: Spool, key: TombstoneKey, cursors: Cursors
) -> AsyncIterator[Sequence[Record]]:
    """Every record, the key before the first mark that is made with it."""
    before: Sequence[Record] = [key]
    async for name, page in spool.pages():
        kind = RecordType(name)
        records = [*map(_READERS[kind], page)]
        if kind in (RecordType.STUBS, RecordType.TOMBSTONES):
            records, before = [*before, *records], []
        yield records
    yield [cursors]


def _cursors_of(clock: Row) -> Cursors:
    told = node(clock)
    names = ("revision", "topics_revision", "assigned_revision")
    return Cursors(*(rows.number(told[name]) for name in names))


def _place_of(row: Row) -> TopicPlace:
    place = node(row)
    return TopicPlace(
        rows.text(place["memory_id"]), rows.text(place["topic_id"]), bool(place["held"])
    )


def _deletion_of(row: Row) -> Deletion:
    held = node(row)
    return Deletion(
        rows.text(held["memory_id"]), rows.number(held["revision"]), rows.text(held["scope"])
    )


_READERS: Mapping[RecordType, Callable[[Row], Record]] = {
    RecordType.WINGS: lambda row: rows.wing_of(node(row)),
    RecordType.SESSIONS: lambda row: rows.session_of(node(row)),
    RecordType.SEGMENTS: lambda row: segment_of(node(row)),
    RecordType.MEMORIES: kept_of,
    RecordType.STUBS: lambda row: stub_of(node(row)),
    RecordType.EVENTS: lambda row: rows.event_of(node(row)),
    RecordType.TOPICS: lambda row: rows.topic_of(node(row)),
    RecordType.TOPIC_MEMBERS: _place_of,
    RecordType.DELETIONS: _deletion_of,
    RecordType.ACTIVITIES: lambda row: activity_of(node(row), texts(row["memory_ids"])),
    RecordType.WORK: lambda row: work_of(node(row)),
    RecordType.TOMBSTONES: lambda row: Tombstone(bytes.fromhex(rows.text(node(row)["mark"]))),
    RecordType.USAGES: lambda row: usage_of(node(row)),
    RecordType.UPLOADS: lambda row: kept_upload_of(node(row)),
    RecordType.EDGES: lambda row: edge_of(node(row)),
    RecordType.COPIES: lambda row: copy_of(node(row)),
    RecordType.DOCUMENTS: lambda row: document_of(node(row)),
    RecordType.ENTITIES: lambda row: entity_of(node(row)),
    RecordType.MENTIONS: lambda row: mention_of(node(row)),
    RecordType.TELLINGS: lambda row: telling_of(node(row)),
    RecordType.FACT_VERSIONS: lambda row: version_of(node(row)),
    RecordType.REASONS: lambda row: reason_of(node(row)),
}
