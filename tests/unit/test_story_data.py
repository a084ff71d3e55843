"""The told life holds to its own page, and the naive model of facts to its answers."""

from collections import Counter
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise

import pytest

from tests.support import story
from tests.support.each_row import over
from tests.support.naive_facts import (
    CONFIDENCE_STEP,
    NEVER,
    SHARED,
    Held,
    Retracted,
    Told,
    about,
    facts,
    folded,
    holding,
    refused,
)

MANIFEST = story.manifest()
ENTRIES = story.entries()
QUESTIONS = story.questions()
TOLD = {entry.id: entry for entry in ENTRIES if isinstance(entry, Told)}


def _instant(written: str | None, otherwise: datetime) -> datetime:
    return story.first_instant(written) if written else otherwise


@cache
def _known(known_at: datetime) -> list[Held]:
    return facts(ENTRIES, MANIFEST["single_valued"], known_at)


def _answer(question: story.Question) -> list[Held]:
    then = _known(_instant(question.known_at, NEVER))
    now = story.first_instant(MANIFEST["now"])
    asked = about(then, question.subject, question.predicate)
    return holding(asked, _instant(question.as_of, now), question.caller)


@pytest.mark.parametrize("question", QUESTIONS, ids=[each.id for each in QUESTIONS])
def test_the_naive_model_agrees(question: story.Question) -> None:
    found = _answer(question)
    named = {(fact.line[0], folded(fact.object)) for fact in found}
    assert sorted(name for _, name in named) == sorted(map(folded, question.expect))
    flagged = {folded(name) for name, flags in question.flags.items() if "contradicts" in flags}
    assert {folded(fact.object) for fact in found if fact.contradicts} == flagged
    for name, confidence in question.confidence.items():
        shared = [f for f in found if f.line[0] == SHARED and folded(f.object) == folded(name)]
        assert [fact.confidence for fact in shared] == [pytest.approx(confidence)]


def test_entries_are_in_the_order_of_their_record() -> None:
    assert all(before.recorded < after.recorded for before, after in pairwise(ENTRIES))
    assert len({entry.id for entry in ENTRIES}) == len(ENTRIES) == 122


def test_what_must_be_refused_is_listed() -> None:
    assert [entry.id for entry in TOLD.values() if refused(entry)] == MANIFEST["refused"]


def test_a_retraction_names_something_earlier() -> None:
    gone = [entry for entry in ENTRIES if isinstance(entry, Retracted)]
    assert len(gone) == 8
    assert all(TOLD[each.of].recorded < each.recorded for each in gone)


def test_every_predicate_is_listed_once() -> None:
    listed = Counter(MANIFEST["single_valued"] + MANIFEST["multi_valued"])
    assert listed.keys() == {entry.predicate for entry in TOLD.values()}
    assert set(listed.values()) == {1}
    assert MANIFEST["confidence_step"] == CONFIDENCE_STEP


@over(story.rows("assertions"), lambda row: row["id"])
def test_the_stated_precision_is_that_of_the_beginning(row: dict[str, str]) -> None:
    if "retract" not in row:
        written = row["valid_from"]
        assert row["time_precision"] == (story.precision(written) if written else "")


def test_questions_are_unique() -> None:
    asked = Counter((q.subject, q.predicate, q.as_of, q.known_at, q.caller) for q in QUESTIONS)
    assert max(asked.values()) == 1
    assert len({each.id for each in QUESTIONS}) == len(QUESTIONS) == 180


def test_flags_and_confidences_are_of_expected_objects() -> None:
    for question in QUESTIONS:
        assert {*question.flags, *question.confidence} <= set(question.expect)


def test_every_kind_of_answer_is_asked_for() -> None:
    sizes = Counter(min(len(each.expect), 2) for each in QUESTIONS)
    assert min(sizes.values()) >= 20
    assert sum(each.known_at is not None for each in QUESTIONS) >= 40
    assert sum(each.caller != SHARED for each in QUESTIONS) >= 8
    assert sum(bool(each.flags) for each in QUESTIONS) >= 6


@pytest.mark.slow
def test_what_the_page_says_is_not_covered_does_not_occur() -> None:
    """Never are there two intervals of one text with the same beginning."""
    for known_at in {entry.recorded for entry in ENTRIES}:
        seen = Counter((each.line, folded(each.object), each.start) for each in _known(known_at))
        assert max(seen.values()) == 1


def test_a_period_ends_with_its_last_instant() -> None:
    for written, days in {"2016": 366, "2019-02": 28, "2019-W10": 7, "2020-12-31": 1}.items():
        length = story.end_instant(written) - story.first_instant(written)
        assert length == timedelta(days=days)
    assert story.end_instant("2019-W40").isoformat() == "2019-10-07T00:00:00+00:00"
