"""The pipeline in the graph: what a person explores, what is left of a secret, what is indexed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from neo4j import GraphDatabase, NotificationMinimumSeverity, Query

from anamnesis_libs.storage.neo4j import Neo4jGraph, ServerAddress
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.learn import tombstone_of
from anamnesis_memory.memories.retelling import RETELL_KEY
from anamnesis_memory.model.memory import Caller, Kind, MemoryFilter, Namespace, Work
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.storage.neo4j.catalogue import QUERIES, migrate
from tests.contract.conftest import SERVER, Open
from tests.contract.test_neo4j_graph import ask, graph, stores
from tests.support.clock import SetClock
from tests.support.facts_told import fact
from tests.support.pipeline import claim, cut, learn, measured_session, now_us, taught
from tests.support.records import append

pytestmark = list(SERVER)
__all__ = ["graph", "stores"]  # found here by pytest
BEFORE_RETELLING = 8
"""The schema whose next migration has facts told anew."""
PATHS = """
    MATCH (a {ns: $ns})-[r:HAS_SEGMENT|LEARNED_FROM|TAUGHT|TAGGED]->(b)
    RETURN {path: [labels(a)[0], type(r), labels(b)[0]]} AS row
"""


async def paths(graph: Neo4jGraph, namespace: Namespace) -> list[tuple[str, ...]]:
    """How the nodes of the pipeline hang together."""
    found = await ask(graph, namespace, PATHS)
    return sorted(tuple(map(str, row["path"])) for row in found)  # type: ignore[arg-type]


async def test_what_was_learned_leads_to_where_from(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace, clock: SetClock
) -> None:
    extract, (one, _) = await measured_session(store, clock, "one", "two")
    await learn(store, extract, one.segment_id, taught("a fact"), taught("b", Kind.PROCEDURAL))
    assert await paths(graph, namespace) == [
        *[("Activity", "TAUGHT", "Memory")] * 2,
        *[("Memory", "LEARNED_FROM", "Segment")] * 2,
        *[("Memory", "TAGGED", "Tag")] * 2,
        *[("Session", "HAS_SEGMENT", "Segment")] * 2,
    ]
    await store.commit(append("uno", end_session=True))
    await cut(store, await claim(store, clock, Work.SEGMENT), (0, 0, "uno"), (1, 1, "two"))
    left = await paths(graph, namespace)
    assert left.count(("Memory", "LEARNED_FROM", "Segment")) == 0
    assert left.count(("Session", "HAS_SEGMENT", "Segment")) == 2
    facts = (await store.list_memories(MemoryFilter(include_archived=True), None, 0, 9)).items
    for memory in facts:
        await store.commit(DeleteMemory(memory.memory_id, Caller()))
    assert ("Activity", "TAUGHT", "Memory") not in await paths(graph, namespace)


async def test_a_tombstone_tells_nothing_of_what_it_was(
    store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    secret = taught("canary fact")
    (made,) = (await store.commit(CreateMemories([secret], [None]))).result or ()
    await store.commit(DeleteMemory(made.memory.memory_id, Caller()))
    (row,) = await ask(
        graph, namespace, "MATCH (t:Tombstone {ns: $ns}) RETURN {mark: t.mark} AS row"
    )
    assert len(str(row["mark"])) == 64
    assert row["mark"] != tombstone_of(secret).hex()


async def test_the_key_of_tombstones_stays_when_a_namespace_is_opened_again(
    open_neo4j: Open, graph: Neo4jGraph, namespace: Namespace
) -> None:
    told = "MATCH (c:Clock {ns: $ns}) RETURN {key: c.tombstone_key} AS row"
    keys = []
    for _ in range(2):
        opened = await open_neo4j()
        await (await opened.open(namespace)).close()
        keys += [row["key"] for row in await ask(graph, namespace, told)]
        await opened.close()
    assert keys[0] == keys[1]
    assert isinstance(keys[0], bytes)
    assert len(keys[0]) == 32


@pytest.mark.usefixtures("stores")
def test_what_is_due_is_asked_of_an_index(neo4j_address: ServerAddress) -> None:
    off = NotificationMinimumSeverity.OFF
    with GraphDatabase.driver(neo4j_address.uri, notifications_min_severity=off) as driver:
        names = re.findall(r"\$(\w+)", QUERIES["list_due"])
        explain = Query(f"EXPLAIN {QUERIES['list_due']}")
        plan = driver.execute_query(explain, dict.fromkeys(names)).summary.plan
    assert plan
    operators = list(_operators(plan))
    assert [one for one in operators if "Scan" in one] == []
    assert [one for one in operators if one.startswith("NodeIndexSeek")]


def _operators(plan: Mapping[str, Any]) -> Iterator[str]:
    yield plan["operatorType"]
    for child in plan.get("children", ()):
        yield from _operators(child)


async def test_what_an_older_version_noted_as_due_is_work(
    stores: Stores, store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace, clock: SetClock
) -> None:
    await stores.catalogue.create(namespace)
    noted = {"ns": namespace.incarnation}
    await graph.write(
        lambda tx: tx.run(
            "MATCH (n:Namespace {ns: $ns}) "
            "CREATE (:Due {catalogue: n.catalogue, work: 'cluster', name: n.name})",
            noted,
        )
    )
    await graph.write(lambda tx: tx.run(QUERIES["set_schema"], {"version": 1}))
    await migrate(graph)
    (found,) = await stores.catalogue.due(list(Work), now_us(clock), 9)
    assert (found.name, found.work, found.at_us) == ("team-a", Work.CLUSTER, 0)
    assert (await claim(store, clock, Work.CLUSTER)).attempts == 1


async def test_facts_that_stood_on_no_line_are_to_be_told_anew(
    stores: Stores, store: NamespaceStore, graph: Neo4jGraph, namespace: Namespace
) -> None:
    await stores.catalogue.create(namespace)
    before = fact("Zarela", "lives_in", "Porto")
    await store.commit(CreateMemories([before], [None]))
    forget = "MATCH (m:Memory {ns: $ns}) REMOVE m.fact_id"
    await graph.write(lambda tx: tx.run(forget, {"ns": namespace.incarnation}))
    await graph.write(lambda tx: tx.run(QUERIES["set_schema"], {"version": BEFORE_RETELLING}))
    await migrate(graph)
    (memory,) = await store.memories([before.memory_id], None)
    assert isinstance(memory.part, Fact)
    assert memory.part.fact_id == ""
    assert await store.document(RETELL_KEY) is not None
