"""Whatever the history, the index answers like one freshly built, and like the recipe."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Document, Query, ScoredHits
from tests.unit.libs.index.makers import IDS, QUERIES, conversations, documents, filled, vectors_of
from tests.unit.libs.index.reference import DIMENSION, score, takes_part

pytestmark = pytest.mark.long

Step = Callable[[MemoryIndex, dict[str, Document]], None]


def put(batch: list[Document]) -> Step:
    def step(index: MemoryIndex, held: dict[str, Document]) -> None:
        index.put(batch)
        held.update({document.memory_id: document for document in batch})

    return step


def remove(ids: list[str]) -> Step:
    def step(index: MemoryIndex, held: dict[str, Document]) -> None:
        index.remove(ids)
        for memory_id in ids:
            held.pop(memory_id, None)

    return step


def embed(ids: list[str]) -> Step:
    def step(index: MemoryIndex, held: dict[str, Document]) -> None:
        missing = [i for i in ids if i in held and held[i].vectors is None]
        made = {
            i: vectors_of(held[i].text, seed=len(held[i].text), session=held[i].session_id)
            for i in missing
        }
        index.put_vectors(made)
        for memory_id, vectors in made.items():
            held[memory_id] = replace(held[memory_id], vectors=vectors)

    return step


def ask(query: Query) -> Step:
    return lambda index, held: check(index.find(query), held, query)


SOME_IDS = st.lists(st.sampled_from(IDS), max_size=4)
STEPS = st.one_of(
    st.lists(documents(), max_size=5).map(put),
    conversations().map(put),
    SOME_IDS.map(remove),
    SOME_IDS.map(embed),
    QUERIES.map(ask),
)


def check(found: ScoredHits, held: dict[str, Document], query: Query) -> None:
    """Every field that the recipe computes, of every document that takes part."""
    expected = score(list(held.values()), query, found.scope.window_radius)
    assert {hit.memory_id for hit in found.hits} == set(expected)
    assert found.scope.size == len(expected)
    terms = sorted({term for each in expected.values() for term in each.terms})
    assert len(found.scope.term_weights) == len(terms)
    for hit in found.hits:
        wanted = expected[hit.memory_id]
        computed = [hit.text, hit.text_window, hit.dense, hit.dense_window, hit.length]
        recipe = [
            wanted.text,
            wanted.text_window,
            wanted.dense,
            wanted.dense_window,
            wanted.length,
        ]
        assert computed == pytest.approx(recipe, abs=2e-3)
        assert hit.cosine == pytest.approx(wanted.cosine, abs=1e-5)
        assert hit.answered_score == pytest.approx(wanted.answered, abs=1e-2)
        assert hit.is_question == wanted.is_question
        assert len(hit.matched_terms) == len(wanted.terms)
        kept = held[hit.memory_id]
        assert (hit.kind, hit.role, hit.name) == (kept.kind, kept.role, kept.name)
        assert (hit.session_id, hit.importance) == (kept.session_id, kept.importance)
        assert (hit.event_time_us, hit.create_time_us) == (kept.event_time_us, kept.create_time_us)
        weighed = hit.text + hit.text_window + 2 * hit.dense + 2 * hit.dense_window
        assert hit.score == pytest.approx(weighed, abs=1e-5)
    ranks = [(-hit.score, hit.create_time_us, hit.memory_id) for hit in found.hits]
    assert ranks == sorted(ranks)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    conversation=conversations(),
    steps=st.lists(STEPS, max_size=6),
    queries=st.lists(QUERIES, min_size=1, max_size=2),
)
def test_any_history_answers_like_the_recipe_and_a_fresh_index(
    conversation: list[Document], steps: list[Step], queries: list[Query]
) -> None:
    index, held = MemoryIndex(DIMENSION), dict[str, Document]()
    for step in (put(conversation), *steps):
        step(index, held)
    shuffled = list(held.values())
    random.Random(0).shuffle(shuffled)
    fresh = filled(*shuffled)
    assert (index.size, index.vector_count) == (fresh.size, fresh.vector_count)
    assert sorted(index.without_vectors()) == sorted(fresh.without_vectors())
    for query in queries:
        found = index.find(query)
        check(found, held, query)
        assert found == fresh.find(query)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    held=conversations() | st.lists(documents(), max_size=10, unique_by=lambda d: d.memory_id),
    query=QUERIES,
)
def test_what_is_out_of_scope_neither_appears_nor_changes_anything(
    held: list[Document], query: Query
) -> None:
    inside = [document for document in held if takes_part(document, query.scope)]
    everything, only_inside = filled(*held), filled(*inside)
    assert everything.find(query) == only_inside.find(query)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    batches=st.lists(conversations() | st.lists(documents(), max_size=6), max_size=3),
    gone=SOME_IDS,
    query=QUERIES,
)
def test_a_saved_index_loads_as_the_same(
    batches: list[list[Document]], gone: list[str], query: Query, tmp_path: Path
) -> None:
    index = filled()
    for batch in batches:
        index.put(batch)
    index.remove(gone)
    before = index.find(query)
    index.save(tmp_path / "index")
    loaded = MemoryIndex(DIMENSION)
    loaded.load(tmp_path / "index")
    assert before == index.find(query) == loaded.find(query)
    assert loaded.without_vectors() == index.without_vectors()
    assert loaded.vector_count == index.vector_count
