"""Lists of facts on every backend: as of a time, as known at a time, of whom, and by place."""

from dataclasses import replace

import pytest

from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.versions import FactVersion
from anamnesis_memory.ports import NamespaceStore, WriteSet
from anamnesis_memory.ports.knowledge import FactPlace, FactWhere
from tests.support.knowing import entity, fact, mention, telling, version
from tests.support.life import put

PORTO = telling("m-1", "Porto", Interval(None, 200))
LYON = telling("m-2", "Lyon", Interval(200, 300))
ROME = telling("m-3", "Rome", Interval(300))
ALWAYS = telling("m-4", "Human", predicate="is a")
BOBS = telling("m-5", "PORTO", Interval(100, 300), subject="Bob", scope="user:bob")
EVERY = (PORTO, LYON, ROME, ALWAYS, BOBS)


async def fill(store: NamespaceStore) -> None:
    """Facts that are current, but for one that was known from 5 to 8 and otherwise since."""
    held = {one.telling_id: fact(one) for one in EVERY}
    versions = [version(one) for one in EVERY if one is not ROME]
    closed = replace(version(ROME, 8).state, interval=Interval(300, 400))
    versions += [version(ROME, 5, 8), FactVersion(closed, 8)]
    names = (
        mention(held["m-2"].memory_id, "e-1", "Ada"),
        mention(held["m-5"].memory_id, "e-2", "Bob", scope="user:bob"),
        mention(held["m-1"].memory_id, "e-2", "Bob"),
        mention(held["m-1"].memory_id, "e-2", "Bobby"),
    )
    edits = WriteSet(
        memories=tuple(held.values()),
        fact_versions=tuple(versions),
        entities=(entity("e-1"), entity("e-2")),
        mentions=names,
    )
    await put(store, edits)


async def listed(
    store: NamespaceStore, where: FactWhere, scopes: tuple[str, ...] | None = None
) -> str:
    """The first letters of the objects, in order."""
    found = await store.list_facts(where, scopes, None, 100)
    return "".join(one.state.statement.object[0] for one in found)


async def test_facts_are_listed_by_beginning_and_end(store: NamespaceStore) -> None:
    assert await listed(store, FactWhere()) == ""
    await fill(store)
    found = await store.list_facts(FactWhere(), None, None, 100)
    assert [one.state.interval for one in found] == [
        Interval(None, 200),
        Interval(),
        Interval(100, 300),
        Interval(200, 300),
        Interval(300, 400),
    ]
    assert found[0] == version(PORTO)


async def test_a_list_goes_on_behind_a_place(store: NamespaceStore) -> None:
    await fill(store)
    scopes = ("shared", "user:x")
    twins = [telling(f"twin-{one}", "Oslo", Interval(50, 60), scope=one) for one in scopes]
    await put(
        store,
        WriteSet(memories=tuple(map(fact, twins)), fact_versions=tuple(map(version, twins))),
    )
    whole = list(await store.list_facts(FactWhere(), None, None, 100))
    assert len(whole) == 7
    found: list[FactVersion] = []
    after: FactPlace | None = None
    while page := await store.list_facts(FactWhere(), None, after, 2):
        found += page
        state = page[-1].state
        after = FactPlace(
            state.interval.first_us, state.interval.after_us, state.statement.key, state.fact_id
        )
    assert found == whole


@pytest.mark.parametrize(
    ("where", "objects"),
    [
        (FactWhere(subjects=("ada",)), "PHLR"),
        (FactWhere(subjects=("ada", "bob", "eve")), "PHPLR"),
        (FactWhere(subjects=("Ada",)), ""),
        (FactWhere(predicates=("lives in",)), "PPLR"),
        (FactWhere(predicates=("is a",)), "H"),
        (FactWhere(predicates=("is a", "lives in")), "PHPLR"),
        (FactWhere(object="porto"), "PP"),
        (FactWhere(object="porto", predicates=("is a",)), ""),
        (FactWhere(subjects=("ada",), object="porto", predicates=("lives in",)), "P"),
        (FactWhere(as_of_us=199), "PHP"),
        (FactWhere(as_of_us=200), "HPL"),
        (FactWhere(as_of_us=300), "HR"),
        (FactWhere(as_of_us=400), "H"),
        (FactWhere(as_of_us=-(2**62)), "PH"),
        (FactWhere(as_of_us=400, known_at_us=7), "HR"),
        (FactWhere(as_of_us=400, known_at_us=8), "H"),
        (FactWhere(known_at_us=4), ""),
        (FactWhere(known_at_us=5), "PHPLR"),
        (FactWhere(entity_ids=("e-1",)), "L"),
        (FactWhere(entity_ids=("e-2",)), "PP"),
        (FactWhere(entity_ids=("e-1", "e-2")), "PPL"),
        (FactWhere(entity_ids=("e-9",)), ""),
        (FactWhere(entity_ids=("e-2",), subjects=("bob",)), "P"),
        (FactWhere(entity_ids=("e-2",), object="porto", as_of_us=250), "P"),
        (FactWhere(entity_ids=("e-2",), subjects=("ada",), known_at_us=4), ""),
    ],
)
async def test_facts_are_narrowed(store: NamespaceStore, where: FactWhere, objects: str) -> None:
    await fill(store)
    assert await listed(store, where) == objects


@pytest.mark.parametrize(
    "where",
    [
        FactWhere(),
        FactWhere(subjects=("ada", "bob")),
        FactWhere(entity_ids=("e-1", "e-2")),
        FactWhere(object="porto"),
    ],
)
async def test_facts_are_seen_in_their_scope(store: NamespaceStore, where: FactWhere) -> None:
    await fill(store)
    scopes = ("shared", "user:bob")
    assert await listed(store, where, scopes) == await listed(store, where)
    for some in (("shared",), ("user:bob",), ("user:eve",), ()):
        found = await store.list_facts(where, some, None, 100)
        everything = await store.list_facts(where, None, None, 100)
        assert list(found) == [one for one in everything if one.state.statement.scope in some]


async def test_what_is_deleted_is_listed_no_more(store: NamespaceStore) -> None:
    await fill(store)
    held = await store.fact_memories([PORTO.fact_id])
    await put(store, WriteSet(deleted_memories=(held[PORTO.fact_id].memory_id,)))
    assert await listed(store, FactWhere()) == "HPLR"
    assert await listed(store, FactWhere(object="porto")) == "P"
    assert await listed(store, FactWhere(entity_ids=("e-2",))) == "P"
