"""All lessons of a namespace grouped anew, told step by step: read, embed, group, move.

A lesson that was learned a moment ago has no vector yet. A run that somebody asks for waits for it
as long as vectors keep coming: who learns and then groups means the lessons just learned.

Moves are written some at a time, each on the topics as they are then. What was decided stays right
while lessons come and go beside it, so that a run that breaks off is gone on with by another.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import suppress

from anamnesis_cluster.clusters.labels import labels
from anamnesis_cluster.clusters.naming import stands
from anamnesis_cluster.clusters.regroup import regroup
from anamnesis_cluster.clusters.thresholds import thresholds_of
from anamnesis_cluster.model import Assignment, Label, Lesson, Progress, Summary
from anamnesis_cluster.ports import Memory
from anamnesis_libs.errors import Conflict
from anamnesis_libs.settings import Clusters

READ_MAX = 500
MOVED_MAX = 200
NAMED_MAX = 500
TRIES_MAX = 8

_CONFLICT_PAUSE_S = 0.05
_VECTOR_PAUSE_S = 0.2


async def run_initial(
    memory: Memory, namespace: str, settings: Clusters, patience_s: float = 0.0
) -> AsyncGenerator[Progress | Summary, None]:
    """Group all lessons anew and move those that belong elsewhere.

    Lessons without vectors are waited for as long as one comes within `patience_s`.

    Raises:
        Conflict: topics changed again and again.
    """
    ids = await memory.lesson_ids(namespace)
    lessons: list[Lesson] = []
    for start in range(0, len(ids), READ_MAX):
        yield Progress("read", start, len(ids))
        lessons += await memory.lessons(namespace, ids[start : start + READ_MAX])
    async for waiting in _embedded(memory, namespace, lessons, patience_s):
        yield Progress("embed", len(lessons) - waiting, len(lessons))
    ready = [lesson for lesson in lessons if lesson.vector is not None]
    yield Progress("group", 0, len(ready))
    known = await memory.topics(namespace)
    homes = await memory.homes(namespace)
    thresholds = thresholds_of(ready[0].model if ready else "", settings)
    decided = await asyncio.to_thread(regroup, ready, known.topics, thresholds)
    moves = [one for one in decided if homes.get(one.memory_id) != one.topic_id]
    revision = known.revision
    for start in range(0, len(moves), MOVED_MAX):
        yield Progress("move", start, len(moves))
        revision = await _write(memory, namespace, moves[start : start + MOVED_MAX], revision)
    await _name(memory, namespace)
    after = await memory.homes(namespace)
    yield Summary(
        lessons=len(ready),
        clusters_before=len(known.topics),
        clusters=len(set(after.values())),
        moved=_changed(homes, after),
        waiting=len(lessons) - len(ready),
    )


async def _embedded(
    memory: Memory, namespace: str, lessons: list[Lesson], patience_s: float
) -> AsyncGenerator[int, None]:
    """Read lessons again in their place until each has a vector, or none has come for `patience_s`.

    Yields:
        How many lack a vector, before each wait.
    """
    waiting = _without_vector(lessons)
    left_s = patience_s
    while waiting and left_s > 0:
        yield len(waiting)
        await asyncio.sleep(_VECTOR_PAUSE_S)
        before = len(waiting)
        there = [lesson for lesson in lessons if lesson.vector is not None]
        for start in range(0, before, READ_MAX):
            there += await memory.lessons(namespace, waiting[start : start + READ_MAX])
        lessons[:] = there
        waiting = _without_vector(lessons)
        left_s = patience_s if len(waiting) < before else left_s - _VECTOR_PAUSE_S


def _without_vector(lessons: Sequence[Lesson]) -> list[str]:
    return [lesson.memory_id for lesson in lessons if lesson.vector is None]


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> int:
    return sum(before.get(memory_id) != topic_id for memory_id, topic_id in after.items())


async def _name(memory: Memory, namespace: str) -> None:
    """Name every topic by what sets it apart from the others of its scope.

    Texts are read after the topics, and names written on the topics as they were then: what was
    erased meanwhile names nothing, and what could not be named is when it has doubled.
    """
    known = await memory.topics(namespace)
    homes = await memory.homes(namespace)
    scopes: defaultdict[str, dict[str, list[Lesson]]] = defaultdict(dict)
    ids = list(homes)
    for start in range(0, len(ids), READ_MAX):
        for lesson in await memory.lessons(namespace, ids[start : start + READ_MAX]):
            scopes[lesson.scope].setdefault(homes[lesson.memory_id], []).append(lesson)
    found: dict[str, str] = {}
    for topics in scopes.values():
        found |= await asyncio.to_thread(labels, topics, topics)
    named = {topic.topic_id: topic for topic in known.topics}
    changed = [
        (one, Label(label, asked_of=named[one].label_asked_of))
        for one, label in found.items()
        if one in named and not stands(named[one]) and label not in ("", named[one].label)
    ]
    revision = known.revision
    with suppress(Conflict):
        for start in range(0, len(changed), NAMED_MAX):
            names = dict(changed[start : start + NAMED_MAX])
            revision = await memory.move(namespace, (), names, revision)


async def _write(memory: Memory, namespace: str, moves: Sequence[Assignment], revision: str) -> str:
    """Write moves on the topics as of a revision, or as they are where they have changed since.

    Returns:
        The revision at which topics changed with it.

    Raises:
        Conflict: topics changed again and again.
    """
    for tries in range(1, TRIES_MAX):
        try:
            return await memory.move(namespace, moves, {}, revision)
        except Conflict:
            await asyncio.sleep(_CONFLICT_PAUSE_S * tries)
        revision = (await memory.topics(namespace)).revision
    return await memory.move(namespace, moves, {}, revision)
