"""What an answer says beside scores: what stands, what is related, what came right before."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.chunking import split
from anamnesis_libs.index.port import Document, Happened, Query, SearchScope, Standing
from tests.unit.libs.index.makers import (
    QUERIES,
    conversations,
    document,
    documents,
    embedded,
    filled,
    long_text,
    unit_rows,
)
from tests.unit.libs.index.reference import takes_part

RULES = Standing(("rule", "note"), 2)


def test_what_stands_is_answered_behind_the_others_and_none_twice() -> None:
    index = filled(
        document("rule-far", "use metric units", category="rule"),
        document("rule-near", "the cat sleeps outside", category="rule"),
        document("cat", "a cat and another cat"),
        document("dog", "a dog"),
    )
    query = Query("cat", None, limit=2, standing=(RULES,))
    assert [hit.memory_id for hit in index.find(query).hits] == ["cat", "rule-near", "rule-far"]
    none = index.find(replace(query, standing=()))
    assert [hit.memory_id for hit in none.hits] == ["cat", "rule-near"]
    assert index.find(query).hits[2].category == "rule"


def test_what_happened_in_a_time_is_answered_behind_the_others_whatever_it_says() -> None:
    index = filled(
        document("cat", "a cat and another cat", event_time_us=1),
        document("morning", "bread was baked", event_time_us=10),
        document("noon", "the cat slept", event_time_us=19),
        document("evening", "the door was shut", event_time_us=20),
        document("undated", "bread was eaten"),
    )
    query = Query("cat", None, limit=1, happened=Happened(10, 20, 5))
    assert [hit.memory_id for hit in index.find(query).hits] == ["cat", "noon", "morning"]
    few = index.find(replace(query, happened=Happened(10, 20, 1)))
    assert [hit.memory_id for hit in few.hits] == ["cat", "noon"]
    hidden = replace(query, scope=SearchScope(memory_ids=("cat", "evening")))
    assert [hit.memory_id for hit in index.find(hidden).hits] == ["cat"]


def test_what_had_ended_is_no_answer_but_so_many_behind_the_others() -> None:
    index = filled(
        document("past", "the cat lives here", valid_to_us=5),
        document("older", "the cat was there", valid_to_us=3),
        document("present", "the cat lives there", valid_from_us=5),
        document("rule", "use metric units", category="rule", valid_to_us=2),
    )
    query = Query("cat lives here", None, standing=(RULES,))
    assert len(index.find(query).hits) == 4
    still = index.find(replace(query, open_at_us=4))
    assert [hit.memory_id for hit in still.hits] == ["past", "present"]
    assert [hit.memory_id for hit in index.find(replace(query, open_at_us=5)).hits] == ["present"]
    both = index.find(replace(query, open_at_us=5, ended_max=2))
    assert [(hit.memory_id, hit.ended) for hit in both.hits] == [
        ("present", False),
        ("past", True),
        ("older", True),
    ]
    assert both.scope == index.find(query).scope


@given(made=st.lists(documents(), max_size=16), query=QUERIES, limit=st.integers(1, 5))
def test_what_stands_changes_nothing_of_the_others(
    made: list[Document], query: Query, limit: int
) -> None:
    index = filled(*made)
    plain = index.find(replace(query, limit=limit))
    found = index.find(replace(query, limit=limit, standing=(RULES,)))
    assert list(found.hits[: len(plain.hits)]) == list(plain.hits)
    ids = [hit.memory_id for hit in found.hits]
    assert len(ids) == len(set(ids))
    behind = found.hits[len(plain.hits) :]
    assert len(behind) <= RULES.limit
    assert all(hit.category in RULES.categories for hit in behind)
    assert [hit.score for hit in behind] == sorted((hit.score for hit in behind), reverse=True)


@given(
    made=st.lists(documents(), max_size=16) | conversations(),
    query=QUERIES,
)
def test_nothing_of_another_caller_is_told_by_any_field(made: list[Document], query: Query) -> None:
    index = filled(*made)
    held = {one.memory_id: one for one in made}
    inside = {key for key, one in held.items() if takes_part(one, query.scope)}
    for hit in index.find(replace(query, standing=(RULES,))).hits:
        assert hit.memory_id in inside
        assert hit.previous_id in {"", *inside}
        if hit.previous_id:
            own, before = held[hit.memory_id], held[hit.previous_id]
            assert own.session_id == before.session_id
        assert hit.category == held[hit.memory_id].category
        assert 0 <= hit.nearest_piece < len(split(held[hit.memory_id].text))


def test_right_before_is_the_nearest_of_the_session_that_takes_part() -> None:
    turns = [
        document("a", "where are you", session_id="s", position=0),
        document(
            "b", "nobody may know", session_id="s", position=1, visibility="private_to_user",
            user_id="ada",
        ),
        document("c", "in the garden", session_id="s", position=2),
        document("d", "elsewhere", session_id="t", position=3),
    ]  # fmt: skip
    index = filled(*turns)

    def before(user: str) -> dict[str, str]:
        found = index.find(Query("garden", None, SearchScope(caller_user=user)))
        return {hit.memory_id: hit.previous_id for hit in found.hits}

    assert before("ada") == {"a": "", "b": "a", "c": "b", "d": ""}
    assert "b" not in {*before("bob"), *before("bob").values()}
    assert before("")["d"] == ""


def test_a_private_rule_stands_for_its_owner_alone() -> None:
    index = filled(
        document("own", "never push", category="rule", visibility="private_to_user", user_id="ada"),
        document("all", "tea", category=""),
    )
    query = Query("tea", None, limit=1, standing=(RULES,))
    for user, told in (("ada", ["all", "own"]), ("bob", ["all"]), ("", ["all"])):
        found = index.find(replace(query, scope=SearchScope(caller_user=user)))
        assert [hit.memory_id for hit in found.hits] == told


def test_related_words_change_the_order_and_are_no_matched_terms() -> None:
    index = filled(
        document("a", "a bird in the tree"),
        document("b", "we moved to Porto"),
        document("c", "tea"),
    )
    query = Query("where do I live", None)
    assert index.find(query).hits[0].memory_id == "a"
    found = index.find(replace(query, related_words="moved relocate"))
    assert found.hits[0].memory_id == "b"
    assert all(hit.matched_terms == () for hit in found.hits)
    assert found.scope == index.find(query).scope


def test_a_related_word_weighs_less_than_one_of_the_query_and_none_twice() -> None:
    index = filled(document("a", "we moved away"), document("b", "we live here"))
    found = index.find(Query("live", None, related_words="moved live"))
    assert [hit.memory_id for hit in found.hits] == ["b", "a"]
    own = index.find(Query("live", None)).hits[0]
    assert index.find(Query("live", None, related_words="live")).hits[0] == own


def test_terms_that_the_scope_lacks_are_named_as_the_index_writes_them() -> None:
    index = filled(document("a", "two cats"))
    found = index.find(Query("Zeppelins and cats, zeppelin", None, related_words="airship"))
    assert found.scope.absent == ("zeppelin",)
    assert len(found.scope.term_weights) == 1


def test_the_nearest_piece_is_told_by_its_number() -> None:
    text = long_text(["garden"])
    vectors = unit_rows(3, len(split(text)))
    assert len(vectors) > 2
    index = filled(document("long", text, vectors=vectors), embedded("short", "garden", 9))
    for number, vector in enumerate(vectors):
        hits = {hit.memory_id: hit for hit in index.find(Query("", vector)).hits}
        assert hits["long"].nearest_piece == number
        assert hits["short"].nearest_piece == 0
    assert {hit.nearest_piece for hit in index.find(Query("garden", None)).hits} == {0}
