"""Linking lessons whose vectors came after they were stored: nothing is merged any more.

A lesson is stored without vectors where the model does not answer, and has none for a moment where
its text was corrected. With its vectors it is looked at beside all others: what may be one is
marked for consolidation, what differs in what matters is linked with what differs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anamnesis_memory.dedup.check import Check, look
from anamnesis_memory.dedup.decide_duplicate import DuplicateJudge
from anamnesis_memory.dedup.detail import STATED, UNDONE
from anamnesis_memory.dedup.neighbours import Neighbours
from anamnesis_memory.dedup.pair_record import record_of, text_mark
from anamnesis_memory.dedup.pairs import known_of, pair_edges
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory import Kind, Memory, Status
from anamnesis_memory.ports import CommitStamp, Decision, IndexRecord, ReadSet, ReadView, WriteSet

_FOUND_BY_CHECKS = (EdgeType.SIMILAR_TO, EdgeType.MAY_DUPLICATE)


@dataclass(frozen=True, slots=True)
class LinkLessons:
    """The write that links lessons whose vectors were just made; the write takes no revision."""

    lessons: Sequence[IndexRecord]
    check: Check

    @property
    def _ids(self) -> tuple[str, ...]:
        return tuple(one.memory.memory_id for one in self.lessons)

    def wanted(self) -> ReadSet:
        """The lessons as they are by now, those that are near, and how they are linked."""
        return ReadSet(
            memories=(*self._ids, *self.check.nearest),
            embeddings=self.check.nearest,
            fresh_after=self.check.fresh_after,
            edges_of=self._ids,
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """Link each lesson to the lessons it is alike, and to no others; a split pair stays split.

        The result is how many edges there are of it.
        """
        lessons = [one for one in self.lessons if _says_so(one, seen)]
        neighbours = Neighbours(lessons, seen.fresh, known_of(self.check, seen))
        judge = DuplicateJudge(self.check.judged)
        edges: dict[EdgeKey, Edge] = {}
        for one in lessons:
            present = neighbours.ids - _split_from(one.memory, seen)
            sight = look(one.memory, neighbours, judge, self.check.thresholds, present)
            found = pair_edges(one.memory, sight.pairs, stamp.now_us)
            edges.update((edge.key, _with_record(edge, seen)) for edge in found)
        before = {edge.key for one in lessons for edge in _found_before(one.memory, seen)}
        gone = tuple(key for key in before if key not in edges)
        return Decision(len(edges), WriteSet(edges=tuple(edges.values()), removed_edges=gone))


def _says_so(lesson: IndexRecord, seen: ReadView) -> bool:
    """True if the lesson is still active and still has the text its vectors were made of."""
    now = seen.memories.get(lesson.memory.memory_id)
    return (
        now is not None
        and now.kind is Kind.LEARNING
        and now.status is Status.ACTIVE
        and now.content == lesson.memory.content
    )


def _split_from(lesson: Memory, seen: ReadView) -> set[str]:
    """The ids of lessons that were split from this one or decided to be others, with its own."""
    of = (one for one in seen.edges if lesson.memory_id in (one.source_id, one.target_id))
    return {
        end
        for edge in of
        if edge.type is EdgeType.SIMILAR_TO and (edge.detail == UNDONE or _is_decided(edge, seen))
        for end in (edge.source_id, edge.target_id)
    }


def _is_decided(edge: Edge, seen: ReadView) -> bool:
    """True if consolidation has recorded something of a pair, and the texts it read still stand.

    Where an end was not read with the others, it stands.
    """
    record = record_of(edge)
    ends = [seen.memories.get(one) for one in (edge.source_id, edge.target_id)]
    return record is not None and all(
        end is None or mark == text_mark(end) for end, mark in zip(ends, record.marks, strict=True)
    )


def _with_record(edge: Edge, seen: ReadView) -> Edge:
    """The edge, with what consolidation has recorded of it."""
    before = next((one for one in seen.edges if one.key == edge.key), None)
    return before if before is not None and _is_decided(before, seen) else edge


def _found_before(lesson: Memory, seen: ReadView) -> Iterator[Edge]:
    """The edges of a lesson that earlier checks have found."""
    for edge in seen.edges:
        own = lesson.memory_id in (edge.source_id, edge.target_id)
        kept = edge.detail in (UNDONE, STATED) or _is_decided(edge, seen)
        found = edge.type in _FOUND_BY_CHECKS or record_of(edge) is not None
        if own and found and not kept:
            yield edge
