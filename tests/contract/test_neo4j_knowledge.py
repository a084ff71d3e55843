"""Knowledge in the graph: what a person explores, and what is left of it when a memory goes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
from neo4j.exceptions import ConstraintError

from anamnesis_libs.storage.neo4j import Neo4jGraph, Row, ServerAddress
from anamnesis_libs.storage.queries import load_queries
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import KnownEntity, Named
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.review import Ground, ReviewReason
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.knowledge.intake import KnowledgeRules
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Caller, Kind, Memory, MemoryFilter, Namespace
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports import NamespaceStore, ReadSet, WriteSet
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.knowledge import FactWhere
from anamnesis_memory.storage.neo4j.catalogue import HERE
from tests.contract.conftest import SERVER, Open
from tests.contract.test_neo4j_graph import ask
from tests.support.life import edge, look, put
from tests.support.records import DIMENSION, lesson

pytestmark = list(SERVER)
DAY_US = 86_400_000_000
LIVES = KnowledgeRules(SingleValued(frozenset({"lives in"})))


@pytest.fixture
async def graph(neo4j_address: ServerAddress) -> AsyncIterator[Neo4jGraph]:
    """The database, past the store."""
    opened = await Neo4jGraph.open(neo4j_address)
    yield opened
    await opened.close()


@pytest.fixture
async def stores(open_neo4j: Open) -> AsyncIterator[Stores]:
    """Stores on Neo4j alone."""
    opened = await open_neo4j()
    yield opened
    await opened.close()


def lives(place: str, from_us: int, source: str = "a letter") -> Memory:
    """Where Nadia lives from a time on."""
    part = Fact("Nadia", "lives in", place, from_us, source=source)
    return replace(lesson(f"Nadia lives in {place}."), kind=Kind.SEMANTIC, part=part)


async def test_no_two_memories_hold_one_fact(store: NamespaceStore, stores: Stores) -> None:
    (made,) = await told(store, lives("Porto", DAY_US))
    twin = replace(made.memory, memory_id="twin")
    with pytest.raises(ConstraintError):
        await put(store, WriteSet(memories=(twin,)))
    assert not await store.memories(["twin"], None)
    other = await stores.open(Namespace("other", new_incarnation(1), 1, "model", DIMENSION))
    await put(other, WriteSet(memories=(twin,)))
    assert len(await other.memories(["twin"], None)) == 1, "a fact of one namespace is its own"
    await other.close()


async def told(store: NamespaceStore, *facts: Memory) -> Sequence[Created]:
    """Facts in one write."""
    made = await store.commit(CreateMemories(facts, [None] * len(facts), knowledge=LIVES))
    assert made.result is not None
    return made.result


async def test_a_fact_shows_who_told_it_and_what_was_held_true(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    await told(store, lives("Rotterdam", DAY_US))
    await told(store, lives("Rotterdam", DAY_US, "a postcard"))
    await told(store, lives("Utrecht", 9 * DAY_US))
    found = await ask(
        graph,
        namespace,
        "MATCH (m:Memory {ns: $ns})-[:MENTIONS {name: 'Nadia'}]->(e:Entity {name: 'Nadia'}) "
        "MATCH (v:FactVersion)-[:VERSION_OF]->(m) WHERE v.known_to_us IS NULL "
        "RETURN {object: v.object, from: v.from_us, to: v.to_us, "
        "tellings: COUNT { (:Telling)-[:TELLS]->(m) }} AS row ORDER BY v.from_us",
    )
    assert [*map(dict, found)] == [
        {"object": "Rotterdam", "from": DAY_US, "to": 9 * DAY_US, "tellings": 2},
        {"object": "Utrecht", "from": 9 * DAY_US, "to": 2**62, "tellings": 1},
    ]


async def test_writes_of_one_transaction_see_what_those_before_them_told(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    places = [f"Place {number}" for number in range(12)]
    writes = [
        CreateMemories([lives(place, (1 + at) * DAY_US)], [None], knowledge=LIVES)
        for at, place in enumerate(places)
    ]
    await asyncio.gather(*(store.commit(write) for write in writes))
    current = await store.list_facts(FactWhere(subjects=("nadia",)), None, None, 99)
    assert [one.state.statement.object for one in current] == places
    assert [one.state.interval.to_us for one in current] == [
        *((2 + at) * DAY_US for at in range(11)),
        None,
    ]
    entities = await store.entities_named("nadia", None)
    assert [one.names[0].count for one in entities] == [12]
    found = await ask(graph, namespace, "MATCH (e:Entity {ns: $ns}) RETURN {name: e.name} AS row")
    assert sorted(str(row["name"]) for row in found) == sorted(["Nadia", *places])


async def test_nothing_of_knowledge_is_left_of_a_deleted_memory(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    (kept,) = await told(store, lives("Rotterdam", DAY_US))
    named = {"Canary": (Named("Canary Bird", EntityKind.PERSON, ("Canary Bee",)),)}
    gone = replace(lesson("gone"), memory_id="Canary", kind=Kind.SEMANTIC, part=_canary())
    how = KnowledgeRules(named=named)
    await store.commit(CreateMemories([gone], [None], knowledge=how))
    reason = ReviewReason(kept.memory.memory_id, "Canary", None)
    await put(store, WriteSet(reasons=(reason,)))
    places = {one.place for one in (await store.occurrences(["canary"]))[0]}
    assert {"Name.name", "Entity.name", "MENTIONS.name", "Telling.object"} <= places
    await store.commit(DeleteMemory("Canary", Caller()))
    left = (await store.occurrences(["canary"]))[0]
    assert {one.place for one in left} <= {"Deletion.memory_id"}
    found = await ask(graph, namespace, "MATCH (e:Entity {ns: $ns}) RETURN {name: e.name} AS row")
    assert {row["name"] for row in found} == {"Nadia", "Rotterdam"}
    (memory,) = await store.memories([kept.memory.memory_id], None)
    assert not memory.needs_review


def _canary() -> Fact:
    return Fact("Nadia", "keeps", "a canary", DAY_US, source="Canary Bee")


async def test_a_review_walks_down_what_was_derived_and_back(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    chain = [replace(lesson(f"{at}"), memory_id=f"m-{at}", revision=0) for at in range(4)]
    await put(store, WriteSet(memories=tuple(chain)))
    links = [
        edge(two, one, EdgeType.DERIVED_FROM)
        for one, two in (("m-0", "m-1"), ("m-1", "m-2"), ("m-2", "m-0"))
    ]
    await put(store, WriteSet(edges=tuple(links)))
    await put(store, WriteSet(shaken=(Ground("m-0", 5), Ground("m-0", None))))
    assert await _doubted(store) == ["m-1", "m-2"]
    told_why = (
        "MATCH (m:Memory {ns: $ns})-[why:SHAKEN_BY]->(g) "
        "RETURN {of: m.memory_id, ground: g.memory_id, ended: why.ended_us} AS row "
        "ORDER BY m.memory_id, why.ended_us"
    )
    found: list[Row] = await ask(graph, namespace, told_why)
    assert [(row["of"], row["ended"]) for row in found] == [
        *[("m-1", 5), ("m-1", None), ("m-2", 5), ("m-2", None)]
    ]
    await put(store, WriteSet(lifted=(Ground("m-0", None),)))
    assert await _doubted(store) == ["m-1", "m-2"]
    await put(store, WriteSet(reviewed=("m-1",)))
    assert await _doubted(store) == ["m-2"]


async def _doubted(store: NamespaceStore) -> list[str]:
    memories = (await store.list_memories(MemoryFilter(), None, 0, 99)).items
    return [one.memory_id for one in memories if one.needs_review]


async def test_what_is_merged_hangs_on_the_whole(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    said = [replace(lesson(name), entities=(name,)) for name in ("Ada", "Countess", "Bernoulli")]
    await store.commit(CreateMemories(said, [None] * 3))
    ids = {one.name: one.entity_id for one in await store.list_entities(None, None, "", 9)}
    seen = await look(store, ReadSet(entities=tuple(ids.values())))
    countess = replace(seen.entities[ids["Countess"]], merged_into_id=ids["Ada"])
    bernoulli = replace(seen.entities[ids["Bernoulli"]], merged_into_id=ids["Countess"])
    await put(store, WriteSet(entities=(bernoulli, countess)))
    assert await _merged(graph, namespace) == [("Bernoulli", "Countess"), ("Countess", "Ada")]
    groups = await store.entity_groups([ids["Bernoulli"]])
    rest = sorted([ids["Countess"], ids["Bernoulli"]])
    assert groups == {ids["Bernoulli"]: (ids["Ada"], *rest)}
    apart: KnownEntity = replace(countess, merged_into_id="")
    await put(store, WriteSet(entities=(apart,)))
    assert await _merged(graph, namespace) == [("Bernoulli", "Countess")]


async def test_what_is_left_of_a_group_stays_one(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    said = [replace(lesson(name), entities=(name,)) for name in ("A", "B", "C", "D")]
    await store.commit(CreateMemories(said, [None] * 4))
    known = {one.name: one for one in await store.list_entities(None, None, "", 9)}
    whole, first, *rest = sorted(known.values(), key=lambda one: one.entity_id)
    parts = [replace(one, merged_into_id=whole.entity_id) for one in (first, *rest)]
    await put(store, WriteSet(entities=tuple(parts)))
    ids = {one.content: one.memory_id for one in said}
    await put(store, WriteSet(deleted_memories=(ids[whole.name], ids[first.name])))
    assert await _merged(graph, namespace) == [(rest[1].name, rest[0].name)]
    left = await store.list_entities(None, None, "", 9)
    assert [one.entity_id for one in left if not one.merged_into_id] == [rest[0].entity_id]


async def _merged(graph: Neo4jGraph, namespace: Namespace) -> list[tuple[str, str]]:
    found = await ask(
        graph,
        namespace,
        "MATCH (a:Entity {ns: $ns})-[:MERGED_INTO]->(b) RETURN {a: a.name, b: b.name} AS row "
        "ORDER BY a.name",
    )
    return [(str(row["a"]), str(row["b"])) for row in found]


def said(subject: str, predicate: str, thing: str, from_us: int | None = None) -> Memory:
    """A fact about somebody."""
    part = Fact(subject, predicate, thing, from_us, source="a letter")
    content = f"{subject} {predicate} {thing}."
    return replace(lesson(content), kind=Kind.SEMANTIC, part=part)


async def _drawn(graph: Neo4jGraph, namespace: Namespace) -> list[tuple[str, str, str]]:
    found = await ask(
        graph,
        namespace,
        "MATCH (a:Entity {ns: $ns})-[fact:FACT]->(b:Entity) "
        "RETURN {a: a.name, predicate: fact.predicate, b: b.name} AS row ORDER BY a.name, b.name",
    )
    return [(str(row["a"]), str(row["predicate"]), str(row["b"])) for row in found]


async def test_facts_are_relationships_between_the_entities_that_they_name(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    chain = [
        said("Mara", "knows", "Derek"),
        said("Derek", "works_at", "Acme"),
        said("Acme", "located_in", "Delft"),
        said("Mara", "favourite_tea", "jasmine with milk"),
    ]
    made = await told(store, *chain)
    assert await _drawn(graph, namespace) == [
        ("Acme", "located_in", "Delft"),
        ("Derek", "works_at", "Acme"),
        ("Mara", "knows", "Derek"),
    ]
    (properties,) = await ask(
        graph,
        namespace,
        "MATCH (:Entity {name: 'Mara'})-[fact:FACT {ns: $ns}]->() RETURN properties(fact) AS row",
    )
    assert set(properties) == {
        "ns", "fact_id", "memory_id", "scope", "predicate", "from_us", "to_us",
    }  # fmt: skip
    await store.commit(DeleteMemory(made[1].memory.memory_id, Caller(), ""))
    assert [each[1] for each in await _drawn(graph, namespace)] == ["located_in", "knows"]


async def test_a_relationship_ends_with_its_fact(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    await told(store, lives("Rotterdam", DAY_US))
    await told(store, lives("Utrecht", 9 * DAY_US))
    found = await ask(
        graph,
        namespace,
        "MATCH (:Entity {ns: $ns})-[fact:FACT]->(b) "
        "RETURN {b: b.name, to: fact.to_us} AS row ORDER BY fact.from_us",
    )
    assert [*map(dict, found)] == [
        {"b": "Rotterdam", "to": 9 * DAY_US},
        {"b": "Utrecht", "to": 2**62},
    ]


async def test_facts_of_before_are_drawn_by_the_migration(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    await told(store, said("Mara", "knows", "Derek"))
    await graph.write(
        lambda tx: tx.run(
            "MATCH ()-[fact:FACT {ns: $ns}]->() DELETE fact", {"ns": namespace.incarnation}
        )
    )
    draw = load_queries(HERE / "migrations" / "012.cypher")["draw_facts"]
    while await graph.write(lambda tx: tx.run(draw, {})):
        pass
    assert await _drawn(graph, namespace) == [("Mara", "knows", "Derek")]
