"""Cutting a session into segments, window by window, and again after it has grown.

The rules, for a session of more than two events (at most two are one segment, and no segmenter is
asked):

- A window holds as many whole events as the budget allows; the segmenter names its tasks.
- More than one task, and more events behind the window: all but the last are kept, and the next
  window starts at the first event of the last one. What that window says replaces it.
- Exactly one task, which after repair fills the window: it is kept, and the next window starts
  behind it.
- The window reaches the session's end: all its tasks are kept.
- The segmenter fails, or its answer is refused: the error goes to the caller and nothing is kept.

It ends for any answers: the last of several tasks never starts at its window's first event, so
each round moves the start by one event at least, and a session of n events takes at most n rounds.
A segmenter that again and again calls its window's whole tail one task is asked about each tail
in turn: it is meant to be, because in the next window that task either ends, and is cut with its
end in sight, or fills the window, and is kept as it is. Nothing is asked twice from the same
start, and one task longer than a window becomes a segment for each window it fills.

Packing counts tokens, which takes its time, and is done in a thread: nobody else waits for it.
"""

import asyncio
from collections.abc import Sequence
from itertools import pairwise

from anamnesis_ingestion.intake.fingerprints import fingerprint
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.segmentation.describing import Describer
from anamnesis_ingestion.segmentation.repair import repaired
from anamnesis_ingestion.segmentation.tasks import PreviousCut, Segmenter, Task, TaskCut
from anamnesis_ingestion.segmentation.windows import Window, window_at
from anamnesis_libs.tokens import TokenCounter

EVENTS_WITHOUT_SEGMENTER_MAX = 2

Events = Sequence[LedgerEvent]


async def segment(
    events: Events,
    segmenter: Segmenter,
    budget_tokens: int,
    counter: TokenCounter,
    earlier: Sequence[PreviousCut] = (),
) -> tuple[TaskCut, ...]:
    """Return segments that are in order and hold each event once; none for nothing.

    Args:
        events: the whole session, in the order of their indices, all of which are set.
        segmenter: who names the tasks of a window.
        budget_tokens: what one window may hold.
        counter: counts them.
        earlier: the session's segments of the last time. Those before the first one whose events
            changed are kept as they are. Where none changed and the session grew, the last of
            them is cut again together with what came after it.

    Raises:
        ValueError: an index is missing or out of order.
        AnswerMalformed: an answer is beyond repair.
        AnamnesisError: what the segmenter raised.
    """
    _check_order(events)
    kept = _unchanged(events, earlier)
    done = _position_after(events, kept)
    if done == len(events):
        return kept
    if len(events) <= EVENTS_WITHOUT_SEGMENTER_MAX:
        return (_cut(events, _whole(events)),)
    if len(kept) == len(earlier):
        kept = kept[:-1]
        done = _position_after(events, kept)
    return (*kept, *await _cut_from(events, done, segmenter, budget_tokens, counter))


async def _cut_from(
    events: Events, start: int, segmenter: Segmenter, budget_tokens: int, counter: TokenCounter
) -> list[TaskCut]:
    cuts: list[TaskCut] = []
    while start < len(events):
        window = await asyncio.to_thread(window_at, events, start, budget_tokens, counter)
        tasks = repaired(await segmenter.tasks(window), len(window.events))
        more = start + len(window.events) < len(events)
        final = tasks[:-1] if more and len(tasks) > 1 else tasks
        cuts += [_cut(window.events, _named(task, window)) for task in final]
        start += final[-1].last
    return cuts


def _unchanged(events: Events, earlier: Sequence[PreviousCut]) -> tuple[TaskCut, ...]:
    """Return the earlier segments up to the first one whose events are not the same any more."""
    positions = {event.index: position for position, event in enumerate(events)}
    kept: list[TaskCut] = []
    expected = 0
    for one in earlier:
        first = positions.get(one.cut.first_index)
        last = positions.get(one.cut.last_index)
        if first != expected or last is None or last < first:
            break
        if fingerprint(events[first : last + 1]) != one.fingerprint:
            break
        kept.append(one.cut)
        expected = last + 1
    return tuple(kept)


def _position_after(events: Events, cuts: Sequence[TaskCut]) -> int:
    last_index = cuts[-1].last_index if cuts else -1
    return sum(1 for event in events if _index(event) <= last_index)


def _cut(events: Events, task: Task) -> TaskCut:
    first, last = events[task.first - 1], events[task.last - 1]
    return TaskCut(_index(first), _index(last), task.topic, task.summary)


def _named(task: Task, window: Window) -> Task:
    """Give a task that came without words the words of its own events."""
    if task.topic and task.summary:
        return task
    topic, summary = Describer(window.events).described(task.first - 1, task.last)
    return Task(task.first, task.last, task.topic or topic, task.summary or summary)


def _whole(events: Events) -> Task:
    topic, summary = Describer(events).described(0, len(events))
    return Task(1, len(events), topic, summary)


def _index(event: LedgerEvent) -> int:
    if event.index is None:
        raise ValueError("an event without an index")
    return event.index


def _check_order(events: Events) -> None:
    indices = [_index(event) for event in events]
    if any(one >= other for one, other in pairwise(indices)):
        raise ValueError("indices out of order")
