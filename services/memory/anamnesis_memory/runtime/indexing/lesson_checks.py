"""Checks of lessons before a write: the near ones, and what the guard says of them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_libs.index.port import Alike
from anamnesis_libs.run.worker import Overran, Worker
from anamnesis_memory.dedup.check import Check, look
from anamnesis_memory.dedup.decide import mean_of
from anamnesis_memory.dedup.decide_duplicate import DuplicateJudge, Judged
from anamnesis_memory.dedup.difference import Aspect, Difference
from anamnesis_memory.dedup.linking import LinkLessons
from anamnesis_memory.dedup.neighbours import Neighbours
from anamnesis_memory.dedup.thresholds import Thresholds
from anamnesis_memory.model.memory import Kind
from anamnesis_memory.ports import IndexRecord, NamespaceStore
from anamnesis_memory.runtime.indexing.index_access import IndexAccess

NEAREST_MAX = 16
QUANTISED = 0.02
"""The index may take a cosine for so much less than it is, where it holds 8-bit numbers."""


COMPARED_S_MAX = 10
"""So much of the processor's time lessons that come in together may take to compare."""
SHORT_CHARS_MAX = 1_000
"""Up to this length lessons are compared on a thread: in some ten milliseconds."""


@dataclass(frozen=True, slots=True)
class ChecksAsked:
    """Lessons that come in, those that are near, and how near is one."""

    lessons: tuple[IndexRecord, ...]
    known: tuple[IndexRecord, ...]
    thresholds: Thresholds


class LessonChecks:
    """Checks the lessons of one namespace."""

    def __init__(
        self,
        store: NamespaceStore,
        index: IndexAccess,
        thresholds: Thresholds,
        guard: Worker | None = None,
    ) -> None:
        """Long lessons are compared by `guard`, where it is given, which can be ended."""
        self._guard = guard
        self._store = store
        self._index = index
        self.thresholds = thresholds

    async def check(self, incoming: Sequence[IndexRecord], as_of: int) -> Check:
        """Look for what lessons may be one with.

        Args:
            incoming: memories as they will be stored; those that are no lessons, or have no
                vectors, are passed over.
            as_of: a revision that the index has reached, with vectors of all lessons that have
                some.
        """
        lessons = [one for one in incoming if one.memory.kind is Kind.LEARNING]
        asked = [self._alike(one) for one in lessons if one.vectors is not None]
        if not asked:
            return Check()
        found = await self._index.nearest(asked)
        ids = dict.fromkeys(near.memory_id for each in found for near in each)
        known = await self._store.index_records(tuple(ids))
        judged = await self._judged(lessons, known)
        return Check(self.thresholds, tuple(ids), as_of, judged)

    async def link(self, made: Sequence[IndexRecord], as_of: int) -> None:
        """Link lessons whose vectors were just made to those that they are alike."""
        lessons = [one for one in made if one.memory.kind is Kind.LEARNING]
        if lessons:
            await self._store.commit(LinkLessons(lessons, await self.check(lessons, as_of)))

    async def _judged(self, lessons: Sequence[IndexRecord], known: Sequence[IndexRecord]) -> Judged:
        """The guard's verdicts on the lessons; all are kept apart if it takes too long."""
        asked = ChecksAsked(tuple(lessons), tuple(known), self.thresholds)
        longest = max(len(one.memory.content) for one in (*lessons, *known))
        if self._guard is None or longest <= SHORT_CHARS_MAX:
            return await asyncio.to_thread(judged, asked)
        try:
            return await self._guard.run(judged, asked)
        except Overran:
            return _all_apart(lessons, known)

    def _alike(self, lesson: IndexRecord) -> Alike:
        memory = lesson.memory
        assert lesson.vectors is not None, "chosen for its vectors"
        return Alike(
            vector=mean_of(lesson.vectors),
            kind=memory.kind.value,
            category=memory.category,
            visibility=memory.visibility.value,
            agent_id=memory.agent_id,
            user_id=memory.user_id,
            cosine_min=self.thresholds.candidate - QUANTISED,
            limit=NEAREST_MAX,
        )


def judged(asked: ChecksAsked) -> dict[tuple[str, str], tuple[Difference, ...]]:
    """The guard's differences between each lesson, its nearest and those that come before it."""
    neighbours = Neighbours(asked.lessons, asked.known)
    before = {one.memory.memory_id for one in asked.known}
    said: dict[tuple[str, str], tuple[Difference, ...]] = {}
    for lesson in asked.lessons:
        memory = lesson.memory
        judge = DuplicateJudge(said, chars_left=OUTSIDE_CHARS_MAX)
        for pair, _ in look(memory, neighbours, judge, asked.thresholds, before).pairs:
            if pair.differences is not None:
                said[memory.content, pair.known.content] = pair.differences
        before.add(memory.memory_id)
    return said


def _all_apart(lessons: Sequence[IndexRecord], known: Sequence[IndexRecord]) -> Judged:
    apart = (Difference(Aspect.LENGTH, "took too long", "to compare"),)
    others = [one.memory.content for one in (*known, *lessons)]
    return {(one.memory.content, other): apart for one in lessons for other in others}


OUTSIDE_CHARS_MAX = 32_000
"""Characters that are compared of one lesson at most: some two seconds of the longest."""
