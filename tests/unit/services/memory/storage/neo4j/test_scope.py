"""A statement that could leave its namespace is refused when it is loaded."""

import pytest

from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.storage.neo4j.macros import spelled_out
from anamnesis_memory.storage.neo4j.scope import QUERIES, refuse_unscoped

LEAVING = [
    "MATCH (m:Memory) RETURN m",
    "MATCH (m:Memory {memory_id: $id}) RETURN m",
    "MATCH (m) RETURN m",
    "MATCH (m:Memory {ns: $other}) RETURN m",
    "MATCH (m:Memory {ns: $nsx}) RETURN m",
    "MATCH (m:Memory {ns: $ns})-[:MENTIONS]->(e:Entity) RETURN e",
    "MATCH (m:Memory {ns: $ns})-[:MENTIONS]->(e) RETURN e",
    "MATCH (m:Memory {ns: $ns})-[:MENTIONS]->() RETURN m",
    "MATCH (m:Memory {ns: $ns})-[:MENTIONS]->(e {ns: $other}) RETURN e",
    "MATCH (m:Memory {ns: $ns}) MERGE (m)-[:MENTIONS]->(e:Entity {name: 'x'})",
    "// (m:Memory {ns: $ns})\nMATCH (m:Memory) RETURN m",
    "CALL () { MATCH (m:Memory) RETURN m } RETURN m",
]


@pytest.mark.parametrize("statement", LEAVING)
def test_a_statement_that_leaves_its_namespace_is_refused(statement: str) -> None:
    with pytest.raises(ValueError, match="outside its namespace"):
        refuse_unscoped({"name": statement})


def test_a_node_without_a_name_vouches_for_no_other() -> None:
    with pytest.raises(ValueError, match="reaches"):
        refuse_unscoped({"name": "MATCH (:Entity {ns: $ns})<-[:MENTIONS]-() RETURN 1"})


def test_a_statement_that_stays_passes() -> None:
    statement = "MATCH (m:Memory {ns: $ns})-[:MENTIONS]->(e:Entity {ns: $ns}) RETURN count(e), (m)"
    assert refuse_unscoped({"name": statement})


def test_what_is_reached_may_have_any_label_of_the_namespace() -> None:
    assert refuse_unscoped({"name": "MATCH (m:Memory {ns: $ns})-[link]->(x {ns: $ns}) RETURN x"})


def test_a_statement_about_an_edge_is_one_for_each_type() -> None:
    told = spelled_out(
        {"put": "MERGE (a)-[e:EDGE {explicit: true}]->(b)", "all": "MATCH [:ANY_EDGE]"}
    )
    assert told["put_similar_to"] == "MERGE (a)-[e:SIMILAR_TO {explicit: true}]->(b)"
    assert told.keys() == {"all", *(f"put_{edge}" for edge in EdgeType)}
    assert told["all"].count("|") == len(EdgeType) - 1


def test_what_stands_for_something_is_put_in() -> None:
    told = spelled_out({"read": "WHERE SEEN(s) RETURN max(LAST_US(s)) (e)-[:PART]->(w) IN_PLACE"})
    assert "s.visibility" in told["read"]
    assert "max(coalesce(s.event_time_us, s.create_time_us))" in told["read"]
    assert "-[:MERGED_INTO*0..32]->" in told["read"]
    assert "$after_fact_id" in told["read"]


def test_every_statement_asks_for_the_namespace() -> None:
    assert [name for name, statement in QUERIES.items() if "$ns" not in statement] == []
