"""Facts lose what a segment told, when the session is cut anew and the segment is replaced.

What went is taken back (see `facts.transitions.retract`), not erased: it stays readable as of when
it was known. A fact that others tell too goes on without that telling; one that nobody tells any
more is archived, and what it had closed opens again.

Nothing that was derived from such a fact is marked for review. The text has not been disowned, it
is read anew: the extraction that follows a cut tells what still holds, and the fact comes back to
the memory that held it. A mark would say that the ground was taken back, and nothing would take it
off again, for whoever tells a fact knows nothing of marks (see `facts.review`). What is not told
again is archived and says so, as lessons are that rest on a replaced segment. Marks that a closing
had set do go with it, for their ground holds on; who closes it again sets them again.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_libs.errors import Conflict
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.transitions import retract
from anamnesis_memory.knowledge.assert_fact import statement_of
from anamnesis_memory.knowledge.erasing import fact_of, stands_on
from anamnesis_memory.knowledge.workspace import FactWorkspace
from anamnesis_memory.model.memory import Memory, Status
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.segments import Segment, SegmentState
from anamnesis_memory.ports import CommitStamp, ReadView, WriteSet
from anamnesis_memory.ports.knowledge import LineWanted


class SegmentsTaught(Conflict):
    """A replaced segment has told more since it was looked at, or its facts moved: look again."""

    def __init__(self) -> None:
        super().__init__(
            "what the replaced segments taught has changed meanwhile; send the request again",
            metadata={"resource": "session"},
        )


@dataclass(frozen=True, slots=True)
class PriorTellings:
    """The tellings of segments, looked up before the write that replaces those segments.

    Args:
        revisions: of those that had taught, by id, when they were looked at.
        memory_ids: the memories that hold what they told, or told again.
        lines: those of their facts.
        predicates: those that have one object at a time in this namespace.
    """

    revisions: Mapping[str, int] = field(default_factory=dict)
    memory_ids: tuple[str, ...] = ()
    lines: tuple[LineWanted, ...] = ()
    predicates: SingleValued = field(default_factory=SingleValued)


@dataclass(frozen=True, slots=True)
class Untold:
    """The outcome of withdrawing tellings: the facts looked at, and the memories it archived."""

    facts: frozenset[str] = frozenset()
    archived: tuple[str, ...] = ()
    edits: WriteSet = field(default_factory=WriteSet)


def told_by(copy: Copy, segment_ids: Collection[str]) -> bool:
    """True if a copy is a fact that one of these segments told again."""
    memory = copy.memory
    told = copy.role is CopyRole.CONTRIBUTION and isinstance(memory.part, Fact)
    return told and memory.provenance.segment_id in segment_ids


def untell(
    told: PriorTellings, gone: Sequence[Segment], seen: ReadView, stamp: CommitStamp
) -> Untold:
    """Take back what these segments told.

    Raises:
        SegmentsTaught: what is to be seen of them is more than was looked at; nothing is changed.
    """
    held = [memory for one in told.memory_ids if (memory := seen.memories.get(one)) is not None]
    _check(told, gone, held)
    board = _Untelling(seen, stamp, frozenset(one.segment_id for one in gone))
    facts = [one for one in held if fact_of(one)]
    edits = board.without(facts, seen.copies, told.predicates)
    silenced = {one.memory_id for one in edits.memories if one.status is Status.ARCHIVED}
    archived = tuple(one.memory_id for one in facts if one.memory_id in silenced)
    return Untold(frozenset(one.memory_id for one in facts), archived, edits)


def _check(told: PriorTellings, gone: Iterable[Segment], held: Iterable[Memory]) -> None:
    """Raises SegmentsTaught."""
    taught = (one for one in gone if one.state is SegmentState.EXTRACTED)
    as_looked_at = all(told.revisions.get(one.segment_id) == one.revision for one in taught)
    if not as_looked_at or not all(stands_on(one, told.lines) for one in held):
        raise SegmentsTaught


class _Untelling(FactWorkspace):
    """Lines and memories while tellings of replaced segments are taken back."""

    def __init__(self, seen: ReadView, stamp: CommitStamp, segment_ids: frozenset[str]) -> None:
        super().__init__(seen, stamp)
        self._segment_ids = segment_ids
        self._now_us = stamp.now_us

    def without(
        self,
        facts: Iterable[Memory],
        copies: Mapping[str, Sequence[Copy]],
        predicates: SingleValued,
    ) -> WriteSet:
        """Withdraw the tellings from each line at once; mark nothing that was derived from them."""
        going: defaultdict[str, set[str]] = defaultdict(set)
        for memory in facts:
            part = fact_of(memory)
            assert part is not None, "only facts stand on lines"
            line_id = statement_of(memory, part).line_id
            going[line_id] |= self._told(memory, part, copies.get(memory.memory_id, ()))
        for line_id, telling_ids in going.items():
            outcome = retract(self.line(line_id), telling_ids, self._now_us, predicates)
            if outcome.tellings:
                self.settle(line_id, outcome)
        return replace(self.edits(), shaken=())

    def _told(self, memory: Memory, part: Fact, copies: Sequence[Copy]) -> set[str]:
        """The tellings of a fact that these segments made: contributions, and its own text."""
        line = self.line(statement_of(memory, part).line_id)
        added = {one.copy_id for one in copies}
        going = {one.copy_id for one in copies if told_by(one, self._segment_ids)}
        if memory.provenance.segment_id in self._segment_ids:
            going |= set(line.of_fact(part.fact_id)) - added
        return going
