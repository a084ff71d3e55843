"""What a change of visibility reaches, read from a store: sources, and all that was derived."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.editing import relatives
from anamnesis_memory.memories.editing.relatives import relatives_of
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Kind, Memory, Namespace, Visibility
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports import NamespaceStore, WriteSet
from tests.support.clock import SetClock
from tests.support.fake_store import Disk, FakeStores
from tests.support.life import edge, put
from tests.support.records import BASE_US, DIMENSION, lesson

SHARED, MINE = Visibility.SHARED, Visibility.PRIVATE_TO_USER


@pytest.fixture
async def store() -> AsyncIterator[NamespaceStore]:
    """An open, empty namespace."""
    stores = FakeStores(Disk(), SetClock())
    opened = await stores.open(
        Namespace("n", new_incarnation(BASE_US), BASE_US, "model", DIMENSION)
    )
    yield opened
    await opened.close()
    await stores.close()


async def kept(store: NamespaceStore, *names: str) -> list[Memory]:
    """Memories of these texts."""
    made = [lesson(name) for name in names]
    await store.commit(CreateMemories(made, [None] * len(made)))
    return made


async def taken(store: NamespaceStore, *pairs: tuple[Memory, Memory]) -> None:
    """The first of each pair was taken from the second."""
    edges = (edge(a.memory_id, b.memory_id, EdgeType.DERIVED_FROM) for a, b in pairs)
    await put(store, WriteSet(edges=tuple(edges)))


async def test_narrowing_reaches_all_that_was_derived_however_far(store: NamespaceStore) -> None:
    root, child, twin, grandchild, other = await kept(store, "a", "b", "c", "d", "e")
    await taken(
        store, (child, root), (twin, root), (grandchild, child), (grandchild, twin), (root, other)
    )
    found = await relatives_of(store, root, MINE)
    assert len(found.derived) == 3
    assert {*found.derived} == {one.memory_id for one in (child, twin, grandchild)}


async def test_only_what_was_derived_is_reached(store: NamespaceStore) -> None:
    root, alike = await kept(store, "a", "b")
    await put(store, WriteSet(edges=(edge(alike.memory_id, root.memory_id, EdgeType.SIMILAR_TO),)))
    assert (await relatives_of(store, root, MINE)).derived == ()


async def test_a_ring_ends(store: NamespaceStore) -> None:
    one, two = await kept(store, "a", "b")
    await taken(store, (one, two), (two, one))
    assert {*(await relatives_of(store, one, MINE)).derived} == {one.memory_id, two.memory_id}


async def test_widening_asks_for_sources_alone(store: NamespaceStore) -> None:
    root, child = await kept(store, "a", "b")
    await taken(store, (child, root))
    fact = Fact("ada", "keeps", "bees", source_memory_ids=("m-1", "m-2"))
    wider = replace(root, kind=Kind.SEMANTIC, part=fact)
    found = await relatives_of(store, wider, SHARED)
    assert (found.sources, found.derived) == (("m-1", "m-2"), ())


async def test_what_a_segment_taught_has_its_session_among_its_sources(
    store: NamespaceStore,
) -> None:
    stated = replace(lesson("a"), session_id="s-1")
    taught = replace(stated, provenance=replace(stated.provenance, segment_id="g"))
    assert (await relatives_of(store, stated, MINE)).session_id == ""
    assert (await relatives_of(store, taught, MINE)).session_id == "s-1"


@pytest.mark.parametrize("bound", ["DERIVED_MAX", "EDGES_MAX"])
async def test_more_than_one_write_may_change_is_refused(
    store: NamespaceStore, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    root, *children = await kept(store, "a", "b", "c", "d")
    await taken(store, *((child, root) for child in children))
    monkeypatch.setattr(relatives, bound, 4)
    assert len((await relatives_of(store, root, MINE)).derived) == 3
    monkeypatch.setattr(relatives, bound, 2)
    with pytest.raises(InvalidArgument, match="cannot be narrowed"):
        await relatives_of(store, root, MINE)
    assert (await relatives_of(store, root, SHARED)).derived == ()
