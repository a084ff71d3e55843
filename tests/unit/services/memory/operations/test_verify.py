"""Each thing damaged on purpose: it is found, told by its kind, and mended if it is derived."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
import pytest

from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.memory import MemoryFilter
from anamnesis_memory.model.progress import Progress
from anamnesis_memory.operations.findings import Finding, FindingKind, Summary
from anamnesis_memory.operations.verify import Verification
from anamnesis_memory.runtime.indexing.follow import document_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from tests.support.embedders import SwitchedEmbedder
from tests.support.operators import Operated, operated
from tests.support.records import append, lesson

pytestmark = pytest.mark.slow

Damage = Callable[[Operated, OpenNamespace], Awaitable[None]]


async def verified(
    space: Operated, opened: OpenNamespace, *, repair: bool = False
) -> tuple[list[Finding], Summary]:
    """What a run finds, and its summary."""
    told = [one async for one in Verification(opened, space.snapshots, repair).run()]
    assert isinstance(told[-1], Summary)
    assert any(isinstance(one, Progress) for one in told)
    return [one for one in told if isinstance(one, Finding)], told[-1]


@asynccontextmanager
async def sound(directory: Path) -> AsyncIterator[tuple[Operated, OpenNamespace]]:
    """A namespace with everything in it, indexed."""
    async with operated(directory, SwitchedEmbedder()) as space:
        await space.fill("team")
        async with space.namespaces.reading("team") as opened:
            yield space, opened


async def sql(space: Operated, opened: OpenNamespace, statement: str, *values: bytes) -> None:
    """Change the file behind the store's back."""
    path = space.directory / "namespaces" / f"{opened.namespace.incarnation}.db"
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(5_000)
    connection.execute(statement, values)
    assert connection.changes() or "INSERT" in statement
    connection.close()


async def first_id(opened: OpenNamespace) -> str:
    return (await opened.store.list_memories(MemoryFilter(), None, 0, 1)).items[0].memory_id


async def test_nothing_is_wrong_with_what_is_sound(tmp_path: Path) -> None:
    async with sound(tmp_path) as (space, opened):
        findings, summary = await verified(space, opened)
        assert findings == []
        assert summary.records == {
            "wings": 1,
            "sessions": 1,
            "segments": 0,
            "memories": 7,
            "embeddings": 7,
            "stubs": 0,
            "events": 3,
            "topics": 1,
            "topic_members": 2,
            "deletions": 0,
            "activities": 0,
            "work": 2,
            "tombstones": 0,
            "usages": 0,
            "uploads": 0,
            "edges": 0,
            "copies": 0,
            "documents": 0,
            "entities": 0,
            "mentions": 0,
            "tellings": 0,
            "fact_versions": 0,
            "reasons": 0,
        }
        assert summary.revision == opened.store.revision


async def lose_from_index(_: Operated, opened: OpenNamespace) -> None:
    await opened.index.put([], [await first_id(opened)])


async def change_in_index(_: Operated, opened: OpenNamespace) -> None:
    (record,) = await opened.store.index_records([await first_id(opened)])
    document = replace(document_of(record), importance=0.123, agent_id="somebody")
    await opened.index.put([document], [])


async def change_text_in_index(_: Operated, opened: OpenNamespace) -> None:
    (record,) = await opened.store.index_records([await first_id(opened)])
    words = document_of(record).text.split()
    await opened.index.put([replace(document_of(record), text=" ".join(["x", *words[1:]]))], [])


async def change_vector_in_index(_: Operated, opened: OpenNamespace) -> None:
    (record,) = await opened.store.index_records([await first_id(opened)])
    document = document_of(record)
    assert document.vectors is not None
    await opened.index.put([replace(document, vectors=-document.vectors)], [])


async def add_to_index(_: Operated, opened: OpenNamespace) -> None:
    (record,) = await opened.store.index_records([await first_id(opened)])
    await opened.index.put([replace(document_of(record), memory_id="ghost")], [])


async def lose_vector(space: Operated, opened: OpenNamespace) -> None:
    await sql(space, opened, "DELETE FROM embeddings WHERE memory_no = 1")


async def shorten_vector(space: Operated, opened: OpenNamespace) -> None:
    packed = np.full(32, 0.01, np.float32).tobytes()
    await sql(space, opened, "UPDATE embeddings SET vectors = ? WHERE memory_no = 1", packed)


async def another_dimension(space: Operated, opened: OpenNamespace) -> None:
    packed = np.eye(1, 8, dtype=np.float32).tobytes()
    await sql(space, opened, "UPDATE embeddings SET vectors = ? WHERE memory_no = 1", packed)


async def miscount_topic(space: Operated, opened: OpenNamespace) -> None:
    await sql(space, opened, "UPDATE topics SET member_count = 9")


async def move_centroid(space: Operated, opened: OpenNamespace) -> None:
    packed = np.zeros(32, np.float32).tobytes()
    await sql(space, opened, "UPDATE topics SET centroid = ?", packed)


async def damage_snapshot(space: Operated, opened: OpenNamespace) -> None:
    await opened.save(space.snapshots)
    (path,) = (space.directory / "index").glob("*.idx")
    held = bytearray(path.read_bytes())
    held[-1] ^= 1
    path.write_bytes(held)


def _name(value: object) -> str:
    return getattr(value, "__name__", "")


REPAIRED = [
    (lose_from_index, {FindingKind.INDEX_MISSING, FindingKind.COUNT}),
    (change_in_index, {FindingKind.INDEX_DIFFERS}),
    (change_text_in_index, {FindingKind.INDEX_DIFFERS}),
    (change_vector_in_index, {FindingKind.INDEX_DIFFERS}),
    (add_to_index, {FindingKind.INDEX_SURPLUS, FindingKind.COUNT}),
    (lose_vector, {FindingKind.NOT_PENDING, FindingKind.INDEX_DIFFERS}),
    (shorten_vector, {FindingKind.VECTOR, FindingKind.INDEX_DIFFERS}),
    (another_dimension, {FindingKind.VECTOR, FindingKind.INDEX_DIFFERS}),
    (miscount_topic, {FindingKind.TOPIC}),
    (move_centroid, {FindingKind.TOPIC}),
    (damage_snapshot, {FindingKind.SNAPSHOT}),
]


@pytest.mark.parametrize(("damage", "kinds"), REPAIRED, ids=_name)
async def test_what_is_derived_is_found_and_mended(
    tmp_path: Path, damage: Damage, kinds: set[FindingKind]
) -> None:
    async with sound(tmp_path) as (space, opened):
        await damage(space, opened)
        counts = await opened.store.counts()
        found, summary = await verified(space, opened)
        assert {finding.kind for finding in found} == kinds
        assert summary.findings == len(found)
        assert summary.repaired == 0

        mended, summary = await verified(space, opened, repair=True)
        assert mended
        assert {finding.kind for finding in mended} <= kinds
        assert all(finding.repaired for finding in mended)
        assert summary.findings == summary.repaired == len(mended)
        await space.settle(opened)
        assert (await verified(space, opened))[0] == []
        after = await opened.store.counts()
        assert (after.by_kind, after.events) == (counts.by_kind, counts.events)
        assert after.pending_embeddings == 0


SEGMENT = "SELECT '{0}', '{1}', {2}, {3}, 'f', '', '', 'local', 0, 0, 1, 'new', '', NULL, '', ''"
ACTIVITY = "SELECT 1, 'a', '{0}', 0, '', 0, 0, 0, '[]', 'local'"
RECORDS = [
    ("UPDATE events SET memory_id = 'nobody' WHERE event_index = 1", FindingKind.LEDGER, 2),
    ("DELETE FROM events WHERE event_index = 1", FindingKind.LEDGER, 1),
    ("UPDATE sessions SET event_count = 5", FindingKind.SESSION, 1),
    ("UPDATE sessions SET revision = 99", FindingKind.REVISION, 1),
    ("DELETE FROM sessions", FindingKind.SESSION, 3),
    ("DELETE FROM sessions", FindingKind.WORK, 1),
    (f"INSERT INTO segments {SEGMENT.format('a', 's-1', 0, 3)}", FindingKind.SEGMENT, 1),
    (f"INSERT INTO segments {SEGMENT.format('a', 's-1', 2, 1)}", FindingKind.SEGMENT, 1),
    (f"INSERT INTO segments {SEGMENT.format('a', 's-9', 0, 0)}", FindingKind.SEGMENT, 1),
    (
        f"INSERT INTO segments {SEGMENT.format('a', 's-1', 0, 1)} "
        f"UNION ALL {SEGMENT.format('b', 's-1', 1, 2)}",
        FindingKind.SEGMENT,
        1,
    ),
    (f"INSERT INTO segments {SEGMENT.format('a', 's-1', 0, 2)}", FindingKind.SEGMENT, 0),
    (f"INSERT INTO activities {ACTIVITY.format('s-9')}", FindingKind.ACTIVITY, 1),
    (f"INSERT INTO activities {ACTIVITY.format('s-1')}", FindingKind.ACTIVITY, 0),
]


@pytest.mark.parametrize(("statement", "kind", "count"), RECORDS)
async def test_records_that_disagree_are_told_and_left_alone(
    tmp_path: Path, statement: str, kind: FindingKind, count: int
) -> None:
    async with sound(tmp_path) as (space, opened):
        await sql(space, opened, statement)
        found, _ = await verified(space, opened, repair=True)
        assert [finding.kind for finding in found].count(kind) == count
        assert not any(finding.repaired for finding in found)
        assert await verified(space, opened) == await verified(space, opened, repair=True)


async def test_an_index_with_many_faults_is_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anamnesis_memory.operations.verify_index.REBUILD_FAULTS_MIN", 2)
    async with sound(tmp_path) as (space, opened):
        ids = list(await opened.index.ids())
        await opened.index.put([], ids)
        found, summary = await verified(space, opened, repair=True)
        assert summary.index_rebuilt
        assert len(found) == len(ids) == opened.index.size
        assert all(finding.repaired for finding in found)
        assert (await verified(space, opened))[0] == []


async def test_writes_meanwhile_are_no_faults(tmp_path: Path) -> None:
    async with sound(tmp_path) as (space, opened):
        findings: list[Finding] = []
        run = Verification(opened, space.snapshots, repair=True).run()
        async for told in run:
            if isinstance(told, Finding):
                findings.append(told)
            elif isinstance(told, Progress) and opened.store.revision < 12:
                number = opened.store.revision
                await opened.store.commit(append("later", start=number, session_id="s-9"))
                await opened.store.commit(CreateMemories([lesson(f"new {number}")], [None]))
        assert findings == []
        await space.settle(opened)
        assert (await verified(space, opened))[0] == []


async def test_a_topic_that_mixes_who_may_see_it_is_told(tmp_path: Path) -> None:
    async with sound(tmp_path) as (space, opened):
        await sql(
            space,
            opened,
            "UPDATE memories SET visibility = 'private_to_user', user_id = 'ada' "
            "WHERE memory_no = 5",
        )
        found, _ = await verified(space, opened, repair=True)
        (topic,) = [finding for finding in found if finding.kind is FindingKind.TOPIC]
        assert "user:ada" in topic.description
        assert not topic.repaired


async def test_an_activity_that_names_what_is_gone_is_told(tmp_path: Path) -> None:
    async with sound(tmp_path) as (space, opened):
        await sql(space, opened, f"INSERT INTO activities {ACTIVITY.format('s-1')}")
        known = (await opened.store.list_memories(MemoryFilter(), None, 0, 9)).items[-1]
        taught = "INSERT INTO activity_memories VALUES (1, 'a', 0, ?)"
        await sql(space, opened, taught.replace("?", f"'{known.memory_id}'"))
        assert (await verified(space, opened))[0] == []
        await sql(space, opened, "UPDATE activity_memories SET memory_id = 'nobody'")
        (found,) = (await verified(space, opened, repair=True))[0]
        assert (found.kind, found.id, found.repaired) == (FindingKind.ACTIVITY, "a", False)
        assert "nobody" in found.description
