"""Lessons and procedures come out of what was tried, what failed, and what people set right."""

import pytest

from anamnesis_ingestion.learning.knowledge import Knowledge
from anamnesis_ingestion.learning.local.extractor import LocalExtractor
from tests.support.talk import task

FAILED_THEN_MENDED = (
    ("user", "the importer dies at start"),
    ("call", 'shell {"command": "importer --check"}'),
    ("tool", "Error: locale de_AT not found"),
    ("call", 'shell {"command": "locale-gen de_AT && importer --check"}'),
    ("tool", "all good"),
    ("assistant", "It runs: the locale de_AT had to be generated first."),
)
THREE_STEPS = (
    ("user", "Publish the minutes"),
    ("call", 'export {"document": "minutes", "token": "hunter2hunter2"}'),
    ("tool", "exported"),
    ("call", 'convert {"from": "/home/ida/minutes.odt", "to": "pdf"}'),
    ("tool", "converted"),
    ("call", 'upload {"file": "minutes.pdf"}'),
    ("tool", "uploaded"),
    ("assistant", "The minutes are online."),
)


async def _learned(*turns: tuple[str, str]) -> Knowledge:
    return await LocalExtractor().learn(task(*turns))


async def test_a_failure_and_what_mended_it_is_a_lesson() -> None:
    (lesson,) = (await _learned(*FAILED_THEN_MENDED)).lessons
    assert (lesson.category, lesson.sources) == ("error", (1, 2, 3, 4, 5))
    assert "locale de_AT not found" in lesson.context
    assert "locale-gen" in lesson.resolution


async def test_a_failure_that_stays_teaches_nothing() -> None:
    turns = (*FAILED_THEN_MENDED[:-1], ("assistant", "I could not find the cause."))
    assert (await _learned(*turns)).lessons == ()


async def test_a_correction_spans_mistake_and_answer() -> None:
    (lesson,) = (
        await _learned(
            ("user", "When does the shop open?"),
            ("assistant", "At nine."),
            ("user", "No, that's wrong, it opens at ten on Mondays."),
            ("assistant", "You're right, ten on Mondays."),
        )
    ).lessons
    assert (lesson.category, lesson.sources) == ("correction", (1, 2, 3))


async def test_a_rule_drawn_from_experience_is_a_pattern() -> None:
    rule = "Always warm the kiln before the glaze firing; we learned that after five years."
    (lesson,) = (await _learned(("user", rule))).lessons
    assert lesson.category == "pattern"


async def test_a_single_order_is_no_pattern() -> None:
    assert (await _learned(("user", "Always warm the kiln before the firing."))).lessons == ()


async def test_three_calls_that_worked_are_a_procedure_without_secrets_or_homes() -> None:
    (procedure,) = (await _learned(*THREE_STEPS)).procedures
    assert [step.action for step in procedure.steps] == ["export", "convert", "upload"]
    assert procedure.steps[0].spec == "minutes"
    assert "~/minutes.odt" in procedure.steps[1].spec
    assert procedure.sources == tuple(range(8))
    assert "hunter2" not in repr(procedure)
    assert "ida" not in repr(procedure)


async def test_what_failed_on_the_way_is_to_be_avoided() -> None:
    turns = list(THREE_STEPS)
    turns[3:3] = [("call", 'convert {"from": "x"}'), ("tool", "failed: no such format")]
    (procedure,) = (await _learned(*turns)).procedures
    assert len(procedure.steps) == 3
    assert procedure.avoid == ("x: failed: no such format",)


@pytest.mark.parametrize(
    "turns",
    [
        THREE_STEPS[:5] + THREE_STEPS[-1:],
        (*THREE_STEPS[:-1], ("assistant", "I was unable to publish them.")),
        (*THREE_STEPS, ("user", "No, undo that.")),
    ],
)
async def test_a_path_that_is_short_or_missed_the_goal_is_none(
    turns: tuple[tuple[str, str], ...],
) -> None:
    assert (await _learned(*turns)).procedures == ()
