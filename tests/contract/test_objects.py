"""What the object of a fact names is an entity, on every backend: a walk goes on from it."""

from dataclasses import replace

import pytest

from anamnesis_memory.domain.entities.objects import names_object
from anamnesis_memory.knowledge.graph.traverse import WalkBounds, Way, walk
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.memory import Kind, Memory
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports import NamespaceStore
from tests.support.clock import SetClock
from tests.support.records import lesson


def said(subject: str, predicate: str, thing: str) -> Memory:
    """A fact about somebody."""
    part = Fact(subject, predicate, thing, source="a letter")
    return replace(lesson(f"{subject} {predicate} {thing}."), kind=Kind.SEMANTIC, part=part)


async def test_a_walk_goes_through_facts_to_what_their_objects_name(store: NamespaceStore) -> None:
    facts = [
        said("Mara", "knows", "Derek"),
        said("Derek", "works_at", "Acme"),
        said("Acme", "located_in", "Delft"),
    ]
    await store.commit(CreateMemories(facts, [None] * 3))
    ids = {one.entity_id: one.name for one in await store.list_entities(None, None, "", 9)}
    (mara,) = [entity_id for entity_id, name in ids.items() if name == "Mara"]
    walked = await walk(store, [mara], Way(), WalkBounds(hops_max=6), SetClock())
    reached = {ids[one.node_id]: one.hops for one in walked.nodes if one.node_id in ids}
    assert reached == {"Derek": 2, "Acme": 4, "Delft": 6}


@pytest.mark.parametrize(
    ("predicate", "text"),
    [
        ("knows", "Derek"),
        ("lives in", "the old mill"),
        ("visited", "Bank of England"),
        ("住在", "上海"),
    ],
)
def test_an_object_that_names_something_is_an_entity(predicate: str, text: str) -> None:
    assert names_object(predicate, text)


@pytest.mark.parametrize(
    ("predicate", "text"),
    [
        ("is_aged", "34"),
        ("favourite_tea", "jasmine with milk"),
        ("visited_on", "May 2024"),
        ("knows", "him that she met"),
        ("knows", "42"),
        ("has_status", "Done"),
        ("职业", "工程师"),
    ],
)
def test_a_value_is_no_entity(predicate: str, text: str) -> None:
    assert not names_object(predicate, text)
