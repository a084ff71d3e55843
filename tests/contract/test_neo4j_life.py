"""The life of memories in the graph: what a person explores, and what is left of a text."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from anamnesis_libs.storage.neo4j import Neo4jGraph, ServerAddress
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.model.documents import Collection, Document
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Caller, Kind, Memory, MemoryFilter, Namespace
from anamnesis_memory.model.memory_details import Fact, Procedure
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports import NamespaceStore, WriteSet
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.storage.neo4j.scope import QUERIES
from tests.contract.conftest import SERVER, Open
from tests.contract.test_neo4j_graph import ask, chain
from tests.support.life import put
from tests.support.records import append, lesson, rows

pytestmark = list(SERVER)
KINDS = {kind.value.capitalize() for kind in Kind if kind is not Kind.DOCUMENT} | {"JsonDocument"}
NOT_OF_A_NAMESPACE = {"AnamnesisSchema", "Due"}


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


def edge(one: Memory, other: Memory, of: EdgeType, detail: str = "") -> Edge:
    """An edge from one memory to another."""
    return Edge(one.memory_id, other.memory_id, of, 0.5, 1, 2, detail)


async def drawers(store: NamespaceStore, *contents: str) -> list[Memory]:
    """Drawers of one session, in their order."""
    await store.commit(append(*contents))
    return list((await store.list_memories(MemoryFilter(), None, 0, 99)).items)


async def test_edges_are_relationships_that_a_person_reads(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    one, other = await drawers(store, "one", "other")
    edges = tuple(edge(one, other, of, '{"because": 1}') for of in EdgeType)
    await put(store, WriteSet(edges=edges))
    found = await ask(
        graph,
        namespace,
        "MATCH (a:Memory {ns: $ns, content: 'one'})-[r]->(b:Memory) WHERE r.explicit "
        "RETURN {type: type(r), weight: r.weight, detail: r.detail, to: b.content} AS row",
    )
    assert sorted(str(row["type"]) for row in found) == sorted(of.name for of in EdgeType)
    assert {(row["weight"], row["detail"], row["to"]) for row in found} == {
        (0.5, '{"because": 1}', "other")
    }


async def test_the_order_of_drawers_and_edges_that_say_the_same_keep_apart(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    one, other = await drawers(store, "one", "other")
    assert list(await store.edges_of([one.memory_id], (), 9)) == []
    backward = edge(other, one, EdgeType.FOLLOWED_BY)
    forward = edge(one, other, EdgeType.FOLLOWED_BY)
    await put(store, WriteSet(edges=(forward, backward)))
    await store.commit(append("two", start=1))
    await put(store, WriteSet(removed_edges=(backward.key, forward.key)))
    assert await chain(graph, namespace) == {("one", "two")}
    await put(store, WriteSet(edges=(backward,)))
    await put(store, WriteSet(removed_edges=(backward.key,)))
    assert await chain(graph, namespace) == {("one", "two")}


async def test_an_explicit_edge_does_not_stand_for_the_order_of_drawers(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    first, last = await drawers(store, "first", " ", "last")
    stated = edge(first, last, EdgeType.FOLLOWED_BY)
    await put(store, WriteSet(removed_edges=(stated.key,), edges=(stated,)))
    await store.commit(append("middle", start=1))
    assert await chain(graph, namespace) == {
        *[("first", "last"), ("first", "middle"), ("middle", "last")]
    }
    await put(store, WriteSet(removed_edges=(stated.key,)))
    assert await chain(graph, namespace) == {("first", "middle"), ("middle", "last")}


async def test_nothing_of_what_hung_on_a_deleted_memory_is_left(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    kept, gone = await drawers(store, "kept", "canary said")
    copy = Copy("c-1", gone.memory_id, CopyRole.VERSION, gone, 1, vectors=rows(1.0))
    between = edge(kept, gone, EdgeType.CO_RECALLED, '"canary"')
    await put(store, WriteSet(edges=(between,), copies=(copy,)))
    found, _ = await store.occurrences(["CANARY"])
    assert {one.place for one in found} == {"Memory.content", "CO_RECALLED.detail", "Copy.memory"}
    await store.commit(DeleteMemory(gone.memory_id, Caller()))
    assert (await store.occurrences(["canary"]))[0] == []
    left = await ask(graph, namespace, "MATCH (c:Copy {ns: $ns}) RETURN {id: c.copy_id} AS row")
    assert left == []


@pytest.mark.usefixtures("store")
async def test_no_label_is_passed_over(graph: Neo4jGraph) -> None:
    """Neither by what looks for texts nor by what removes a namespace."""
    found = await graph.read("CALL db.labels() YIELD label RETURN {label: label} AS row", {})
    labels = {str(row["label"]) for row in found} - NOT_OF_A_NAMESPACE - KINDS
    searched = set(re.findall(r"\(n:(\w+) \{ns", QUERIES["every_node"]))
    assert labels <= searched | {"UploadPiece"}
    removed = set(re.findall(r"\(\w:(\w+) \{ns", QUERIES["discard_some"]))
    assert labels - {"Namespace", "Clock", "UploadPiece"} <= removed


async def test_a_namespace_of_an_older_version_is_filled_when_it_is_opened(
    stores: Stores, store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    (source,) = await drawers(store, "source")
    part = Fact("the sky", "is", "blue", source_memory_ids=(source.memory_id,))
    taken = replace(lesson("a fact"), kind=Kind.SEMANTIC, part=part)
    steps = Procedure("bake", "bread", trigger_tags=("Oven",))
    known = replace(lesson("how"), kind=Kind.PROCEDURAL, part=steps)
    await put(store, WriteSet(memories=(taken, known), archived_memories=(taken.memory_id,)))
    await graph.write(
        lambda tx: tx.run(
            "MATCH (m:Memory {ns: $ns}) REMOVE m.trigger_keys, m.archive_time_us "
            "WITH count(*) AS all MATCH (c:Clock {ns: $ns}) REMOVE c.filled",
            {"ns": namespace.incarnation},
        )
    )
    again = await stores.open(namespace)
    (found,) = await again.edges_of([source.memory_id], (), 9)
    assert (found.source_id, found.type) == (taken.memory_id, EdgeType.DERIVED_FROM)
    where = MemoryFilter(triggers=("oven",))
    assert [one.content for one in (await again.list_memories(where, None, 0, 9)).items] == ["how"]
    (archived,) = await again.memories([taken.memory_id], None)
    assert archived.archive_time_us == archived.update_time_us
    await again.close()


async def test_documents_are_nodes_that_are_called_by_name(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    document = Document(Collection.RUN, "r-1", '{"told": 1}', 5, user_id="ada")
    await put(store, WriteSet(documents=(document,)))
    told = "MATCH (d:Document {ns: $ns}) RETURN d {.collection, .name, .body, .user_id} AS row"
    assert await ask(graph, namespace, told) == [
        {"collection": "run", "name": "r-1", "body": '{"told": 1}', "user_id": "ada"}
    ]
