"""Tests of ranking/newest.py: versions of a statement change places, nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_retrieval.model import Candidate, Ranked, ScopeShape
from anamnesis_retrieval.ranking.newest import TOP, asks_for_now, newest_first

SCOPE = ScopeShape(term_weights=(3.0, 2.0, 1.0), absent=("where",))
NOW = "Where does Mara live now?"


def hit(
    memory_id: str, terms: set[int], time_us: int | None, name: str = "", index: int = -1
) -> Ranked:
    candidate = Candidate(
        memory_id,
        name=name,
        matched_terms=frozenset(terms),
        event_time_us=time_us,
        create_time_us=100,
        event_index=index,
    )
    return Ranked(candidate)


def order(query: str, *hits: Ranked) -> list[str]:
    return [one.candidate.memory_id for one in newest_first(query, hits, SCOPE)]


@pytest.mark.parametrize(
    ("question", "now"),
    [
        ("Where does she live now?", True),
        ("What is the latest plan?", True),
        ("Where did she live before, and where now?", False),
        ("Where did she live?", False),
        ("What did they know?", False),
        ("她目前住在哪裡？", True),
        ("她之前和目前住在哪裡？", False),
    ],
)
def test_only_questions_about_now_ask(question: str, now: bool) -> None:
    assert asks_for_now(question) is now


def test_the_newest_version_takes_the_first_place() -> None:
    hits = (hit("old", {0, 1}, 1), hit("other", {2}, 9), hit("new", {0, 1}, 5))
    assert order(NOW, *hits) == ["new", "other", "old"]


def test_without_a_cue_nothing_moves() -> None:
    assert order("Where does Mara live?", hit("old", {0}, 1), hit("new", {0}, 5)) == ["old", "new"]


def test_another_speaker_says_something_else() -> None:
    hits = (hit("old", {0, 1}, 1, name="A"), hit("new", {0, 1}, 5, name="B"))
    assert order(NOW, *hits) == ["old", "new"]


def test_other_words_are_another_statement() -> None:
    assert order(NOW, hit("old", {0}, 1), hit("new", {1, 2}, 5)) == ["old", "new"]


def test_a_hit_that_covers_little_is_no_version() -> None:
    assert order(NOW, hit("best", {0, 1}, 5), hit("old", {2}, 1), hit("new", {2}, 9)) == [
        "best",
        "old",
        "new",
    ]


def test_the_words_of_a_statement_about_something_else_make_no_version() -> None:
    rome = hit("rome", {0, 1}, 1)._replace(score=10.0)
    oslo = hit("oslo", {1, 2}, 9)._replace(score=9.0)
    far = hit("far", {0, 1}, 9)._replace(score=5.0)
    near = hit("near", {0, 1}, 8)._replace(score=7.0)
    assert order(NOW, rome, oslo) == ["rome", "oslo"]
    assert order(NOW, rome, far, near) == ["near", "far", "rome"]


def test_words_of_the_present_say_nothing_of_the_matter() -> None:
    scope = ScopeShape(term_weights=(1.0, 1.0, 9.0))
    hits = [hit("old", {0, 2}, 1), hit("new", {1, 2}, 5)]
    assert list(newest_first("Oslo mayor now", hits, scope)) == hits


def test_within_one_moment_the_place_in_the_session_decides() -> None:
    hits = (hit("first", {0, 1}, 1, index=3), hit("second", {0, 1}, 1, index=4))
    assert order(NOW, *hits) == ["second", "first"]


def test_an_undated_memory_counts_by_when_it_was_stored() -> None:
    hits = (hit("dated", {0, 1}, 99), hit("undated", {0, 1}, None))
    assert order(NOW, *hits) == ["undated", "dated"]


def test_one_word_in_common_makes_no_version() -> None:
    assert order(NOW, hit("old", {0}, 1), hit("new", {0}, 5)) == ["old", "new"]


hits = st.lists(
    st.tuples(st.sets(st.integers(0, 2)), st.integers(0, 9), st.sampled_from("AB")), max_size=14
)


@given(some=hits)
def test_nothing_is_lost_and_the_rest_stays(some: list[tuple[set[int], int, str]]) -> None:
    before = [hit(f"{at:02}", terms, us, name) for at, (terms, us, name) in enumerate(some)]
    after = newest_first(NOW, before, SCOPE)
    assert sorted(one.candidate.memory_id for one in after) == [
        one.candidate.memory_id for one in before
    ]
    assert after[TOP:] == before[TOP:]


def test_words_of_a_template_are_no_subject() -> None:
    scope = ScopeShape(term_weights=(0.5, 2.0, 1.0), absent=("italian",))
    query = "Currently, who heads the Italian government?"
    hits = [hit("italy", {0, 1, 2}, 1), hit("tucson", {0, 1, 2}, 9)]
    assert list(newest_first(query, hits, scope)) == hits


def test_words_of_the_present_say_nothing() -> None:
    scope = ScopeShape(term_weights=(2.0, 1.0), absent=())
    hits = [hit("a", {0, 1}, 1), hit("b", {0, 1}, 9)]
    assert list(newest_first("Is Mara there now?", hits, scope)) == hits


def test_a_pair_with_a_particle_does_not_keep_chinese_versions_apart() -> None:
    scope = ScopeShape(term_weights=(1.0, 6.0, 5.0, 5.0, 2.0), absent=("她目", "前的"))
    hits = (hit("old", {1, 2, 3, 4}, 1), hit("new", {2, 3, 4}, 5))
    found = newest_first("她目前的通勤安排", hits, scope)
    assert [one.candidate.memory_id for one in found] == ["new", "old"]
