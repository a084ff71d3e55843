"""Tests of facts and the drawers they were taken from taking one place."""

from services.retrieval.grouping import grouped
from services.retrieval.model import Candidate, Ranked, Term


def hit(memory_id: str, score: float, *sources: str) -> Ranked:
    terms, values = (Term("text", 1.0),), (score,)
    return Ranked(Candidate(memory_id, source_ids=sources), terms, values, score)


def shown(*ranked: Ranked) -> list[tuple[str, float, bool]]:
    return [(one.candidate.memory_id, one.score, one.by_fact) for one in grouped(ranked)]


def test_a_fact_lifts_its_drawer_to_its_own_place() -> None:
    ranking = (hit("fact", 3.0, "drawer"), hit("other", 2.0), hit("drawer", 1.0))
    assert shown(*ranking) == [("drawer", 3.0, True), ("other", 2.0, False)]


def test_a_fact_behind_its_drawer_changes_nothing() -> None:
    ranking = (hit("drawer", 3.0), hit("fact", 2.0, "drawer"), hit("other", 1.0))
    assert shown(*ranking) == [("drawer", 3.0, False), ("other", 1.0, False)]


def test_a_fact_without_its_drawer_stands_for_itself() -> None:
    ranking = (hit("fact", 3.0, "gone"), hit("other", 2.0))
    assert shown(*ranking) == [("fact", 3.0, False), ("other", 2.0, False)]


def test_a_fact_of_several_drawers_lifts_each_once() -> None:
    ranking = (hit("fact", 3.0, "a", "b"), hit("again", 2.0, "b"), hit("b", 1.0), hit("a", 0.5))
    assert shown(*ranking) == [("a", 3.0, True), ("b", 3.0, True)]


def test_the_score_that_is_explained_is_that_of_the_fact() -> None:
    (first,) = grouped([hit("fact", 3.0, "drawer"), hit("drawer", 1.0)])
    assert sum(factor.contribution for factor in first.factors) == first.score == 3.0
    assert "fact" in first.routes
