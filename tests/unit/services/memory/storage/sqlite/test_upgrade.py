"""What becomes of the file of a namespace that knew of no edges, vitals and triggers."""

import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from anamnesis_libs.clock import SystemClock
from anamnesis_libs.storage.sqlite import connect
from anamnesis_memory.memories.policy import POLICY_KEY, policy_of
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import MemoryFilter, Visibility
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports.knowledge import FactWhere
from anamnesis_memory.storage.group_commit import DEFAULT_BOUNDS
from anamnesis_memory.storage.sqlite.namespace import MIGRATIONS, SqliteNamespace

MEMORY = (
    "INSERT INTO memories VALUES (?, ?, ?, '', ?, '', '', '[]', '[]', 0.5, 0.8, 'warm', ?,"
    " 'shared', '', '', '', NULL, NULL, 5, 7, 1, '{\"origin\": \"asserted\"}', 'asserted', '',"
    " 2, 0, 0, ?)"
)
SESSION = (
    "INSERT INTO sessions VALUES ('s-1', '', 'ada', '', '', 'open', 'shared', 1, 2, 0, 0, 1,"
    " NULL, NULL, 5, 7, 1, 0)"
)
SOURCES = ["m-1", "gone", "m-1"]
FACT: dict[str, object] = {
    "subject": "s",
    "predicate": "p",
    "object": "o",
    "source_memory_ids": SOURCES,
}
FACT["fact_id"] = "f-1"  # one that was learned before lines were kept
LESSON = {"title": "t", "evidence_memory_ids": ["m-2", "m-3"]}
PROCEDURE = {"name": "n", "trigger_tags": ["Straße", "Deploy", "deploy"]}


def fill(old: apsw.Connection) -> None:
    """Four memories and a session as an older version stored them."""
    old.execute(SESSION)
    parts = (None, FACT, LESSON, PROCEDURE)
    kinds = ("learning", "semantic", "learning", "procedural")
    for number, (kind, part) in enumerate(zip(kinds, parts, strict=True), start=1):
        packed = None if part is None else json.dumps(part)
        status = "archived" if number == 1 else "active"
        old.execute(MEMORY, (number, f"m-{number}", kind, f"text {number}", status, packed))


@pytest.fixture
async def upgraded(tmp_path: Path) -> AsyncIterator[SqliteNamespace]:
    """The namespace of a file of an older version."""
    old = connect(tmp_path / "old.db", MIGRATIONS[:6])
    fill(old)
    old.close()
    with ThreadPoolExecutor(2) as threads:
        store = await SqliteNamespace.open(
            tmp_path / "old.db", threads, SystemClock(), DEFAULT_BOUNDS
        )
        yield store
        await store.close()


async def test_memories_are_as_new_ones_but_for_what_is_known(upgraded: SqliteNamespace) -> None:
    one, two, *_ = await upgraded.memories(["m-1", "m-2", "m-3", "m-4"], None)
    assert (one.archive_time_us, two.archive_time_us) == (7, None)
    vitals = (two.last_hit_us, two.stability_days, two.review_us, two.centrality)
    assert vitals == (None, 0.0, 0, 0.0)
    assert (two.hit_count, two.content) == (2, "text 2")


async def test_what_it_held_stays_shared_until_somebody_decides(
    upgraded: SqliteNamespace,
) -> None:
    policy = policy_of(await upgraded.document(POLICY_KEY))
    assert (policy.visibility, policy.undecided) == (Visibility.SHARED, True)


async def test_an_empty_namespace_has_nothing_to_keep_shared(tmp_path: Path) -> None:
    connect(tmp_path / "empty.db", MIGRATIONS[:6]).close()
    with ThreadPoolExecutor(2) as threads:
        store = await SqliteNamespace.open(
            tmp_path / "empty.db", threads, SystemClock(), DEFAULT_BOUNDS
        )
        assert await store.document(POLICY_KEY) is None
        await store.close()


async def test_what_was_derived_is_linked_to_its_sources(upgraded: SqliteNamespace) -> None:
    edges = await upgraded.list_edges((), None, 9)
    derived = EdgeType.DERIVED_FROM
    assert [(one.source_id, one.type, one.target_id) for one in edges] == [
        ("m-2", derived, "m-1"),
        ("m-3", derived, "m-2"),
    ]
    assert {(one.weight, one.create_time_us, one.detail) for one in edges} == {(1.0, 5, "")}


async def test_procedures_are_found_by_their_triggers(upgraded: SqliteNamespace) -> None:
    for word in ("STRASSE", "deploy"):
        listed = await upgraded.list_memories(MemoryFilter(triggers=(word,)), None, 0, 9)
        assert [memory.memory_id for memory in listed.items] == ["m-4"]
    assert not (await upgraded.list_memories(MemoryFilter(tags=("deploy",)), None, 0, 9)).items


async def test_facts_of_before_stand_on_no_line(upgraded: SqliteNamespace) -> None:
    assert not await upgraded.list_facts(FactWhere(), None, None, 9)
    assert not await upgraded.list_entities(None, None, "", 9)
    (fact,) = await upgraded.memories(["m-2"], None)
    assert isinstance(fact.part, Fact)
    assert fact.part.fact_id == ""


async def test_sessions_of_before_are_of_no_project(upgraded: SqliteNamespace) -> None:
    session = await upgraded.session("s-1")
    assert session is not None
    assert (session.project, session.expired_before_index) == ("", 0)
    (room,) = await upgraded.rooms_of_wing(1, None, 0, 9)
    assert (room.session_id, room.room, room.drawers) == ("s-1", 2, 0)
