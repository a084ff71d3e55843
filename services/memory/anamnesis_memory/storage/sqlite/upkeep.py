"""A whole namespace in SQLite: read at one revision, put as it was, bound to another model."""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import islice

import apsw

from anamnesis_libs.errors import Conflict
from anamnesis_libs.storage.sqlite import Database, Snapshot
from anamnesis_memory.model.memory import Vectors
from anamnesis_memory.ports.upkeep import (
    Binding,
    Cursors,
    Deletion,
    Export,
    KeptMemory,
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
from anamnesis_memory.storage.pipeline_rows import activity_of, segment_of, usage_of, work_of
from anamnesis_memory.storage.sqlite.imports import CURSORS, put_record
from anamnesis_memory.storage.sqlite.queries import QUERIES as NAMESPACE_QUERIES
from anamnesis_memory.storage.sqlite.queries import statements
from anamnesis_memory.storage.sqlite.topics import recompute_topic
from anamnesis_memory.storage.sqlite.writes import get_meta, memory_no, set_meta
from anamnesis_memory.storage.stub_rows import stub_of
from anamnesis_memory.storage.upload_rows import kept_upload_of

QUERIES = {**NAMESPACE_QUERIES, **statements("upkeep")}

PAGE_RECORDS = 500
_PAGES = {"all_uploads": 1}
"""Of what may have MiBs each."""


class SqliteUpkeep:
    """Implements `Upkeep` but for what embeds; a part of `SqliteNamespace`."""

    _database: Database
    _revision: int

    @asynccontextmanager
    async def export(self) -> AsyncIterator[Export]:
        """See `Upkeep.export`."""
        async with self._database.snapshot() as snapshot:
            counts, cursors = await snapshot.read(lambda c: (_counts(c), _cursors(c)))
            binding = await snapshot.read(lambda c: _binding(c, "current"))
            yield Export(cursors.revision, counts, binding, _pages(snapshot, cursors))

    async def import_batch(self, records: Sequence[Record]) -> None:
        """See `Upkeep.import_batch`."""

        def work(connection: apsw.Connection) -> int:
            for record in records:
                put_record(connection, QUERIES, record)
            return get_meta(connection, QUERIES, "revision")

        self._revision = await self._database.write(work)

    async def requeue_embeddings(self, memory_ids: Sequence[str]) -> None:
        """See `Upkeep.requeue_embeddings`."""

        def work(connection: apsw.Connection) -> None:
            for memory_id in memory_ids:
                number = memory_no(connection, QUERIES, memory_id)
                if number is not None:
                    key: rows.Bindings = {"memory_no": number}
                    connection.execute(QUERIES["delete_embedding"], key)
                    connection.execute(QUERIES["put_pending"], key)

        await self._database.write(work)

    async def repair_topics(self, topic_ids: Sequence[str]) -> None:
        """See `Upkeep.repair_topics`."""
        await self._advance(lambda c, revision: _recompute(c, topic_ids, revision))

    async def binding(self) -> Binding | None:
        """See `Upkeep.binding`."""
        return await self._database.read(lambda c: _binding(c, "current"))

    async def stage_embeddings(self, binding: Binding, embeddings: Mapping[str, Vectors]) -> None:
        """See `Upkeep.stage_embeddings`."""

        def work(connection: apsw.Connection) -> None:
            if _binding(connection, "staged") != binding:
                connection.execute(QUERIES["clear_staged"])
                _bind(connection, "staged", binding)
            for memory_id, vectors in embeddings.items():
                number = memory_no(connection, QUERIES, memory_id)
                if number is not None:
                    row = rows.embedding_row(number, vectors)
                    connection.execute(QUERIES["put_staged"], row)

        await self._database.write(work)

    async def unstaged(self, binding: Binding, limit: int) -> Sequence[str]:
        """See `Upkeep.unstaged`."""

        def work(connection: apsw.Connection) -> list[str]:
            same = _binding(connection, "staged") == binding
            query = QUERIES["list_unstaged" if same else "list_oldest"]
            return [rows.text(found) for (found,) in connection.execute(query, {"limit": limit})]

        return await self._database.read(work)

    async def switch_embeddings(self, binding: Binding) -> int:
        """See `Upkeep.switch_embeddings`."""
        return await self._advance(lambda c, revision: _switch(c, binding, revision))

    async def _advance(self, work: Callable[[apsw.Connection, int], None]) -> int:
        """Run work that takes the next revision, for topics change with it."""

        def step(connection: apsw.Connection) -> int:
            revision = get_meta(connection, QUERIES, "revision") + 1
            work(connection, revision)
            set_meta(connection, QUERIES, "revision", revision)
            set_meta(connection, QUERIES, "topics_revision", revision)
            return revision

        revision = await self._database.write(step)
        self._revision = max(self._revision, revision)
        return revision


async def _pages(snapshot: Snapshot, cursors: Cursors) -> AsyncIterator[Sequence[Record]]:
    """Every record; a page of a type is read on from the cursor of the page before."""
    for query, record_of in _READERS:
        found = await snapshot.read(lambda c, query=query: c.execute(QUERIES[query]))  # type: ignore[misc]
        limit = _PAGES.get(query, PAGE_RECORDS)
        while page := await snapshot.read(lambda _, c=found, n=limit: _some(c, n)):  # type: ignore[misc]
            yield [record_of(row) for row in page]
    yield [cursors]


def _some(cursor: apsw.Cursor, limit: int) -> list[rows.Record]:
    """The next rows of a cursor, as mappings."""
    first = cursor.fetchone()
    if first is None:
        return []
    names = [str(column[0]) for column in cursor.get_description()]
    page = (first, *islice(cursor, limit - 1))
    return [dict(zip(names, row, strict=True)) for row in page]


def _counts(connection: apsw.Connection) -> dict[RecordType, int]:
    (found,) = connection.execute(QUERIES["count_all"])
    return {kind: rows.number(count) for kind, count in zip(RecordType, found, strict=True)}


def _cursors(connection: apsw.Connection) -> Cursors:
    return Cursors(*(get_meta(connection, QUERIES, key) for key in CURSORS))


def _key_of(row: rows.Record) -> TombstoneKey:
    return TombstoneKey(rows.blob(row["key"]))


def _kept_of(row: rows.Record) -> KeptMemory:
    vectors = None if row["vectors"] is None else rows.vectors_of(row["pieces"], row["vectors"])
    digest = b"" if row["digest"] is None else rows.blob(row["digest"])
    return KeptMemory(rows.memory_of(row), vectors, bool(row["pending"]), digest)


_READERS: Sequence[tuple[str, Callable[[rows.Record], Record]]] = (
    ("all_wings", rows.wing_of),
    ("all_sessions", rows.session_of),
    ("all_segments", segment_of),
    ("all_memories", _kept_of),
    ("key_of_stubs", _key_of),
    ("all_stubs", stub_of),
    ("all_events", rows.event_of),
    ("all_topics", rows.topic_of),
    (
        "all_topic_members",
        lambda row: TopicPlace(
            rows.text(row["memory_id"]), rows.text(row["topic_id"]), bool(row["held"])
        ),
    ),
    (
        "all_deletions",
        lambda row: Deletion(
            rows.text(row["memory_id"]), rows.number(row["revision"]), rows.text(row["scope"])
        ),
    ),
    (
        "all_activities",
        lambda row: activity_of(row, json.loads(rows.text(row["memory_ids"]))),
    ),
    ("all_work", work_of),
    ("key_of_tombstones", _key_of),
    ("all_tombstones", lambda row: Tombstone(rows.blob(row["mark"]))),
    ("all_usages", usage_of),
    ("all_uploads", kept_upload_of),
    ("all_edges", edge_of),
    ("all_copies", copy_of),
    ("all_documents", document_of),
    ("all_entities", entity_of),
    ("all_mentions", mention_of),
    ("all_tellings", telling_of),
    ("all_versions", version_of),
    ("all_reasons", reason_of),
)


def _recompute(
    connection: apsw.Connection,
    topic_ids: Sequence[str],
    revision: int,
    dimension: int | None = None,
) -> None:
    for topic_id in topic_ids:
        count = connection.execute(QUERIES["count_topic_members"], {"topic_id": topic_id}).get
        recompute_topic(connection, QUERIES, topic_id, rows.number(count), revision, dimension)


def _binding(connection: apsw.Connection, place: str) -> Binding | None:
    found = connection.execute(QUERIES["get_binding"], {"place": place}).fetchone()
    return None if found is None else Binding(rows.text(found[0]), rows.number(found[1]))


def _bind(connection: apsw.Connection, place: str, binding: Binding) -> None:
    row: rows.Bindings = {"place": place, "model": binding.model, "dimension": binding.dimension}
    connection.execute(QUERIES["put_binding"], row)


def _switch(connection: apsw.Connection, binding: Binding, revision: int) -> None:
    """The tables change places, which takes no time however many vectors there are."""
    if _binding(connection, "staged") != binding:
        connection.execute(QUERIES["clear_staged"])
    left = rows.number(connection.execute(QUERIES["count_left_behind"]).get)
    if left:
        raise Conflict(
            f"{left} memories have no vector of {binding.model!r} yet",
            metadata={"resource": "embeddings"},
        )
    for statement in ("drop_embeddings", "use_staged", "make_staged", "clear_copied_vectors"):
        connection.execute(QUERIES[statement])
    connection.execute(QUERIES["delete_binding"], {"place": "staged"})
    _bind(connection, "current", binding)
    connection.execute(QUERIES["clear_embedded_pending"])
    connection.execute(QUERIES["put_missing_pending"])
    topics = [rows.text(found) for (found,) in connection.execute(QUERIES["all_topic_ids"])]
    _recompute(connection, topics, revision, binding.dimension)
