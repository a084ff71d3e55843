"""What the index promises its callers, case by case."""

from dataclasses import replace

import numpy as np
import pytest

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Document, FeatureWeights, Query, ScoredHits, SearchScope
from tests.unit.libs.index.makers import (
    document,
    embedded,
    filled,
    found_ids,
    long_text,
    unit,
    unit_rows,
    vectors_of,
)
from tests.unit.libs.index.reference import DIMENSION


def test_an_empty_index_finds_nothing() -> None:
    index = MemoryIndex(DIMENSION)
    assert index.find(Query("anything", unit(1))) == ScoredHits()
    assert (index.size, index.vector_count, list(index.without_vectors())) == (0, 0, [])


def test_a_scope_without_documents_finds_nothing() -> None:
    index = filled(document("a", "text"))
    assert index.find(Query("text", None, SearchScope(kinds=("semantic",)))) == ScoredHits()


def test_what_matches_comes_first_and_the_rest_is_ranked_all_the_same() -> None:
    index = filled(document("a", "a cat"), document("b", "a dog"), document("c", "a bird"))
    assert found_ids(index, "dogs") == ["b", "a", "c"]


def test_a_speakers_name_and_the_day_are_words_of_the_text() -> None:
    named = document("a", "hello", name="Caroline", event_time_us=1_683_504_000_000_000)
    index = filled(named, document("b", "hello", name="Bo"), document("c", "你好", event_time_us=0))
    assert found_ids(index, "Caroline said")[0] == "a"
    assert found_ids(index, "8 May 2023")[0] == "a"
    assert found_ids(index, "1970年")[0] == "c"


def test_what_a_tag_says_is_a_word_of_the_text_and_other_tags_are_not() -> None:
    index = filled(
        document("a", "she went home early", tags=("@p:Mara Lopez", "@t:2026-03-16")),
        document("b", "she went home early", tags=("type:Mara", "lopez", "2026-03-17")),
        document("c", "she went home early", tags=("@l:里斯本",)),
    )
    assert found_ids(index, "what did Mara do")[0] == "a"
    assert found_ids(index, "Lopez")[0] == "a"
    assert found_ids(index, "2026-03-16")[0] == "a"
    assert found_ids(index, "里斯本")[0] == "c"
    assert found_ids(index, "home", SearchScope(tags=("@P:MARA LOPEZ",))) == ["a"]


def test_of_a_scope_some_ids_may_be_named() -> None:
    index = filled(document("a", "home early"), document("b", "home late"), document("c", "away"))
    assert found_ids(index, "home", SearchScope(memory_ids=("b", "c", "z")))[0] == "b"
    assert set(found_ids(index, "home", SearchScope(memory_ids=("b", "c", "z")))) == {"b", "c"}
    assert found_ids(index, "home", SearchScope(memory_ids=())) == []
    index.remove(["b"])
    assert found_ids(index, "home", SearchScope(memory_ids=("b",))) == []


def test_a_tag_that_says_what_the_text_says_changes_no_score() -> None:
    text, query = "Mara went to Lisbon", Query("Mara in Lisbon", None)
    plain = filled(document("a", text), document("b", "nobody went"))
    tagged = filled(
        document("a", text, tags=("@p:Mara", "@l:Lisbon")), document("b", "nobody went")
    )
    assert plain.find(query) == tagged.find(query)


def test_the_cosine_is_that_of_the_best_piece() -> None:
    text = long_text(["garden"])
    vectors = vectors_of(text, 3)
    assert len(vectors) > 1
    index = filled(document("long", text, vectors=vectors), embedded("short", "garden", 9))
    assert index.vector_count == len(vectors) + 1
    hits = {hit.memory_id: hit for hit in index.find(Query("", vectors[1])).hits}
    assert hits["long"].cosine == pytest.approx(1, abs=1e-6)


def test_vectors_may_come_later_and_change_nothing_twice() -> None:
    index = filled(document("a", "tea"), embedded("b", "tea", 1))
    assert list(index.without_vectors()) == ["a"]
    index.put_vectors({"a": unit_rows(4, 1), "b": unit_rows(5, 1), "unknown": unit_rows(6, 3)})
    assert list(index.without_vectors()) == []
    assert index.vector_count == 2
    hits = {hit.memory_id: hit.cosine for hit in index.find(Query("", unit(1))).hits}
    assert hits["b"] == pytest.approx(1, abs=1e-6)


def test_a_document_without_vectors_stands_at_the_mean() -> None:
    index = filled(document("a", "x"), *[embedded(f"b{i}", "x", i) for i in range(4)])
    found = index.find(Query("", unit(2)))
    hit = next(hit for hit in found.hits if hit.memory_id == "a")
    assert (hit.dense, hit.dense_window, hit.cosine) == (0, 0, 0)
    others = [hit.dense for hit in found.hits if hit.memory_id != "a"]
    assert np.mean(others) == pytest.approx(0, abs=1e-6)
    assert np.std(others) == pytest.approx(1, abs=1e-6)


def test_an_index_without_any_vector_finds_by_text() -> None:
    index = filled(document("a", "cats"), document("b", "dogs"))
    found = index.find(Query("dogs", unit(1)))
    assert [hit.memory_id for hit in found.hits] == ["b", "a"]
    assert {(hit.dense, hit.cosine) for hit in found.hits} == {(0, 0)}


@pytest.mark.parametrize("rows", [0, 2])
def test_vectors_that_are_not_one_a_piece_are_refused_and_nothing_changes(rows: int) -> None:
    index = filled(document("a", "tea"))
    with pytest.raises(ValueError, match="shape"):
        index.put([document("b", "new"), document("a", "tea", vectors=unit_rows(1, rows))])
    with pytest.raises(ValueError, match="shape"):
        index.put_vectors({"a": unit_rows(1, rows)})
    assert (index.size, index.vector_count) == (1, 0)


def test_numbers_that_are_not_finite_are_refused() -> None:
    broken = np.full((1, DIMENSION), np.nan, np.float32)
    with pytest.raises(ValueError, match="finite"):
        filled(document("a", "tea", vectors=broken))
    with pytest.raises(ValueError, match="finite"):
        filled().find(Query("tea", broken[0]))
    with pytest.raises(ValueError, match="shape"):
        filled().find(Query("tea", np.ones(DIMENSION + 1, np.float32)))


def test_of_two_of_one_id_in_a_batch_the_last_counts() -> None:
    index = filled(document("a", "cats"), document("a", "dogs"))
    assert index.size == 1
    assert len(index.find(Query("cats dogs", None)).scope.term_weights) == 1


def test_removing_leaves_nothing_behind() -> None:
    index = filled(embedded("a", "secret"), embedded("b", "other", 1))
    index.remove(["a", "unknown"])
    found = index.find(Query("secret", unit(0)))
    assert [hit.memory_id for hit in found.hits] == ["b"]
    assert found.scope.term_weights == ()
    assert (index.size, index.vector_count) == (1, 1)


def test_the_limit_keeps_the_best() -> None:
    index = filled(*[document(f"m{i:02d}", f"tea {'cup ' * i}") for i in range(20)])
    everything = index.find(Query("cup", None)).hits
    assert index.find(Query("cup", None, limit=5)).hits == everything[:5]
    nothing = index.find(Query("cup", None, limit=0))
    assert (list(nothing.hits), nothing.scope.size) == ([], 20)


def test_equals_stand_by_time_of_storing_then_id() -> None:
    times = {"c": 1, "b": 2, "a": 2, "d": 0}
    same = [embedded(i, "the same words", 1, create_time_us=t) for i, t in times.items()]
    index = filled(*same)
    found = index.find(Query("words", unit(7), limit=3))
    assert [hit.memory_id for hit in found.hits] == ["d", "c", "a"]


def test_weights_decide_what_is_best() -> None:
    index = filled(embedded("text", "zebra", 1), embedded("vector", "other", 2))
    query = Query("zebra", unit(2))
    only_text = replace(query, weights=FeatureWeights(1, 0, 0, 0))
    only_dense = replace(query, weights=FeatureWeights(0, 0, 1, 0))
    assert index.find(only_text).hits[0].memory_id == "text"
    assert index.find(only_dense).hits[0].memory_id == "vector"
    assert index.find(only_dense).hits[0].score == index.find(only_dense).hits[0].dense


def test_an_answer_shares_in_the_fit_of_its_question() -> None:
    talk = [
        document("ask", "Do you like zebras?", session_id="s", position=0),
        document("answer", "Very much.", session_id="s", position=1),
        document("after", "Fine.", session_id="s", position=2),
    ]
    found = filled(*talk).find(Query("zebras", None, weights=FeatureWeights(text=3)))
    hits = {hit.memory_id: hit for hit in found.hits}
    assert hits["answer"].answered_score == pytest.approx(3 * hits["ask"].text)
    assert hits["ask"].answered_score == hits["after"].answered_score == 0


def test_matched_terms_point_at_the_weights_of_terms_that_the_scope_has() -> None:
    index = filled(document("a", "cats"), document("b", "cats and dogs"))
    found = index.find(Query("unicorns, dogs, cats and dogs", None))
    matched = {hit.memory_id: hit.matched_terms for hit in found.hits}
    assert matched == {"a": (1,), "b": (0, 1)}
    assert found.scope.term_weights[0] > found.scope.term_weights[1] > 0


def crowd(count: int, start: int = 0) -> list[Document]:
    return [embedded(f"m{i}", f"word{i} shared", i % 50) for i in range(start, start + count)]


def test_compaction_changes_no_answer_and_gives_memory_back() -> None:
    index = filled(*crowd(1500), document("late", "word1 no vector"))
    before = index.memory_bytes
    index.remove([f"m{i}" for i in range(100, 1500)])
    assert index.memory_bytes < before / 2
    fresh = filled(*crowd(100), document("late", "word1 no vector"))
    query = Query("word7 shared word1", unit(3))
    assert index.find(query) == fresh.find(query)
    index.put(crowd(5, start=2000))
    fresh.put(crowd(5, start=2000))
    assert index.find(query) == fresh.find(query)


def test_a_narrow_scope_of_many_documents_scores_the_same() -> None:
    """Few rows of many are gathered rather than all scored: the values must not differ."""
    few = [replace(each, kind="semantic") for each in crowd(5, start=3000)]
    query = Query("shared", unit(3), SearchScope(kinds=("semantic",)))
    assert filled(*crowd(200), *few).find(query) == filled(*few).find(query)


def test_one_late_turn_in_a_large_index_stands_where_a_rebuild_puts_it() -> None:
    talk = [replace(d, session_id="s", position=i, name="Ann") for i, d in enumerate(crowd(400))]
    late = filled(*talk[:150], *talk[151:])
    query = Query("word150 word3", unit(3))
    late.find(query)
    late.put([talk[150]])
    assert late.find(query) == filled(*talk).find(query)


def test_more_scopes_than_are_kept_answer_the_same_again() -> None:
    index = filled(*crowd(10))
    scopes = [SearchScope(min_importance=number / 100) for number in range(12)]
    first = [index.find(Query("word1", unit(1), scope)) for scope in scopes]
    assert [index.find(Query("word1", unit(1), scope)) for scope in scopes] == first


def test_memory_grows_with_what_is_held() -> None:
    small, large = filled(*crowd(10)), filled(*crowd(1000))
    vectors_bytes = 1000 * DIMENSION * 4
    assert large.memory_bytes > small.memory_bytes + vectors_bytes


def test_the_newest_are_by_when_they_happened_or_were_stored_and_then_by_their_place() -> None:
    index = filled(
        document("a", "one", event_time_us=5, create_time_us=90, session_id="s", position=1),
        document("b", "two", event_time_us=5, create_time_us=90, session_id="s", position=2),
        document("c", "three", create_time_us=9),
        document("d", "four", event_time_us=2, create_time_us=99),
    )
    index.put([document("e", "five", kind="semantic", event_time_us=99, valid_to_us=100)])
    asked = Query("", None, limit=3, newest_first=True, open_at_us=100)
    assert [hit.memory_id for hit in index.find(asked).hits] == ["c", "b", "a"], "e has ended"
