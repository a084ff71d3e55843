"""Ends of what is held: under other predicates, by looser names, and never of what came later."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.closing.ends import with_ends
from anamnesis_ingestion.learning.closing.rivals import rivals
from anamnesis_ingestion.learning.knowledge import Dated, FactKind, Held, LearnedFact, Precision

JANUARY, MARCH = datetime(2025, 1, 5, tzinfo=UTC), datetime(2025, 3, 5, tzinfo=UTC)


def told(predicate: str, thing: str, *, ended: bool = False, subject: str = "Ada") -> LearnedFact:
    return LearnedFact(
        statement=f"{subject} {predicate} {thing}",
        subject=subject,
        predicate=predicate,
        object=thing,
        kind=FactKind.PREFERENCE,
        sources=(0,),
        ended=ended,
        said_at=MARCH,
    )


def deed(predicate: str, statement: str, *, off: bool = False) -> LearnedFact:
    """Something that happened; with `off` a plan that was called off."""
    fact = told(predicate, statement, ended=off)
    return replace(fact, kind=FactKind.EXPERIENCE, statement=f"Ada {statement}", ends_only=off)


def closed(
    facts: list[LearnedFact], *held: tuple[str, str], at: datetime | None = JANUARY
) -> set[tuple[str, str]]:
    """The held facts that the new ones end."""
    known = [Held("Ada", predicate, thing, at) for predicate, thing in held]
    ended = {(each.predicate, each.object) for each in with_ends(facts, known) if each.ended}
    return ended & set(held)


@pytest.mark.parametrize(
    ("new", "held"),
    [
        (told("dislikes", "brass bands"), ("likes", "brass bands")),
        (told("likes", "thriller films"), ("dislikes", "thriller movies")),
        (told("likes", "spicy dishes"), ("dislikes", "spicy food")),
        (told("uses", "espresso", ended=True), ("drinks", "black espresso")),
        (told("uses", "Zed", ended=True), ("main_editor", "Zed")),
        (told("does", "coaching", ended=True), ("is", "coaching for the juniors")),
        (told("owns", "Leica", ended=True), ("owns", "Leica camera")),
        (told("owns", "富士", ended=True), ("owns", "富士相机")),
        (told("owns", "车", ended=True), ("owns", "大众")),
        (told("owns", "car", ended=True), ("owns", "Saab 900")),
        (told("employment_status", "unemployed"), ("works_at", "Nordvik")),
        (told("employment_status", "retired"), ("works_as", "teacher")),
        (told("employment_status", "retired"), ("works_in", "technology")),
        (told("employment_status", "退休"), ("works_in", "医院")),
        (told("employment_status", "辞职"), ("works_at", "美团")),
        (told("is", "pescatarian"), ("is", "vegetarian")),
        (told("gave_up", "smoking"), ("does", "smoke")),
        (told("married_to", "Ole"), ("marital_status", "single")),
    ],
)
def test_what_excludes_what_is_held_ends_it(new: LearnedFact, held: tuple[str, str]) -> None:
    assert closed([new], held) == {held}


@pytest.mark.parametrize(
    ("new", "held"),
    [
        (told("dislikes", "jazz"), ("likes", "smooth jazz")),
        (told("dislikes", "jazz clubs"), ("likes", "jazz")),
        (told("avoids", "sugar"), ("likes", "sugar")),
        (told("owns", "camera", ended=True), ("owns", "Leica")),
        (told("owns", "car", ended=True), ("owns", "Leica")),
        (told("owns", "piano", ended=True), ("owns", "piano bench")),
        (told("uses", "espresso", ended=True), ("likes", "espresso")),
        (told("dislikes", "jazz", subject="Bo"), ("likes", "jazz")),
    ],
)
def test_what_may_hold_beside_it_stays(new: LearnedFact, held: tuple[str, str]) -> None:
    assert closed([new], held) == set()


def test_what_was_told_later_is_not_ended_by_what_was_told_before() -> None:
    later = datetime(2025, 6, 1, tzinfo=UTC)
    assert closed([told("likes", "jazz")], ("dislikes", "jazz"), at=later) == set()
    assert closed([told("likes", "jazz")], ("dislikes", "jazz"), at=None) == {("dislikes", "jazz")}


def test_what_two_things_have_in_common_did_not_end() -> None:
    facts = [
        told("prefers", "long beach holidays", ended=True),
        told("prefers", "long city holidays that are cheap"),
    ]
    held = ("prefers", "beach holidays")
    assert closed(facts, held) == {held}
    assert closed(facts, ("prefers", "holidays")) == set()


def test_an_end_is_told_as_it_was_held() -> None:
    held = Held("ada", "likes", "Brass Bands", JANUARY)
    *_, end = with_ends([told("dislikes", "brass bands")], [held])
    assert (end.subject, end.predicate, end.object) == ("ada", "likes", "Brass Bands")
    assert (end.ended, end.said_at, end.time.since, end.time.until) == (True, MARCH, None, None)


def test_a_change_of_mind_in_one_talk_ends_what_was_said_first() -> None:
    facts = [told("likes", "rowing"), told("dislikes", "rowing")]
    ends = [(each.predicate, each.object) for each in with_ends(facts, []) if each.ended]
    assert ends == [("likes", "rowing")]


@pytest.mark.parametrize(
    ("first", "then", "ended"),
    [
        (("likes", "jazz"), ("dislikes", "jazz"), True),
        (("works_at", "Nordvik"), ("employment_status", "unemployed"), True),
        (("likes", "jazz"), ("dislikes", "jazz clubs"), False),
    ],
)
def test_what_is_learned_late_is_ended_by_what_was_told_later(
    first: tuple[str, str], then: tuple[str, str], ended: bool
) -> None:
    june = datetime(2025, 6, 1, tzinfo=UTC)
    new, *ends = with_ends([told(*first)], [Held("Ada", *then, told_at=june)])
    assert new.ended is False
    assert [(each.predicate, each.object, each.time.until) for each in ends] == [
        (*first, june)
    ] * ended


def test_an_end_that_is_known_ends_what_is_learned_late_and_said_more_narrowly() -> None:
    june = datetime(2025, 6, 1, tzinfo=UTC)
    over = Held("Ada", "drinks", "coffee", JANUARY, ended=True, until=june)
    _, end = with_ends([told("drinks", "decaf coffee")], [over])
    assert (end.object, end.ended, end.time.until) == ("decaf coffee", True, june)


@pytest.mark.parametrize(
    ("fact", "asked"),
    [
        (told("dislikes", "jazz"), {"likes", "prefers", "dislikes"}),
        (told("works_at", "Nordvik"), {"works_at", "employment_status", "commute"}),
        (told("visited", "Oslo"), {"visited"}),
        (told("uses", "Zed", ended=True), {"", "uses", "drinks", "eats", "plays", "prefers"}),
    ],
)
def test_only_what_may_end_or_be_ended_is_asked_for(fact: LearnedFact, asked: set[str]) -> None:
    assert set(rivals(fact)) == {("Ada", each) for each in asked}


@pytest.mark.parametrize(
    ("new", "plan", "over"),
    [
        (deed("did", "bought a flat in Perth"), "buy a flat in Perth this summer", True),
        (deed("lives_in", "moved to Perth"), "move to Perth", True),
        (deed("plans", "Perth flat", off=True), "buy a flat in Perth", True),
        (deed("plans", "trip to Rome", off=True), "go to Rome in May", True),
        (deed("plans", "trip", off=True), "go to Rome in May", False),
        (deed("plans", "course", off=True), "buy a flat in Perth", False),
        (deed("did", "sold a flat in Perth"), "buy a flat in Perth", False),
        (deed("does", "is getting ready to move to Perth"), "move to Perth", False),
        (deed("plans", "buy a flat in Perth"), "buy a flat in Perth", False),
        (deed("lives_in", "大理"), "搬去大理", True),
        (deed("visited", "大理"), "搬去大理", False),
        (deed("lives_in", "昆明"), "搬去大理", False),
        (deed("employment_status", "辞职"), "辞职", True),
        (deed("plans", "婚礼", off=True), "办婚礼", True),
    ],
)
def test_a_plan_ends_when_it_is_carried_out_or_called_off(
    new: LearnedFact, plan: str, over: bool
) -> None:
    assert closed([new], ("plans", plan)) == ({("plans", plan)} if over else set())


def test_what_only_ends_is_no_fact_where_nothing_is_held() -> None:
    assert list(with_ends([deed("plans", "Perth flat", off=True)], [])) == []


def test_what_happened_before_a_plan_is_not_what_was_planned() -> None:
    year = Dated(datetime(2010, 1, 1, tzinfo=UTC), None, Precision.YEAR)
    before = replace(deed("did", "visited Rome"), time=year)
    assert closed([before], ("plans", "visit Rome")) == set()


def test_the_job_that_was_told_with_an_employer_is_over_with_it() -> None:
    left = told("works_at", "Veltrix", ended=True)
    employer = Held("Ada", "works_at", "Veltrix", JANUARY)
    there = Held("Ada", "works_as", "analyst", JANUARY)
    elsewhere = Held("Ada", "works_as", "painter", datetime(2025, 2, 1, tzinfo=UTC))
    ended = {each.object for each in with_ends([left], [employer, there, elsewhere]) if each.ended}
    assert ended == {"Veltrix", "analyst"}
    assert ("Ada", "works_as") in set(rivals(left))
