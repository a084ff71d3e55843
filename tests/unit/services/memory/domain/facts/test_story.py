"""The told life: every question of `tests/data/story`, asked of the facts that were kept of it."""

from functools import cache

import pytest

from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.domain.facts.asof import holding
from anamnesis_memory.domain.facts.interval import Interval, instant_us, period
from anamnesis_memory.domain.facts.key import Statement, folded
from anamnesis_memory.domain.facts.predicates import DEFAULT, SingleValued
from anamnesis_memory.domain.facts.versions import FactState, Telling
from tests.support import story
from tests.support.fact_lines import Lines

MANIFEST = story.manifest()
QUESTIONS = story.questions()
SHARED = "shared"


def _told(row: dict[str, str]) -> Telling:
    user = row.get("private_to")
    begins = period(row["valid_from"]).first_us if row["valid_from"] else None
    ends = period(row["valid_to"], "valid_to").after_us if "valid_to" in row else None
    scope = f"user:{user}" if user else SHARED
    return Telling(
        telling_id=row["id"],
        statement=Statement(scope, row["subject"], row["predicate"], row["object"]),
        told=Interval(begins, ends),
        source=row["source"],
        confidence=MANIFEST["confidence_initial"],
        known_from_us=_instant_us(row["recorded"]),
    )


def _instant_us(written: str) -> int:
    return instant_us(story.first_instant(written))


@cache
def _life() -> tuple[Lines, tuple[str, ...]]:
    """Everything told, and the ids of what was refused."""
    lines = Lines(SingleValued(added=frozenset(MANIFEST["single_valued"])))
    refused = []
    for row in story.rows("assertions"):
        if "retract" in row:
            lines.retract(row["retract"], _instant_us(row["recorded"]))
            continue
        try:
            lines.tell(_told(row))
        except InvalidArgument:
            refused.append(row["id"])
    return lines, tuple(refused)


def _answer(question: story.Question) -> list[FactState]:
    known_at_us = _instant_us(question.known_at) if question.known_at else None
    found = holding(
        _life()[0].versions, _instant_us(question.as_of or MANIFEST["now"]), known_at_us
    )
    scopes = {SHARED, f"user:{question.caller}"}
    asked = folded(question.subject), folded(question.predicate)
    return [
        state
        for state in found
        if state.statement.scope in scopes
        and (folded(state.statement.subject), folded(state.statement.predicate)) == asked
    ]


@pytest.mark.parametrize("question", QUESTIONS, ids=[each.id for each in QUESTIONS])
def test_every_question_has_its_answer(question: story.Question) -> None:
    found = _answer(question)
    named = {(state.statement.scope, folded(state.statement.object)) for state in found}
    assert sorted(name for _, name in named) == sorted(map(folded, question.expect))
    flagged = {folded(name) for name, flags in question.flags.items() if "contradicts" in flags}
    assert {folded(each.statement.object) for each in found if each.contradicted} == flagged
    for name, confidence in question.confidence.items():
        shared = [
            state.confidence
            for state in found
            if state.statement.scope == SHARED and folded(state.statement.object) == folded(name)
        ]
        assert shared == [pytest.approx(confidence)]


def test_what_must_be_refused_is() -> None:
    assert list(_life()[1]) == MANIFEST["refused"]


def test_the_multi_valued_predicates_are_not_in_the_table() -> None:
    assert DEFAULT.isdisjoint(MANIFEST["multi_valued"])


def test_the_table_has_what_any_namespace_needs() -> None:
    of_things = {"has_front_wheel", "has_battery", "镜头"}
    assert set(MANIFEST["single_valued"]) - DEFAULT == of_things
