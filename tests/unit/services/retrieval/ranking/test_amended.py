"""Tests of ranking/amended.py: an amendment stands before what it amends."""

from anamnesis_libs.talk.standing import AMENDMENT
from anamnesis_retrieval.model import Candidate, Ranked
from anamnesis_retrieval.ranking.amended import BEST, SESSIONS, amendments_first

QUESTION = "How do we retry?"


def hit(session: str, day: int, score: float, category: str = "") -> Ranked:
    memory_id = f"{session}-{score:g}"
    candidate = Candidate(memory_id, session_id=session, event_time_us=day, category=category)
    return Ranked(candidate, score=score)


def order(*hits: Ranked, question: str = QUESTION) -> list[str]:
    return [one.candidate.memory_id for one in amendments_first(question, hits)]


def test_the_best_hit_of_an_amending_session_stands_before_the_older_one() -> None:
    hits = hit("old", 1, 9), hit("old", 1, 8), hit("new", 2, 7), hit("new", 2, 6, AMENDMENT)
    assert order(*hits) == ["new-7", "old-9", "old-8", "new-6"]


def test_of_several_older_sessions_the_nearest_by_score_is_amended() -> None:
    hits = hit("like", 1, 9), hit("old", 1, 7), hit("new", 2, 6, AMENDMENT)
    assert order(*hits) == ["like-9", "new-6", "old-7"]


def test_a_newer_session_is_not_what_was_amended() -> None:
    hits = hit("old", 1, 9), hit("newest", 3, 7), hit("new", 2, 6, AMENDMENT)
    assert order(*hits) == ["new-6", "old-9", "newest-7"]


def test_an_amendment_of_an_amendment_comes_first() -> None:
    hits = hit("old", 1, 9), hit("new", 2, 8, AMENDMENT), hit("newest", 3, 7, AMENDMENT)
    assert order(*hits) == ["newest-7", "new-8", "old-9"]


def test_who_asks_how_things_were_gets_them_as_they_rank() -> None:
    hits = hit("old", 1, 9), hit("new", 2, 8, AMENDMENT)
    assert order(*hits, question="What was our original retry policy?") == ["old-9", "new-8"]


def test_what_ranks_far_below_amends_something_else() -> None:
    assert order(hit("old", 1, 9), hit("new", 2, 4, AMENDMENT)) == ["old-9", "new-4"]
    others = [hit(f"other{n}", 3, 9 - n / 10) for n in range(SESSIONS)]
    hits = hit("old", 1, 9), *others, hit("new", 2, 8, AMENDMENT)
    assert order(*hits) == [one.candidate.memory_id for one in hits]
    more = [hit("old", 1, 9 - n / 100) for n in range(BEST)]
    hits = *more, hit("new", 2, 8, AMENDMENT)
    assert order(*hits) == [one.candidate.memory_id for one in hits]


def test_without_an_amendment_nothing_moves() -> None:
    assert order(hit("old", 1, 9), hit("new", 2, 8, "rule")) == ["old-9", "new-8"]
