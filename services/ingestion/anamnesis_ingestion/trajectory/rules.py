"""Measures of a task by rules: what its events show, without a model, the same every time.

With tools: whether the goal was reached, the share of tool calls that went well, errors and what
became of them, corrections by people, loops, efficiency. Without tools there is nothing to call
or to recover from: the goal, whether each turn was answered, corrections, and loops are measured.
Talk shows nothing that was done, so that only a person's word says if it reached its goal.
The score is the weighted mean of the measures that apply.
"""

import asyncio
from collections.abc import Iterable, Sequence

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.trajectory import goal
from anamnesis_ingestion.trajectory.measures import (
    Measure,
    Measures,
    listed,
    overall,
    summary,
    tool_uses,
)
from anamnesis_ingestion.trajectory.reactions import corrects
from anamnesis_ingestion.trajectory.steps import TrajectoryStep, steps
from anamnesis_ingestion.trajectory.task_types import task_type
from anamnesis_libs.models.chat import Json

LOCAL = "local"

_CORRECTION_COST = 0.35
"""The deduction from the measure of corrections for each correction."""
_REPEATS_FREE = 1
"""Doing a thing a second time is trying again; from the third on it is a loop."""
_LOOP_COST = 0.25
_UNRECOVERED_COST = 0.3
"""The deduction once any error was not recovered from, beside the share of such errors."""


class RulesLabeller:
    """A Labeller without a model."""

    name = LOCAL

    async def measure(self, events: Sequence[LedgerEvent]) -> Measures:
        """Return the measures by rules, worked out off the event loop; never fails."""
        return await asyncio.to_thread(_measures, events)


def _measures(events: Sequence[LedgerEvent]) -> Measures:
    """The measures with their score and what they say."""
    found = measured(events)
    score = overall(found)
    kind = task_type(events)
    document: dict[str, Json] = {
        "summary": summary(score, kind, LOCAL),
        "measures": listed(found),
        "tools": tool_uses(steps(events)),
    }
    return Measures(score, kind, document)


def measured(events: Sequence[LedgerEvent]) -> tuple[Measure, ...]:
    """Return the measures that apply to these events, in a fixed order."""
    taken = steps(events)
    if not taken:
        return (
            goal.told(events, 0.55),
            _answered(events, 0.15),
            _corrections(events, 0.20),
            _loops(events, taken, 0.10),
        )
    return (
        goal.reached(events, taken, 0.40),
        _success_rate(taken, 0.10),
        _recoveries(taken, 0.15),
        _corrections(events, 0.15),
        _loops(events, taken, 0.12),
        _efficiency(taken, 0.08),
    )


def _success_rate(taken: Sequence[TrajectoryStep], weight: float) -> Measure:
    """The share of calls with an answer that tells of no failure."""
    bad = [step for step in taken if _went_wrong(step)]
    value = 1 - len(bad) / len(taken)
    return Measure("tool_success_rate", value, weight, _evidence(bad))


def _recoveries(taken: Sequence[TrajectoryStep], weight: float) -> Measure:
    """The share of errors after which the same tool, or the last call of all, went well."""
    bad = [at for at, step in enumerate(taken) if _went_wrong(step)]
    lost = [taken[at] for at in bad if not _recovered(taken, at)]
    if not lost:
        return Measure("error_recovery", 1.0, weight, _evidence(taken[at] for at in bad))
    share = 1 - len(lost) / len(bad)
    value = max(0.0, share - _UNRECOVERED_COST)
    return Measure("error_recovery", value, weight, _evidence(lost))


def _recovered(taken: Sequence[TrajectoryStep], at: int) -> bool:
    later = taken[at + 1 :]
    same = [step for step in later if step.call.name == taken[at].call.name]
    return any(not _went_wrong(step) for step in same) or bool(later and not _went_wrong(later[-1]))


def _corrections(events: Sequence[LedgerEvent], weight: float) -> Measure:
    """1 less a share for each turn, after the first, in which a person corrects."""
    turns = [event for event in events if event.role is Role.USER][1:]
    corrections = [event.index or 0 for event in turns if corrects(event.content)]
    value = max(0.0, 1 - _CORRECTION_COST * len(corrections))
    return Measure("user_corrections", value, weight, tuple(corrections))


def _loops(
    events: Sequence[LedgerEvent], taken: Sequence[TrajectoryStep], weight: float
) -> Measure:
    """1 less a share for each time, from the third on, that the same was done or said again."""
    done = [(step.call_index, (step.call.name, step.call.arguments)) for step in taken]
    said = [
        (e.index or 0, (e.content, "")) for e in events if e.role is Role.ASSISTANT and e.content
    ]
    repeats = [index for run in (done, said) for index in _again(run)]
    value = max(0.0, 1 - _LOOP_COST * len(repeats))
    return Measure("loops", value, weight, tuple(sorted(set(repeats))))


def _again(run: Sequence[tuple[int, tuple[str, str]]]) -> list[int]:
    counts: dict[tuple[str, str], int] = {}
    found: list[int] = []
    for index, key in run:
        counts[key] = counts.get(key, 0) + 1
        if counts[key] > 1 + _REPEATS_FREE:
            found.append(index)
    return found


def _efficiency(taken: Sequence[TrajectoryStep], weight: float) -> Measure:
    """The share of calls that went well and did something not done before with the same result."""
    seen: set[tuple[str, str, str]] = set()
    wasted: list[TrajectoryStep] = []
    for step in taken:
        key = (step.call.name, step.call.arguments, step.answer)
        if _went_wrong(step) or key in seen:
            wasted.append(step)
        seen.add(key)
    return Measure("efficiency", 1 - len(wasted) / len(taken), weight, _evidence(wasted))


def _answered(events: Sequence[LedgerEvent], weight: float) -> Measure:
    """The share of people's turns that are followed by an answer, or by more of their own words."""
    open_turns = goal.unanswered(events)
    turns = sum(1 for event in events if event.role is Role.USER)
    value = 1 - len(open_turns) / turns if turns else 1.0
    return Measure("answered", value, weight, open_turns)


def _went_wrong(step: TrajectoryStep) -> bool:
    return step.failed or step.answer_index is None


def _evidence(found: Iterable[TrajectoryStep]) -> tuple[int, ...]:
    return tuple(sorted({index for step in found for index in step.evidence}))
