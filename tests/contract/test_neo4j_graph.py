"""The graph that a person explores in Neo4j: real nodes, and relationships that stay true."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from neo4j import GraphDatabase, Query

from anamnesis_libs.storage.neo4j import Neo4jGraph, Row, ServerAddress
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.memory import Caller, MemoryFilter, Namespace
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.storage.neo4j.scope import QUERIES
from tests.contract.conftest import SERVER, Open
from tests.contract.test_writes import remember
from tests.support.records import append, lesson, new_event, rows

pytestmark = list(SERVER)
NOBODY = Caller()
SORTED = (
    *("list_events", "changes_reach", "list_topic_members"),
    *("all_topic_members", "all_deletions", "member_vectors"),
    *("list_activities", "list_activities_of_session", "all_activities"),
    *("follow", "follow_on", "edges_of", "list_edges", "all_edges"),
    *("list_facts_of_subjects", "list_facts_of_object", "list_facts_of_entities"),
    *("derived_from", "all_reasons"),
    *("nameless", "all_mentions", "hop", "rooms_of_entities", "count_of_entities", "memory_at"),
)
"""Sort what an index or another node has narrowed down; every other list stops at its limit."""


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


async def ask(graph: Neo4jGraph, namespace: Namespace, statement: str) -> list[Row]:
    """Ask as a person would, about one namespace."""
    return await graph.read(statement, {"ns": namespace.incarnation})


async def chain(graph: Neo4jGraph, namespace: Namespace) -> set[tuple[str, str]]:
    """Which drawer is followed by which, by their texts."""
    found = await ask(
        graph,
        namespace,
        "MATCH (a:Memory {ns: $ns})-[:FOLLOWED_BY]->(b) RETURN {a: a.content, b: b.content} AS row",
    )
    return {(str(row["a"]), str(row["b"])) for row in found}


async def test_drawers_follow_each_other_however_they_came(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    await store.commit(append("a", "b", start=0))
    await store.commit(append("e", start=4))
    assert await chain(graph, namespace) == {("a", "b"), ("b", "e")}
    await store.commit(append("c", " ", start=2))
    assert await chain(graph, namespace) == {("a", "b"), ("b", "c"), ("c", "e")}
    await store.commit(append("B", start=1))
    assert await chain(graph, namespace) == {("a", "B"), ("B", "c"), ("c", "e")}
    listed = (await store.list_memories(MemoryFilter(), NOBODY, 0, 9)).items
    (doomed,) = (memory for memory in listed if memory.content == "c")
    await store.commit(DeleteMemory(doomed.memory_id, NOBODY))
    assert await chain(graph, namespace) == {("a", "B"), ("B", "e")}
    await store.commit(AppendEvents("s-1", (new_event("f"),)))
    assert await chain(graph, namespace) == {("a", "B"), ("B", "e"), ("e", "f")}


async def test_memories_hang_on_sessions_entities_and_topics(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    await store.commit(append("said"))
    stated = replace(lesson("a lesson"), entities=("Ada", "Zürich"))
    made = await store.commit(CreateMemories([stated], [rows(1.0)]))
    assert made.result is not None
    place = Assignment(made.result[0].memory.memory_id, "t", "label")
    await store.commit(AssignTopicMembers([place], 0, None))
    found = await ask(
        graph,
        namespace,
        "MATCH (a {ns: $ns})-[r]->(b) "
        "RETURN {from: labels(a), type: type(r), to: labels(b)} AS row",
    )
    told = {(tuple(sorted(map(str, _list(row["from"])))), str(row["type"])) for row in found}
    assert told == {
        (("Episodic", "Memory"), "PART_OF"),
        (("Learning", "Memory"), "MENTIONS"),
        (("Learning", "Memory"), "IN_TOPIC"),
        (("Entity",), "NAMED"),
        (("Session",), "IN_WING"),
    }
    assert await _clock_degree(graph, namespace) == 0


def _list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


async def _clock_degree(graph: Neo4jGraph, namespace: Namespace) -> object:
    (row,) = await ask(
        graph, namespace, "MATCH (c:Clock {ns: $ns}) RETURN {degree: COUNT { (c)--() }} AS row"
    )
    return row["degree"]


async def test_nothing_of_a_deleted_memory_is_left_in_any_node(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    stated = replace(lesson("canary lesson", tags=("canary tag",)), entities=("canary entity",))
    await store.commit(CreateMemories([stated], [rows(1.0)]))
    await store.commit(append("canary said", "other"), remember("canary request"))
    listed = (await store.list_memories(MemoryFilter(), NOBODY, 0, 9)).items
    for memory in listed:
        if "canary" in memory.content:
            await store.commit(DeleteMemory(memory.memory_id, NOBODY))
    left = await ask(graph, namespace, "MATCH (n {ns: $ns}) RETURN properties(n) AS row")
    assert [row for row in left if "canary" in repr(row)] == []
    entities = await ask(graph, namespace, "MATCH (e:Entity {ns: $ns}) RETURN properties(e) AS row")
    assert entities == []
    vectors = await ask(graph, namespace, "MATCH (v:Embedding {ns: $ns}) RETURN {n: 1} AS row")
    assert vectors == []


@pytest.mark.long
@pytest.mark.usefixtures("stores")
def test_no_statement_goes_over_all_namespaces(neo4j_address: ServerAddress) -> None:
    """Read from the server's own plans: each begins at an index that the namespace leads."""
    with GraphDatabase.driver(neo4j_address.uri) as driver:
        for name, statement in QUERIES.items():
            names = re.findall(r"\$(\w+)", statement)
            explain = Query(f"EXPLAIN {statement}")
            told = driver.execute_query(explain, dict.fromkeys(names))
            assert told.summary.plan, name
            operators = list(_operators(told.summary.plan))
            assert [one for one in operators if "Scan" in one] == [], name
            if name not in SORTED:
                assert [one for one in operators if "Top" in one or "Sort" in one] == [], name


def _operators(plan: Mapping[str, Any]) -> Iterator[str]:
    yield plan["operatorType"]
    for child in plan.get("children", ()):
        yield from _operators(child)
