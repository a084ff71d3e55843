"""Tests of facts and the drawers they were taken from taking one place."""

from anamnesis_retrieval.model import Candidate, Ranked, Term
from anamnesis_retrieval.ranking.grouping import grouped


def hit(memory_id: str, score: float, *sources: str) -> Ranked:
    terms, values = (Term("text", 1.0),), (score,)
    candidate = Candidate(memory_id, source_ids=sources, is_drawer=not sources)
    return Ranked(candidate, terms, values, score)


def shown(*ranked: Ranked) -> list[tuple[str, float, bool]]:
    return [(one.candidate.memory_id, one.score, one.by_fact) for one in grouped(ranked)]


def test_a_fact_lifts_its_drawer_to_the_mean_of_both() -> None:
    ranking = (hit("fact", 5.0, "drawer"), hit("other", 2.0), hit("drawer", 1.0))
    assert shown(*ranking) == [("drawer", 3.0, True), ("other", 2.0, False)]


def test_a_fact_lifts_no_further_than_that() -> None:
    ranking = (hit("fact", 5.0, "drawer"), hit("other", 4.0), hit("drawer", 1.0))
    assert shown(*ranking) == [("other", 4.0, False), ("drawer", 3.0, True)]


def test_a_fact_behind_its_drawer_changes_nothing() -> None:
    ranking = (hit("drawer", 3.0), hit("fact", 2.0, "drawer"), hit("other", 1.0))
    assert shown(*ranking) == [("drawer", 3.0, False), ("other", 1.0, False)]


def test_a_fact_without_its_drawer_stands_for_itself() -> None:
    ranking = (hit("fact", 3.0, "gone"), hit("other", 2.0))
    assert shown(*ranking) == [("fact", 3.0, False), ("other", 2.0, False)]


def test_what_was_concluded_from_a_fact_stands_for_itself() -> None:
    ranking = (hit("fact", 3.0, "drawer"), hit("concluded", 1.5, "fact"), hit("drawer", 1.0))
    assert shown(*ranking) == [("drawer", 2.0, True), ("concluded", 1.5, False)]


def test_the_best_fact_of_a_drawer_counts_and_one_fact_may_lift_several() -> None:
    ranking = (hit("fact", 5.0, "a", "b"), hit("again", 4.0, "b"), hit("b", 3.0), hit("a", 1.0))
    assert shown(*ranking) == [("b", 4.0, True), ("a", 3.0, True)]


def test_the_score_that_is_explained_is_the_score() -> None:
    (first,) = grouped([hit("fact", 3.0, "drawer"), hit("drawer", 1.0)])
    assert sum(factor.contribution for factor in first.factors) == first.score == 2.0
    assert "fact" in first.routes
