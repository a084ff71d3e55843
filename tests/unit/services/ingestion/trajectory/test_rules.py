"""Measures by rules: labelled trajectories in a sensible order, each measure with evidence."""

import json
from collections.abc import Iterable
from itertools import product

import pytest

from anamnesis_ingestion.trajectory.measures import Measure, TaskType
from anamnesis_ingestion.trajectory.rules import RulesLabeller, measured
from tests.support.ledger_events import conversation
from tests.support.trajectories import TRAJECTORIES, Labelled

LESSONS_FROM = 0.7
TRAINING_FROM = 0.8


async def _scores(*verdicts: str) -> dict[str, float]:
    chosen = [each for each in TRAJECTORIES if each.verdict in verdicts]
    return {each.name: (await RulesLabeller().measure(each.events)).score for each in chosen}


def _named(found: Iterable[Measure]) -> dict[str, Measure]:
    return {measure.name: measure for measure in found}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("good", "corrected"),
        ("recovered", "corrected"),
        ("good", "looping"),
        ("corrected", "bad"),
        ("corrected", "abandoned"),
        ("recovered", "bad"),
    ],
)
async def test_any_of_the_better_scores_above_any_of_the_worse(better: str, worse: str) -> None:
    high, low = await _scores(better), await _scores(worse)
    wrong = [(one, other) for one, other in product(high, low) if high[one] <= low[other]]
    assert wrong == []


async def test_only_what_went_well_is_learned_from_and_trained_on() -> None:
    well = await _scores("good", "recovered")
    badly = await _scores("looping", "bad", "abandoned")
    between, untold = await _scores("corrected"), await _scores("untold")
    assert untold
    assert {name for name, score in untold.items() if score >= LESSONS_FROM} == set()
    assert {name for name, score in well.items() if score < TRAINING_FROM} == set()
    assert {name for name, score in badly.items() if score >= LESSONS_FROM} == set()
    assert {name for name, score in between.items() if score >= TRAINING_FROM} == set()


@pytest.mark.parametrize("labelled", TRAJECTORIES, ids=lambda labelled: labelled.name)
async def test_the_task_type_is_the_one_a_person_gave(labelled: Labelled) -> None:
    assert (await RulesLabeller().measure(labelled.events)).task_type is labelled.task_type


@pytest.mark.parametrize("labelled", TRAJECTORIES, ids=lambda labelled: labelled.name)
async def test_the_document_says_why(labelled: Labelled) -> None:
    found = await RulesLabeller().measure(labelled.events)
    document = json.loads(json.dumps(found.document))
    assert document["summary"]["overall_score"] == pytest.approx(found.score, abs=1e-4)
    assert document["summary"]["task_type"] == found.task_type
    indices = {event.index for event in labelled.events}
    for measure in document["measures"]:
        assert 0 <= measure["value"] <= 1
        assert set(measure["evidence"]) <= indices
        assert measure["evidence"] or measure["value"] == 1
    weights = sum(measure["weight"] for measure in document["measures"])
    assert weights == pytest.approx(1.0)


def test_a_plain_conversation_has_no_measures_of_tools() -> None:
    names = set(_named(measured(conversation("user: hi", "assistant: hello"))))
    assert names == {"goal_reached", "answered", "user_corrections", "loops"}


def test_a_failed_call_is_named_by_its_answer() -> None:
    found = _named(
        measured(
            conversation("user: go", "call: a {}", "tool: Error: no", "call: b {}", "tool: fine")
        )
    )
    assert found["tool_success_rate"] == Measure("tool_success_rate", 0.5, 0.10, (2,))
    assert found["error_recovery"].value == 1.0
    assert found["error_recovery"].evidence == (2,)
    assert found["efficiency"].value == 0.5


def test_an_error_that_nothing_mends_is_not_recovered_from() -> None:
    found = _named(measured(conversation("user: go", "call: a {}", "tool: Error: no")))
    assert found["error_recovery"] == Measure("error_recovery", 0.0, 0.15, (2,))


def test_a_second_try_is_no_loop_and_a_third_is() -> None:
    again = ("call: a {}", "tool: fine")
    twice = _named(measured(conversation("user: go", *again * 2)))
    thrice = _named(measured(conversation("user: go", *again * 3)))
    assert twice["loops"].value == 1.0
    assert thrice["loops"] == Measure("loops", 0.75, 0.12, (5,))


def test_corrections_are_counted_by_turn() -> None:
    found = _named(
        measured(
            conversation(
                "user: No bananas in the cake, please.",
                "assistant: A banana cake.",
                "user: No, without bananas!",
                "assistant: An apple cake.",
                "user: great",
            )
        )
    )
    assert found["user_corrections"] == Measure("user_corrections", 0.65, 0.20, (2,))
    assert found["goal_reached"] == Measure("goal_reached", 1.0, 0.55, (4,))


async def test_nothing_said_is_neither_good_nor_bad() -> None:
    found = await RulesLabeller().measure(conversation("system: be kind"))
    assert found.task_type is TaskType.CONVERSATION
    assert 0.4 < found.score < LESSONS_FROM + 0.1
