"""Tests of ranking/recency.py: what is new and important counts beside what answers."""

from datetime import UTC, datetime, timedelta

import pytest

from anamnesis_retrieval.model import Candidate, Ranked, Ranking, Term
from anamnesis_retrieval.ranking.recency import SHARES, recency, reweighed

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def hit(memory_id: str, score: float, days: float, importance: float = 0.5) -> Ranked:
    then = NOW - timedelta(days=days)
    candidate = Candidate(
        memory_id, event_time_us=int(then.timestamp() * 1_000_000), importance=importance
    )
    return Ranked(candidate, (Term("text", 1.0),), (score,), score)


def order(ranking: Ranking, *hits: Ranked) -> list[str]:
    return [one.candidate.memory_id for one in reweighed(hits, ranking, NOW)]


@pytest.mark.parametrize(("days", "value"), [(0, 1.0), (7, 0.5), (14, 0.25), (-3, 1.0)])
def test_recency_halves_in_each_half_life(days: float, value: float) -> None:
    now_us = int(NOW.timestamp() * 1_000_000)
    assert recency(hit("a", 1, days), timedelta(days=7), now_us) == pytest.approx(value)


def test_relevance_leaves_the_order_and_the_scores() -> None:
    hits = [hit("old", 9, 400), hit("new", 3, 0)]
    assert reweighed(hits, Ranking.RELEVANCE, NOW) == hits


def test_recent_puts_the_new_first_where_both_are_relevant() -> None:
    assert order(Ranking.RECENT, hit("old", 9, 400), hit("new", 3, 1)) == ["new", "old"]
    assert order(Ranking.RECENT, hit("best", 9, 400), hit("worse", 3, 500)) == ["best", "worse"]


def test_balanced_weighs_importance_too() -> None:
    plain, important = hit("plain", 5, 90), hit("important", 4, 90, importance=1.0)
    assert order(Ranking.BALANCED, plain, important) == ["important", "plain"]
    assert order(Ranking.RECENT, plain, important) == ["plain", "important"]


@pytest.mark.parametrize("ranking", list(SHARES))
def test_a_score_is_the_sum_of_its_contributions(ranking: Ranking) -> None:
    for one in reweighed([hit("a", 8, 3), hit("b", -2, 1)], ranking, NOW):
        assert one.score == pytest.approx(sum(factor.contribution for factor in one.factors))
        assert "recency" in {factor.name for factor in one.factors}


def test_where_nothing_speaks_for_anything_the_order_stays() -> None:
    assert order(Ranking.RECENT, hit("a", -1, 9), hit("b", -2, 0)) == ["a", "b"]
