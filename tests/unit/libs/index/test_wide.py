"""A scope too large to be scored whole: the same memories come first, and nobody else's."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import (
    RECALL_ASKED,
    Document,
    Happened,
    Query,
    ScoredHits,
    SearchScope,
)
from anamnesis_libs.index.scoring import standardised

DIMENSION = 32
SESSION = 20
WHOLE_MAX = 2_000
COUNT = 24_000
TOPICS = 60


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return talk(COUNT)


@pytest.fixture(scope="module")
def exact(documents: list[Document]) -> MemoryIndex:
    index = MemoryIndex(DIMENSION)
    index.put(documents)
    return index


@pytest.fixture
def wide(documents: list[Document]) -> MemoryIndex:
    index = MemoryIndex(DIMENSION, whole_max=WHOLE_MAX)
    index.put(documents)
    train(index)
    return index


def talk(count: int) -> list[Document]:
    """Sessions about a topic each, whose turns are alike and share rare and frequent words."""
    drawn = np.random.default_rng(5)
    topics = drawn.standard_normal((TOPICS, DIMENSION))
    vectors = drawn.standard_normal((count, DIMENSION)) + topics[topic_of(np.arange(count))]
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    words = drawn.integers(1, 2_000, (count, 4))
    return [
        Document(
            f"m-{at:05d}",
            f"topic{topic_of(at)} thing{words[at, 0]} said{words[at, 1] % 9} w{words[at, 2]}",
            "episodic",
            role=("user", "assistant")[at % 2],
            session_id=f"s-{at // SESSION}",
            position=at % SESSION,
            event_time_us=at,
            create_time_us=at,
            user_id=f"u{at // SESSION % 2}",
            visibility=("shared", "private_to_user")[at % 40 == 7],
            vectors=vectors[at : at + 1],
        )
        for at in range(count)
    ]


def topic_of(at: np.ndarray | int) -> np.ndarray | int:
    return at // SESSION * 7 % TOPICS


def train(index: MemoryIndex) -> None:
    training = index.training()
    near = training.run()
    while index.fill(near):
        pass
    asked = [index.nearest_rows(number) for number in range(RECALL_ASKED)]
    near.measure(np.stack([row for row, _ in asked]), [nearest for _, nearest in asked])
    assert index.adopt(near, training)


def queries(documents: list[Document], scope: SearchScope) -> list[Query]:
    chosen = documents[11 :: len(documents) // 20]
    return [
        Query(one.text, one.vectors[0], scope, limit=50)
        for one in chosen
        if one.vectors is not None
    ]


def ids(found: ScoredHits, count: int = 10) -> set[str]:
    return {hit.memory_id for hit in found.hits[:count]}


def recall(one: MemoryIndex, other: MemoryIndex, asked: list[Query]) -> float:
    shared = [len(ids(one.find(query)) & ids(other.find(query))) for query in asked]
    return sum(shared) / (10 * len(shared))


def test_finds_the_first_ten_of_the_exact(
    wide: MemoryIndex, exact: MemoryIndex, documents: list[Document]
) -> None:
    asked = queries(documents, SearchScope(caller_user="u1"))
    assert recall(wide, exact, asked) >= 0.95
    for query in asked[:5]:
        found, wanted = wide.find(query), exact.find(query)
        assert found.hits[0].score == pytest.approx(wanted.hits[0].score, rel=0.1)
        assert found.scope == wanted.scope
        assert wanted.recall == 1
        assert 0.8 < found.recall <= 1


def test_a_filter_is_looked_at_inside_the_search(
    wide: MemoryIndex, exact: MemoryIndex, documents: list[Document]
) -> None:
    scope = SearchScope(caller_user="u0", user_id="u0")
    asked = queries(documents, scope)
    assert recall(wide, exact, asked) >= 0.95
    for query in asked:
        found = wide.find(query).hits
        assert len(found) == query.limit
        assert {documents[int(hit.memory_id[2:])].user_id for hit in found} == {"u0"}


def test_what_others_may_not_see_is_no_candidate(
    wide: MemoryIndex, documents: list[Document]
) -> None:
    for query in queries(documents, SearchScope()):
        seen = {documents[int(hit.memory_id[2:])].visibility for hit in wide.find(query).hits}
        assert seen == {"shared"}


def test_what_happened_in_a_time_is_found_whatever_its_score(
    wide: MemoryIndex, exact: MemoryIndex, documents: list[Document]
) -> None:
    (query, *_) = queries(documents, SearchScope())
    asked = replace(query, limit=1, happened=Happened(8_000, 8_040, 50))
    found = ids(wide.find(asked), 60)
    assert len(found) >= 39
    assert found == ids(exact.find(asked), 60)


def test_a_small_scope_is_scored_whole(
    wide: MemoryIndex, exact: MemoryIndex, documents: list[Document]
) -> None:
    scope = SearchScope(session_ids=tuple(f"s-{number}" for number in range(40)))
    for query in queries(documents, scope):
        assert wide.find(query) == exact.find(query)


def test_what_comes_and_goes_after_the_training(
    wide: MemoryIndex, documents: list[Document]
) -> None:
    query = queries(documents, SearchScope())[3]
    best = wide.find(query).hits[0]
    held = documents[int(best.memory_id[2:])]
    wide.put([replace(held, memory_id="m-new", position=SESSION)])
    assert {best.memory_id, "m-new"} <= ids(wide.find(query))
    gone = [one.memory_id for one in documents[::3]]
    wide.remove([best.memory_id, *gone])
    found = ids(wide.find(query), 50)
    assert "m-new" in found
    assert not found & {best.memory_id, *gone}


def test_a_snapshot_is_scored_whole_until_it_is_trained(
    wide: MemoryIndex, documents: list[Document], tmp_path: Path
) -> None:
    wide.save(tmp_path / "index")
    loaded = MemoryIndex(DIMENSION, whole_max=WHOLE_MAX)
    loaded.load(tmp_path / "index")
    query = queries(documents, SearchScope())[5]
    assert [loaded.untrained, loaded.find(query).recall] == [True, 1]
    train(loaded)
    assert len(ids(loaded.find(query)) & ids(wide.find(query))) >= 9


def test_what_was_numbered_anew_meanwhile_is_not_adopted(documents: list[Document]) -> None:
    index = MemoryIndex(DIMENSION, whole_max=100)
    index.put(documents[:4_000])
    training = index.training()
    near = training.run()
    index.remove([one.memory_id for one in documents[:3_000]])
    assert not index.adopt(near, training)
    assert index.untrained


def test_words_alone_are_enough(wide: MemoryIndex, exact: MemoryIndex) -> None:
    query = Query("thing17 w230", None)
    found, wanted = wide.find(query).hits[:5], exact.find(query).hits[:5]
    assert [hit.memory_id for hit in found] == [hit.memory_id for hit in wanted]


def test_shares_are_how_many_a_value_stands_for() -> None:
    values, shares = np.array([1, 2, 5], np.float32), np.array([1, 2, 3], np.float32)
    repeated = standardised(np.repeat(values, [1, 2, 3]))
    assert standardised(values, None, shares) == pytest.approx(repeated[[0, 1, 3]], abs=1e-6)
