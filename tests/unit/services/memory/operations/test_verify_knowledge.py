"""Facts, names and reviews, damaged on purpose: it is told. And what older exports lack of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.memories.editing.update import MemoryEdit
from anamnesis_memory.operations.findings import FindingKind
from anamnesis_memory.ports.upkeep import RecordType
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from tests.contract.test_facts_erased import retract
from tests.support.clock import SetClock
from tests.support.embedders import SwitchedEmbedder
from tests.support.operators import Operated, operated
from tests.support.stating import change, faults, reviewed, said, stated, tell, versions
from tests.unit.services.memory.operations.test_export_import import lines_of, sealed
from tests.unit.services.memory.operations.test_verify import sql, verified

pytestmark = pytest.mark.slow

KNOWN = {"entity", "mention", "telling", "fact_version", "reason"}
KINDS = (
    *(RecordType.ENTITIES, RecordType.MENTIONS, RecordType.TELLINGS),
    *(RecordType.FACT_VERSIONS, RecordType.REASONS),
)


@asynccontextmanager
async def knowing(directory: Path) -> AsyncIterator[tuple[Operated, OpenNamespace]]:
    """Porto closed by Lyon, what was derived from it, and Ghent, which was taken back."""
    clock = SetClock()
    async with operated(directory, SwitchedEmbedder(), clock=clock) as space:
        await space.fill("team")
        async with space.namespaces.writing("team") as opened:
            porto = (await tell(opened.store, said("Porto", 0, persons=["Nadezhda"]))).memory
            likes = said("Porto FC", predicate="likes", sources=[porto.memory_id])
            await tell(opened.store, likes)
            clock.move(days=1)
            await tell(opened.store, said("Lyon", 1))
            clock.move(days=1)
            await tell(opened.store, said("lyon", 1, user="bob"))
            ghent = (await tell(opened.store, said("Ghent", 2))).memory
            clock.move(days=1)
            await retract(opened.store, ghent)
            await space.settle(opened)
            yield space, opened


async def test_what_is_known_is_sound(tmp_path: Path) -> None:
    async with knowing(tmp_path) as (space, opened):
        findings, summary = await verified(space, opened)
        assert findings == []
        assert [summary.records[kind] for kind in KINDS] == [6, 10, 5, 7, 1]


@pytest.mark.parametrize(
    ("statement", "kind", "told"),
    [
        ("DELETE FROM fact_tellings WHERE object LIKE 'Lyon'", FindingKind.FACT, "by nobody"),
        (
            "DELETE FROM fact_versions WHERE object = 'Lyon' AND known_to_us IS NULL",
            FindingKind.FACT,
            "has 0 current versions",
        ),
        (
            "UPDATE fact_versions SET known_to_us = NULL WHERE object = 'Lyon'",
            FindingKind.FACT,
            "has 3 current versions",
        ),
        (
            "UPDATE fact_versions SET known_to_us = NULL WHERE object = 'Ghent'",
            FindingKind.FACT,
            "is taken back, and has 1 current version",
        ),
        (
            "UPDATE fact_tellings SET known_to_us = NULL WHERE object = 'Ghent'",
            FindingKind.FACT,
            "is taken back, and told",
        ),
        (
            "UPDATE fact_versions SET fact_id = 'nothing' WHERE object = 'Ghent'",
            FindingKind.FACT,
            "no memory holds it",
        ),
        (
            "UPDATE entity_names SET mention_count = 9 WHERE name = 'Nadia'",
            FindingKind.ENTITY,
            "9 times, memories mention it 4 times",
        ),
        ("DELETE FROM mentions WHERE name = 'Nadezhda'", FindingKind.ENTITY, "has no name"),
        ("DELETE FROM review_reasons", FindingKind.REVIEW, "nothing says why"),
        (
            "UPDATE review_reasons SET ground_id = 'nobody'",
            FindingKind.REVIEW,
            "nobody is not there",
        ),
        (
            "UPDATE memories SET needs_review = 0 WHERE needs_review = 1",
            FindingKind.REVIEW,
            "does not say needs_review",
        ),
    ],
)
async def test_what_does_not_agree_is_told_and_left_alone(
    tmp_path: Path, statement: str, kind: FindingKind, told: str
) -> None:
    async with knowing(tmp_path) as (space, opened):
        await sql(space, opened, statement)
        findings, _ = await verified(space, opened, repair=True)
        assert any(told in one.description for one in findings), findings
        assert {(one.kind, one.repaired) for one in findings} == {(kind, False)}


async def test_a_copy_of_a_namespace_knows_the_same(tmp_path: Path) -> None:
    async with knowing(tmp_path) as (space, opened):
        content = await space.exported("team")
        assert {line["type"] for line in lines_of(content)} >= KNOWN
        await space.imported("copy", content)
        assert lines_of(await space.exported("copy"))[1:-1] == lines_of(content)[1:-1]
        async with space.namespaces.writing("copy") as copied:
            assert await versions(copied.store) == await versions(opened.store)
            assert not await faults(copied.store, SwitchedEmbedder.dimension)
            await tell(copied.store, said("Ghent", 0, user="bob"))
            assert "shared Porto 0..1 zarela 0.80 !x" in await stated(copied.store)
            assert not await faults(copied.store, SwitchedEmbedder.dimension)


def of_before(lines: list[dict[str, object]]) -> bytes:
    """The same as a version wrote it that knew nothing of facts but their memories."""
    kinds = {kind.value for kind in KINDS}
    kept = [line for line in lines if line["type"] not in KNOWN]
    for line in kept:
        if isinstance(part := line.get("part"), dict) and "subject" in part:
            for name in ("fact_id", "source", "single_valued", "superseded", "contradicted"):
                del part[name]
            del part["retracted"]
        if isinstance(counts := line.get("counts"), dict):
            line["counts"] = {key: count for key, count in counts.items() if key not in kinds}
    return sealed([{**kept[0], "version": 3}, *kept[1:]])


async def test_what_an_export_of_before_wants_reviewed_has_a_reason(tmp_path: Path) -> None:
    async with knowing(tmp_path) as (space, _):
        await space.imported("copy", of_before(lines_of(await space.exported("team"))))
        async with space.namespaces.writing("copy") as copied:
            async with copied.store.export() as export:
                records = [one async for page in export.pages for one in page]
            (reason,) = (one for one in records if isinstance(one, ReviewReason))
            assert reason == ReviewReason.own(reason.memory_id)
            assert await reviewed(copied.store, [reason.memory_id]) == [True]
            assert await stated(copied.store), "facts are told anew"
            assert not await faults(copied.store, SwitchedEmbedder.dimension)
            await change(copied.store, reason.memory_id, "zarela", MemoryEdit(needs_review=False))
            assert await reviewed(copied.store, [reason.memory_id]) == [False]
            assert not await faults(copied.store, SwitchedEmbedder.dimension)
