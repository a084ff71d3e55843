"""Edges and copies, damaged on purpose: it is told, and left alone. And what older exports lack."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.operations.findings import FindingKind
from anamnesis_memory.ports import WriteSet
from anamnesis_memory.ports.upkeep import RecordType
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from tests.support.embedders import SwitchedEmbedder
from tests.support.life import copy, document, edge, everything, put, stated
from tests.support.operators import Operated, operated
from tests.support.records import lesson
from tests.unit.services.memory.operations.test_export_import import lines_of, sealed
from tests.unit.services.memory.operations.test_verify import sql, verified

LIFE = {"edge", "copy", "document"}
NEW_TYPES = {"edges", "copies", "documents"}
NEW_FIELDS = (
    *("archive_time_us", "last_hit_us", "stability_days", "review_us", "centrality"),
    "digest",
)


@asynccontextmanager
async def living(directory: Path) -> AsyncIterator[tuple[Operated, OpenNamespace]]:
    """A namespace with an edge, a copy, a document, and a fact with two sources."""
    async with operated(directory, SwitchedEmbedder()) as space:
        await space.fill("team")
        async with space.namespaces.writing("team") as opened:
            one, two, *_ = await everything(opened.store)
            fact = stated("plums are blue", one.memory_id, two.memory_id, "gone")
            edits = WriteSet(
                memories=(fact,),
                edges=(edge(one.memory_id, two.memory_id),),
                copies=(copy("c-1", one.memory_id, lesson("as it was")),),
                documents=(document("a"),),
            )
            await put(opened.store, edits)
            await space.settle(opened)
            yield space, opened


async def test_what_hangs_on_memories_is_sound(tmp_path: Path) -> None:
    async with living(tmp_path) as (space, opened):
        findings, summary = await verified(space, opened)
        assert findings == []
        kinds = (RecordType.EDGES, RecordType.COPIES, RecordType.DOCUMENTS)
        assert [summary.records[kind] for kind in kinds] == [1, 1, 1]


@pytest.mark.parametrize(
    ("statement", "kind", "named"),
    [
        ("UPDATE edges SET source_id = 'nobody'", FindingKind.EDGE, "nobody similar_to "),
        ("UPDATE edges SET target_id = 'nobody'", FindingKind.EDGE, " similar_to nobody"),
        ("UPDATE copies SET memory_id = 'nobody'", FindingKind.COPY, "c-1"),
    ],
)
async def test_what_hangs_on_nothing_is_told_and_left_alone(
    tmp_path: Path, statement: str, kind: FindingKind, named: str
) -> None:
    async with living(tmp_path) as (space, opened):
        await sql(space, opened, statement)
        (found,), _ = await verified(space, opened, repair=True)
        assert (found.kind, found.repaired) == (kind, False)
        assert named in found.id
        assert "nobody" in found.description


async def test_a_copy_of_a_namespace_has_what_hangs_on_its_memories(tmp_path: Path) -> None:
    async with living(tmp_path) as (space, opened):
        content = await space.exported("team")
        assert {line["type"] for line in lines_of(content)} >= LIFE
        await space.imported("copy", content)
        again = await space.exported("copy")
        assert lines_of(again)[1:-1] == lines_of(content)[1:-1]
        assert len(await opened.store.list_edges((), None, 9)) == 1


def of_before(lines: list[dict[str, object]]) -> bytes:
    """The same as a version wrote it that knew of no edges."""
    kept = [line for line in lines if line["type"] not in LIFE]
    for line in kept:
        if line["type"] == "memory":
            for name in NEW_FIELDS:
                del line[name]
        if isinstance(counts := line.get("counts"), dict):
            line["counts"] = {key: count for key, count in counts.items() if key not in NEW_TYPES}
    return sealed([{**kept[0], "version": 2}, *kept[1:]])


async def test_an_export_of_before_is_read_and_its_facts_get_edges(tmp_path: Path) -> None:
    async with living(tmp_path) as (space, opened):
        await space.imported("copy", of_before(lines_of(await space.exported("team"))))
        (*_, fact) = await everything(opened.store)
        async with space.namespaces.reading("copy") as copied:
            edges = await copied.store.list_edges((), None, 9)
            assert [one.type for one in edges] == [EdgeType.DERIVED_FROM] * 2
            assert {one.source_id for one in edges} == {fact.memory_id}
            texts = [
                [one.content for one in await everything(store)]
                for store in (copied.store, opened.store)
            ]
            assert texts[0] == texts[1]
