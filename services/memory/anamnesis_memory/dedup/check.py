"""The check before a write of lessons: the nearest lessons, and what the guard says.

Between the look at the index and the commit others may write: the write asks the store for all
lessons behind the revision that the index had, so that check and insert are one step.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_memory.dedup.decide import DuplicateVerdict, Nearness, verdict
from anamnesis_memory.dedup.decide_duplicate import DuplicateJudge, Judged
from anamnesis_memory.dedup.difference import Difference
from anamnesis_memory.dedup.digests import possible_digests
from anamnesis_memory.dedup.neighbours import Neighbours
from anamnesis_memory.dedup.thresholds import NEVER, Thresholds
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports import ReadSet

EXAMINED_MAX = 4
"""Of a lesson's neighbours the guard reads this many, the nearest first."""


@dataclass(frozen=True, slots=True)
class Check:
    """The check of lessons; without neighbours and thresholds only identical ones are found.

    Args:
        thresholds: of the model that made the vectors.
        nearest: ids of the lessons that the index found near.
        fresh_after: the revision of the index that did; None where none was asked.
        judged: what the guard said of pairs, by the texts of the incoming and the known one.
    """

    thresholds: Thresholds = NEVER
    nearest: tuple[str, ...] = ()
    fresh_after: int | None = None
    judged: Judged = field(default_factory=dict)

    def adding(self, wanted: ReadSet, incoming: Sequence[Memory]) -> ReadSet:
        """The read set of a write, with what the check of its lessons needs."""
        return replace(
            wanted,
            memories=tuple(dict.fromkeys((*wanted.memories, *self.nearest))),
            digests=possible_digests(incoming),
            embeddings=self.nearest,
            fresh_after=self.fresh_after,
        )


@dataclass(frozen=True, slots=True)
class Pair:
    """A lesson's neighbour; `differences` of None were not looked for."""

    known: Memory
    cosine: float
    differences: tuple[Difference, ...] | None

    def verdict(self, thresholds: Thresholds) -> DuplicateVerdict:
        """The verdict on the lesson beside this one; never a merge without asking the guard."""
        if self.differences is None:
            return DuplicateVerdict.CANDIDATE
        return verdict(Nearness(self.cosine, self.differences), thresholds)


@dataclass(frozen=True, slots=True)
class Sight:
    """The verdict on a lesson, with the pairs behind the verdict, the nearest first."""

    verdict: DuplicateVerdict
    pairs: tuple[tuple[Pair, DuplicateVerdict], ...] = ()


def look(
    lesson: Memory,
    neighbours: Neighbours,
    judge: DuplicateJudge,
    thresholds: Thresholds,
    present: Collection[str] | None = None,
) -> Sight:
    """Decide what becomes of a lesson that nothing says word by word.

    The nearest neighbour that may merge takes it in, even where a nearer one is kept apart: of
    lessons that differ in one number all are near. Without, the nearest says what it is. Lessons
    that do not expire together stay apart.

    Args:
        lesson: the one that comes in.
        neighbours: it, and those that it may meet.
        judge: the guard.
        thresholds: of the model.
        present: ids of those that take part; None means all.
    """
    near = neighbours.near(lesson.memory_id, thresholds.candidate, present, EXAMINED_MAX)
    pairs: list[tuple[Pair, DuplicateVerdict]] = []
    for known, cosine in near:
        may_merge = known.expire_time_us == lesson.expire_time_us
        said = judge.differences(lesson.content, known.content) if may_merge else None
        pair = Pair(known, cosine, said)
        pairs.append((pair, pair.verdict(thresholds)))
        if pairs[-1][1] is DuplicateVerdict.MERGE:
            return Sight(DuplicateVerdict.MERGE, (pairs[-1],))
    return Sight(pairs[0][1] if pairs else DuplicateVerdict.NEW, tuple(pairs))
