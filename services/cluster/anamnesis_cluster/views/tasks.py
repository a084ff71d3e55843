"""Kinds of task: how often each was done, how well, what about, and the procedures that help."""

from collections import defaultdict
from collections.abc import Iterable

from anamnesis_cluster.view_model import Procedure, Task, TaskPattern

TOPICS_MAX = 5
PROCEDURES_MAX = 10
_DEPRECATED = "deprecated"


def task_patterns(tasks: Iterable[Task], procedures: Iterable[Procedure]) -> list[TaskPattern]:
    """The kinds of task, the most frequent first.

    A procedure is of the kind of the task that it was learned from.
    """
    by_type: defaultdict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        by_type[task.task_type].append(task)
    type_of = {task.segment_id: kind for kind, done in by_type.items() for task in done}
    helps: defaultdict[str, list[Procedure]] = defaultdict(list)
    for procedure in procedures:
        if procedure.segment_id in type_of and procedure.status != _DEPRECATED:
            helps[type_of[procedure.segment_id]].append(procedure)
    patterns = [_pattern(kind, done, helps[kind]) for kind, done in by_type.items()]
    return sorted(patterns, key=lambda each: (-each.tasks, each.task_type))


def _pattern(task_type: str, tasks: list[Task], procedures: list[Procedure]) -> TaskPattern:
    newest_first = sorted(tasks, key=lambda task: (task.time, task.segment_id), reverse=True)
    topics = dict.fromkeys(task.topic for task in newest_first if task.topic)
    best_first = sorted(procedures, key=_usefulness)
    return TaskPattern(
        task_type=task_type,
        tasks=len(tasks),
        mean_score=sum(task.score for task in tasks) / len(tasks),
        last=newest_first[0].time,
        topics=tuple(topics)[:TOPICS_MAX],
        procedures=tuple(best_first[:PROCEDURES_MAX]),
    )


def _usefulness(procedure: Procedure) -> tuple[float, int, str]:
    """The sort key of procedures, best first: by success, then by runs, then the newest."""
    return -procedure.success_rate, -procedure.runs, procedure.memory_id
