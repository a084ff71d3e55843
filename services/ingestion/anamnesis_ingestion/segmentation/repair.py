"""A segmenter's answer made into tasks that part its window, or refused.

What a segmenter states best is where a task *starts*, so starts decide: sorted, each task lasts
until the next one starts, the first one from the first event and the last one to the last. That
closes gaps and settles overlaps. Before, ranges that count from 0 are moved, ranges that reach out
are clipped, and what is then empty, reversed or said twice is dropped.

Only a clear intent is repaired. Refused is an answer that names more tasks than there are events,
that after clipping leaves more than half of the window unmentioned, or that mentions more than
half of it more than once.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise

from anamnesis_ingestion.intake.files.rows import valid_text
from anamnesis_ingestion.segmentation.tasks import SUMMARY_CHARS_MAX, TOPIC_CHARS_MAX, Task
from anamnesis_libs.errors import AnswerMalformed


def repaired(tasks: Sequence[Task], length: int) -> tuple[Task, ...]:
    """Return tasks that are in order and cover 1..length, each event once.

    Raises:
        AnswerMalformed: it cannot be told what the segmenter meant.
    """
    if len(tasks) > length:
        raise AnswerMalformed(f"{len(tasks)} tasks in a window of {length} events")
    inside = _inside(_counted_from_one(tasks, length), length)
    _check_clear(inside, length)
    first_of_each = _distinct_starts(inside)
    starts = [1, *(task.first for task in first_of_each[1:]), length + 1]
    return tuple(
        replace(_tidied(task), first=start, last=end - 1)
        for task, (start, end) in zip(first_of_each, pairwise(starts), strict=True)
    )


def _counted_from_one(tasks: Sequence[Task], length: int) -> Sequence[Task]:
    """Move an answer that parts 0..length-1 without a gap: it counts from 0."""
    ordered = sorted(tasks, key=_place)
    follows = all(one.last + 1 == other.first for one, other in pairwise(ordered))
    if not ordered or ordered[0].first != 0 or ordered[-1].last != length - 1 or not follows:
        return tasks
    return [replace(task, first=task.first + 1, last=task.last + 1) for task in ordered]


def _inside(tasks: Sequence[Task], length: int) -> list[Task]:
    """Clip tasks to the window; drop empty ones and repetitions."""
    clipped = [replace(t, first=max(1, t.first), last=min(length, t.last)) for t in tasks]
    kept = {(task.first, task.last): task for task in reversed(clipped) if task.first <= task.last}
    return sorted(kept.values(), key=_place)


def _check_clear(tasks: Sequence[Task], length: int) -> None:
    mentioned = list(chain.from_iterable(range(task.first, task.last + 1) for task in tasks))
    covered = set(mentioned)
    if 2 * len(covered) < length or not covered:
        raise AnswerMalformed(f"the tasks name {len(covered)} of {length} events")
    if 2 * (len(mentioned) - len(covered)) > length:
        raise AnswerMalformed(f"the tasks overlap in most of {length} events")


def _distinct_starts(tasks: Sequence[Task]) -> list[Task]:
    """Tasks with distinct starts: of those that start together the longest, which comes first."""
    return list({task.first: task for task in reversed(tasks)}.values())[::-1]


def _tidied(task: Task) -> Task:
    topic, summary = " ".join(task.topic.split()), " ".join(task.summary.split())
    return replace(
        task,
        topic=valid_text(topic[:TOPIC_CHARS_MAX]).replace("\0", ""),
        summary=valid_text(summary[:SUMMARY_CHARS_MAX]).replace("\0", ""),
    )


def _place(task: Task) -> tuple[int, int]:
    return task.first, -task.last
