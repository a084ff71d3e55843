"""The outcome of a task as its own events tell it: by how the task ends.

What people say last counts most, then what the assistant says of its own work, then the last
tool's answer. A task that nobody comments on, and that ends with an answer, has probably done
what was asked, and is scored a little below one that somebody was content with.
"""

from collections.abc import Sequence

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.trajectory import reactions
from anamnesis_ingestion.trajectory.measures import Measure
from anamnesis_ingestion.trajectory.steps import TrajectoryStep

CONTENT = 1.0
ANSWERED = 0.8
ANSWERED_AFTER_FAILURE = 0.5
CORRECTED_THEN_ANSWERED = 0.65
LEFT_OPEN = 0.2
FAILED = 0.15
GIVEN_UP = 0.0
UNTOLD = 0.4
"""A talk was answered, and nobody says how it went; its score stays under the gates."""
SILENT = 0.5
"""Nobody asked for anything that could be reached."""

Judgement = tuple[float, tuple[int, ...]]
"""A value, and the indices of the events that decide it."""


def reached(
    events: Sequence[LedgerEvent], taken: Sequence[TrajectoryStep], weight: float
) -> Measure:
    """Return how surely the goal was reached, with the events that decide it."""
    value, evidence = _judged(_spoken(events), taken)
    return Measure("goal_reached", value, weight, evidence)


def told(events: Sequence[LedgerEvent], weight: float) -> Measure:
    """The certainty that a talk without tools reached its goal: an answer shows nothing done."""
    value, evidence = _judged(_spoken(events), ())
    return Measure("goal_reached", UNTOLD if value == ANSWERED else value, weight, evidence)


def unanswered(events: Sequence[LedgerEvent]) -> tuple[int, ...]:
    """Return the last turn of a person if nothing follows it and it asks for something."""
    spoken = _spoken(events)
    last = spoken[-1] if spoken else None
    if last is None or last.role is not Role.USER or reactions.thanks(last.content):
        return ()
    return (last.index or 0,)


def _judged(spoken: Sequence[LedgerEvent], taken: Sequence[TrajectoryStep]) -> Judgement:
    users = [event for event in spoken if event.role is Role.USER]
    if not users:
        return SILENT, ()
    by_user = _said_by_user(users)
    return by_user if by_user is not None else _shown_at_end(users, spoken[-1], taken)


def _said_by_user(users: Sequence[LedgerEvent]) -> Judgement | None:
    """The judgement that a person's last turn decides by itself; None if it decides nothing."""
    last = users[-1]
    if reactions.gives_up(last.content):
        return GIVEN_UP, ((last.index or 0),)
    if len(users) > 1 and reactions.thanks(last.content):
        return CONTENT, ((last.index or 0),)
    return None


def _shown_at_end(
    users: Sequence[LedgerEvent], end: LedgerEvent, taken: Sequence[TrajectoryStep]
) -> Judgement:
    """The judgement by the last words or deeds, if no person said how the task went."""
    if end.role is not Role.ASSISTANT or not end.content:
        return LEFT_OPEN, ((end.index or 0),)
    if reactions.reports_failure(end.content):
        return FAILED, ((end.index or 0),)
    if taken and (taken[-1].failed or taken[-1].answer_index is None):
        return ANSWERED_AFTER_FAILURE, taken[-1].evidence
    if len(users) > 1 and reactions.corrects(users[-1].content):
        return CORRECTED_THEN_ANSWERED, ((users[-1].index or 0),)
    return ANSWERED, ((end.index or 0),)


def _spoken(events: Sequence[LedgerEvent]) -> list[LedgerEvent]:
    """Events in which people or the assistant spoke or called a tool, in order."""
    return [
        event
        for event in events
        if (event.role is Role.USER and event.content)
        or (event.role is Role.ASSISTANT and (event.content or event.tool_calls))
    ]
