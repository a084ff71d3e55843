"""Tests of what the ledger takes: by number, by importance, by length."""

from dataclasses import replace

import pytest

from anamnesis_ingestion.learning.knowledge import (
    EntityKind,
    FactKind,
    Knowledge,
    LearnedFact,
    LearnedLesson,
    LearnedMention,
    LearnedProcedure,
    Refused,
    Step,
)
from anamnesis_ingestion.pipeline.bounds import LEARNED_MAX, MENTIONS_MAX, fitting, short_words
from anamnesis_ingestion.segmentation.tasks import TaskCut

FACT = LearnedFact(
    statement="Ada keeps bees",
    subject="Ada",
    predicate="keeps",
    object="bees",
    kind=FactKind.EXPERIENCE,
    sources=(0,),
)
LESSON = LearnedLesson(
    title="Wash figs", context="in July", resolution="wash them", category="life", sources=(0,)
)
PROCEDURE = LearnedProcedure(
    name="harvest", goal="figs", steps=(Step(action="wash", spec="figs"),), sources=(0,)
)


MENTION = LearnedMention(name="Ada", kind=EntityKind.PERSON, sources=(0,), aliases=("Addie",))


@pytest.mark.parametrize(
    "wrong",
    [{"name": ""}, {"name": "x" * 257}, {"aliases": ("x" * 257,)}, {"aliases": ("A",) * 21}],
)
def test_a_name_that_is_too_long_is_refused_and_costs_no_other(wrong: dict[str, object]) -> None:
    kept = fitting(Knowledge(mentions=(replace(MENTION, **wrong), MENTION)))  # type: ignore[arg-type]
    assert kept.mentions == (MENTION,)
    assert kept.refusals == {Refused.MALFORMED: 1}


def test_names_of_more_drawers_than_the_ledger_takes_are_refused_whole() -> None:
    half = replace(MENTION, sources=tuple(range(MENTIONS_MAX // 2)))
    kept = fitting(Knowledge(mentions=(half, half, MENTION)))
    assert kept.mentions == (half, half)
    assert kept.refusals == {Refused.TOO_MANY: 1}


def test_what_fits_stays_as_it_is() -> None:
    knowledge = Knowledge((FACT,), (LESSON,), (PROCEDURE,), {Refused.UNSUPPORTED: 2})
    assert fitting(knowledge) == knowledge
    assert fitting(Knowledge()) == Knowledge()


def test_the_least_important_go_whatever_they_are() -> None:
    facts = tuple(replace(FACT, importance=0.6) for _ in range(LEARNED_MAX - 2))
    lessons = (replace(LESSON, importance=0.1), replace(LESSON, importance=0.9))
    procedures = (replace(PROCEDURE, importance=0.7), replace(PROCEDURE, importance=0.2))
    kept = fitting(Knowledge(facts, lessons, procedures, {Refused.TOO_MANY: 1}))
    assert kept.facts == facts
    assert kept.lessons == lessons[1:]
    assert kept.procedures == procedures[:1]
    assert kept.refusals == {Refused.TOO_MANY: 3}


def test_of_equals_the_earlier_ones_stay_in_their_order() -> None:
    facts = tuple(replace(FACT, object=f"bees {n}") for n in range(LEARNED_MAX + 3))
    assert fitting(Knowledge(facts)).facts == facts[:LEARNED_MAX]


@pytest.mark.parametrize(
    "wrong",
    [
        {"subject": ""},
        {"subject": "x" * 257},
        {"predicate": ""},
        {"object": "x" * 2049},
        {"statement": "x" * 8193},
        {"persons": ("Ada", "")},
        {"location": "x" * 257},
    ],
)
def test_a_fact_that_the_ledger_would_refuse_is_refused_here(wrong: dict[str, str]) -> None:
    kept = fitting(Knowledge((replace(FACT, **wrong), FACT)))  # type: ignore[arg-type]
    assert kept.facts == (FACT,)
    assert kept.refusals == {Refused.MALFORMED: 1}


def test_lessons_and_procedures_that_are_too_long_are_refused() -> None:
    lessons = (replace(LESSON, resolution="x" * 8193), replace(LESSON, tags=("x" * 129,)))
    procedures = (
        replace(PROCEDURE, steps=PROCEDURE.steps * 101),
        replace(PROCEDURE, name=""),
        replace(PROCEDURE, trigger_tags=("",)),
        replace(PROCEDURE, avoid=("x" * 2049,)),
    )
    kept = fitting(Knowledge((), lessons, procedures))
    assert (kept.lessons, kept.procedures) == ((), ())
    assert kept.refusals == {Refused.MALFORMED: 6}


def test_a_long_topic_is_cut() -> None:
    (fact,) = fitting(Knowledge((replace(FACT, topic="蜂" * 300),))).facts
    assert fact.topic == "蜂" * 256
    short = short_words(TaskCut(0, 1, "t" * 600, "s" * 5000))
    assert (len(short.topic), len(short.summary)) == (512, 4096)
