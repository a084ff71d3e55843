"""The write that erases memories with everything that rests on them alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_libs.errors import Conflict
from anamnesis_memory.dedup.digests import memory_digests
from anamnesis_memory.erasure.facts import known_without, outdated
from anamnesis_memory.erasure.ledger_traces import emptied_events, emptied_segments
from anamnesis_memory.erasure.lineage import Fates, fates, of_subject
from anamnesis_memory.erasure.recompute import Remains, as_heir, without
from anamnesis_memory.knowledge.erasing import stands_on
from anamnesis_memory.memories.create import CLUSTER, lessons_due
from anamnesis_memory.memories.learn import tombstone_of
from anamnesis_memory.memories.policy import POLICY_KEY
from anamnesis_memory.model.edges import Edge, derived_from, source_ids
from anamnesis_memory.model.memory import Kind, Memory
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, TopicLabel
from anamnesis_memory.ports.knowledge import LineWanted
from anamnesis_memory.ports.life import ErasureSubject

_NEVER_LEARNED = frozenset((Kind.EPISODIC, Kind.DOCUMENT))


@dataclass(frozen=True, slots=True)
class Erased:
    """The outcome of an erasure; `derived` is the part of `gone` that was not asked for."""

    gone: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    kept: frozenset[str] = frozenset()
    copies: int = 0
    edges: int = 0
    topics: int = 0


class LineageGrew(Conflict):
    """Memories were derived from the erased ones since their lineage was traced: trace again."""

    def __init__(self) -> None:
        super().__init__(
            "memories were derived meanwhile from what is to be erased; send the request again",
            metadata={"resource": "memory"},
        )


@dataclass(frozen=True, slots=True)
class Lineage:
    """The lineage of memories that are to be erased, looked up before the write that erases them.

    Args:
        roots: what is to be erased.
        looked_at: the roots and what was derived from them, as far as it matters.
        beside: memories that those rest on too.
        places: of drawers, where their events are; empty where the ledger goes as well.
        topic_labels: what topics are called afterwards that may be named after what goes.
        lines: those of the facts that were looked at; None where nothing else stands on any.
    """

    roots: tuple[str, ...]
    looked_at: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()
    places: tuple[tuple[str, int], ...] = ()
    topic_labels: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[LineWanted, ...] | None = None

    def wanted(self) -> ReadSet:
        """The read set of a write that erases these memories."""
        looked_at = tuple(sorted(self.looked_at))
        return ReadSet(
            memories=tuple(sorted(self.looked_at | self.beside)),
            edges_of=looked_at,
            copies_of=looked_at,
            events=self.places,
            segments_of=tuple(dict.fromkeys(session_id for session_id, _ in self.places)),
            work=(CLUSTER,),
            mentions_of=looked_at,
            lines=self.lines or (),
            documents=(POLICY_KEY,),
        )

    def part_of(self, seen: ReadView) -> ReadView:
        """The part of a view about these memories, without others on the lines of their facts."""
        named = (self.looked_at | self.beside) & seen.memories.keys()
        return replace(seen, memories={one: seen.memories[one] for one in sorted(named)})

    def has_lines_of(self, memories: Iterable[Memory]) -> bool:
        """True if the facts that these memories hold still stand where they stood."""
        lines = self.lines
        return lines is None or all(stands_on(one, lines) for one in memories)


@dataclass(frozen=True, slots=True)
class EraseMemories:
    """Erases what a lineage names; memories of another subject's that rest on it stay.

    `tombstones` keeps what was learned from being learned again.
    """

    lineage: Lineage
    subject: ErasureSubject | None = None
    tombstones: bool = False

    def wanted(self) -> ReadSet:
        """See `Lineage.wanted`."""
        return self.lineage.wanted()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Erased]:
        """Take away what goes.

        Raises:
            LineageGrew: more was derived from it since.
        """
        return erase_memories(seen, stamp, self.lineage, self.subject, tombstones=self.tombstones)


def erase_memories(
    seen: ReadView,
    stamp: CommitStamp,
    lineage: Lineage,
    subject: ErasureSubject | None = None,
    *,
    tombstones: bool = False,
) -> Decision[Erased]:
    """The edits that erase memories, for any write that has loaded `Lineage.wanted`.

    Raises:
        LineageGrew: more was derived from them since they were looked at; nothing is changed.
    """
    told = fates(lineage.part_of(seen), lineage.roots, lineage.looked_at, subject)
    touched = (seen.memories[one] for one in (*told.gone, *told.heirs, *told.kept))
    if told.unknown or not lineage.has_lines_of(touched):
        raise LineageGrew
    if not told.lost:
        return Decision(Erased())
    remains = tuple(_remains(told, seen, stamp, subject))
    gone = [seen.memories[one] for one in told.gone]
    drawers = gone if lineage.places else ()
    known = known_without(told.gone, told.heirs, remains, seen, stamp)
    heirs = {one: seen.memories[one] for one in told.heirs}
    edits = replace(
        known,
        stale_embeddings=tuple(told.heirs),
        digests=memory_digests(one.memory for one in remains if one.memory.memory_id in told.heirs),
        deleted_memories=told.gone,
        edges=(*known.edges, *_new_edges(remains, told, stamp)),
        removed_edges=(*known.removed_edges, *outdated(seen.edges, heirs)),
        copies=(*known.copies, *(copy for one in remains for copy in one.untaken)),
        removed_copies=tuple(copy_id for one in remains for copy_id in one.dropped),
        events=tuple(emptied_events(seen, drawers)),
        segments=tuple(emptied_segments(seen, drawers, stamp)),
        topic_labels={one: TopicLabel(label) for one, label in lineage.topic_labels.items()},
        forgotten_answers=tuple(one.memory.memory_id for one in remains),
        tombstones=tuple(_tombstones(gone)) if tombstones else (),
        work=lessons_due(
            [one.memory for one in remains if one.memory.memory_id in told.heirs], seen, stamp
        ),
    )
    return Decision(_erased(told, seen, remains, lineage), edits)


def _remains(
    told: Fates, seen: ReadView, stamp: CommitStamp, subject: ErasureSubject | None
) -> Iterable[Remains]:
    """The remains of memories that stay: those that rest on something else, and the heirs."""
    lost = told.lost
    for memory_id in sorted(told.kept):
        memory = seen.memories[memory_id]
        yield without(memory, seen.copies.get(memory_id, ()), lost, stamp)
    for memory_id, heir in told.heirs.items():
        copies = seen.copies[memory_id]
        theirs = [
            copy
            for copy in copies
            if copy.role is CopyRole.VERSION
            or (subject is not None and of_subject(copy.memory, subject))
        ]
        mine = [copy for copy in copies if copy not in theirs]
        remains = as_heir(seen.memories[memory_id], heir, mine, lost, stamp)
        dropped = dict.fromkeys((*(copy.copy_id for copy in theirs), *remains.dropped))
        yield Remains(remains.memory, tuple(dropped), remains.untaken)


def _new_edges(remains: Sequence[Remains], told: Fates, stamp: CommitStamp) -> tuple[Edge, ...]:
    """The edges from heirs to the memories they were derived from."""
    return tuple(
        edge
        for one in remains
        if one.memory.memory_id in told.heirs
        for edge in derived_from(one.memory, stamp.now_us)
    )


def _tombstones(gone: Iterable[Memory]) -> Iterable[bytes]:
    return (tombstone_of(memory) for memory in gone if memory.kind not in _NEVER_LEARNED)


def _erased(told: Fates, seen: ReadView, remains: Sequence[Remains], lineage: Lineage) -> Erased:
    lost = told.lost
    asked = frozenset(lineage.roots)
    edges = {
        edge.key for edge in seen.edges if not lost.isdisjoint((edge.source_id, edge.target_id))
    }
    hanging = sum(len(seen.copies.get(one, ())) for one in told.gone)
    return Erased(
        gone=told.gone,
        derived=tuple(one for one in told.gone if one not in asked),
        kept=told.kept | told.heirs.keys(),
        copies=hanging + sum(len(one.dropped) for one in remains),
        edges=len(edges),
        topics=sum(not label for label in lineage.topic_labels.values()),
    )


def rests_on(memories: Iterable[Memory]) -> frozenset[str]:
    """The ids of the memories that these name as their sources."""
    return frozenset(source_id for memory in memories for source_id in source_ids(memory))
