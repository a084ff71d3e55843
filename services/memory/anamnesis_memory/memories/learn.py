"""Recording what a segment teaches, and promoting episodes: writes under a lease."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_memory.dedup.check import Check
from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.knowledge.intake import KnowledgeIntake, KnowledgeRules
from anamnesis_memory.knowledge.tagging import labelled
from anamnesis_memory.ledger.cut import segment_of
from anamnesis_memory.ledger.work import following, stage_keys
from anamnesis_memory.memories.create import lessons_due
from anamnesis_memory.memories.duplicates import Intake
from anamnesis_memory.memories.refining.wanted import summarised_otherwise
from anamnesis_memory.memories.shown_edges import ShownEdge, drawn, outrun
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.expiry import check_expiry
from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance, Vectors, Work
from anamnesis_memory.model.memory_details import Episode, EpisodeStage
from anamnesis_memory.model.segments import Activity, Segment, SegmentState
from anamnesis_memory.model.session import Session
from anamnesis_memory.model.tags import unite_tags
from anamnesis_memory.model.work import Lease, completed
from anamnesis_memory.ports import CommitStamp, Decision, IndexRecord, ReadSet, ReadView, WriteSet


@dataclass(frozen=True, slots=True)
class LearnedSegment:
    """The memories that hold what was learned, and the number that had been forgotten before.

    A lesson that was merged into another counts as the other one, once.
    """

    memory_ids: tuple[str, ...]
    forgotten: int
    kinds: frozenset[Kind]


@dataclass(frozen=True, slots=True)
class RecordLearned:
    """The write behind `LedgerService.RecordLearned`; memories come redacted and summarised.

    Those that are checked against others name the session's owners already.
    """

    lease: Lease
    segment_id: str
    memories: Sequence[Memory]
    vectors: Mapping[str, Vectors]
    refusals: Mapping[str, int]
    extractor: str
    check: Check = field(default_factory=Check)
    knowledge: KnowledgeRules = field(default_factory=lambda: KnowledgeRules(learned=True))
    mentions: Mapping[str, tuple[Named, ...]] = field(default_factory=dict)
    """The entities that drawers name, by the drawers' ids."""
    edges: Sequence[ShownEdge] = ()

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of memory that may come in."""
        return frozenset(memory.kind for memory in self.memories)

    def wanted(self) -> ReadSet:
        """The session, its work and segments, what was learned, and what must not be again."""
        session_id = self.lease.session_id
        linked = dict.fromkeys(drawer for edge in self.edges for drawer in edge.drawers)
        wanted = ReadSet(
            sessions=(session_id,),
            work=(self.lease.key, (Work.CLUSTER, "")),
            segments_of=(session_id,),
            memories=tuple(dict.fromkeys((*self.mentions, *linked))),
            tombstones=tuple(map(tombstone_of, self.memories)),
            edges_of=tuple(linked),
        )
        mentioned = (one for named in self.mentions.values() for one in named)
        checked = self.check.adding(wanted, self.memories)
        return self.knowledge.adding(checked, self.memories, mentioned)

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[LearnedSegment]:
        """Store what was learned once: a segment that has taught before gets its first answer.

        Raises:
            LeaseLost: the work is no longer held.
            SegmentNotFound: the session has no such segment.
            InvalidArgument: a memory has expired.
        """
        self.lease.check(seen.work.get(self.lease.key))
        segment = segment_of(seen, self.lease.session_id, self.segment_id)
        if segment.state is SegmentState.EXTRACTED:
            known = seen.learned.get(segment.segment_id, ())
            return Decision(LearnedSegment(known, 0, frozenset()))
        for place, memory in enumerate(self.memories):
            check_expiry(memory.expire_time_us, stamp.now_us, f"memories[{place}].expire_time")
        session = seen.sessions[self.lease.session_id]
        incoming = [
            IndexRecord(
                self._stamped(memory, session, segment, stamp), self.vectors.get(memory.memory_id)
            )
            for memory in self.memories
            if tombstone_of(memory) not in seen.tombstones
        ]
        intake = Intake(self.check, self.knowledge, seen, stamp, incoming)
        taken = [intake.take(one).memory for one in incoming]
        learned = {memory.memory_id: memory for memory in taken}
        stored = tuple(learned.values())
        drawers = self._named_drawers(intake.knowledge, seen, stamp)
        shown = self._shown(incoming, taken, seen, stamp)
        edits = intake.edits()
        edits = replace(
            edits,
            memories=(*edits.memories, *drawers),
            segments=(_taught(segment, stamp),),
            activities=(self._activity(stored, segment, stamp),),
            work=lessons_due(stored, seen, stamp),
            edges=(*edits.edges, *shown),
            removed_edges=(*edits.removed_edges, *outrun(shown, seen)),
        )
        kinds = frozenset(memory.kind for memory in stored)
        forgotten = len(self.memories) - len(incoming)
        return Decision(LearnedSegment(tuple(learned), forgotten, kinds), edits)

    def _shown(
        self,
        incoming: Sequence[IndexRecord],
        taken: Sequence[Memory],
        seen: ReadView,
        stamp: CommitStamp,
    ) -> tuple[Edge, ...]:
        """The edges that the session shows, to the memories that hold what it taught."""
        places = {memory.memory_id: place for place, memory in enumerate(self.memories)}
        holders = {
            places[one.memory.memory_id]: holder
            for one, holder in zip(incoming, taken, strict=True)
        }
        return drawn(self.edges, holders, self.lease.session_id, seen, stamp)

    def _stamped(
        self, memory: Memory, session: Session, segment: Segment, stamp: CommitStamp
    ) -> Memory:
        """Owners and visibility are the session's, whatever was sent."""
        return replace(
            owned(memory, session),
            create_time_us=stamp.now_us,
            update_time_us=stamp.now_us,
            revision=stamp.revision,
            tags=unite_tags([segment.tag], memory.tags),
            provenance=_within(memory.provenance, segment),
        )

    def _named_drawers(
        self, knowledge: KnowledgeIntake, seen: ReadView, stamp: CommitStamp
    ) -> list[Memory]:
        """Note the entities that drawers of the session mention; return the drawers that change."""
        changed = []
        for memory_id, named in self.mentions.items():
            drawer = seen.memories.get(memory_id)
            if drawer is None or not self._is_of_session(drawer):
                continue
            told = labelled(drawer, knowledge.mention(drawer, named))
            if told != drawer:
                changed.append(replace(told, update_time_us=stamp.now_us, revision=stamp.revision))
        return changed

    def _is_of_session(self, memory: Memory) -> bool:
        return isinstance(memory.part, Episode) and memory.session_id == self.lease.session_id

    def _activity(self, stored: Sequence[Memory], segment: Segment, stamp: CommitStamp) -> Activity:
        kinds = [memory.kind for memory in stored]
        return Activity(
            time_us=stamp.now_us,
            session_id=segment.session_id,
            segment_id=segment.segment_id,
            topic=segment.topic,
            memory_ids=tuple(memory.memory_id for memory in stored),
            facts=kinds.count(Kind.SEMANTIC),
            lessons=kinds.count(Kind.LEARNING),
            procedures=kinds.count(Kind.PROCEDURAL),
            refusals=tuple(sorted(self.refusals.items())),
            extractor=self.extractor,
            revision=stamp.revision,
        )


@dataclass(frozen=True, slots=True)
class PromoteEpisodes:
    """The write behind `LedgerService.PromoteEpisodes`; it completes the COMPRESS work."""

    lease: Lease
    summaries: Mapping[str, str]
    retain_us: int = 0

    def wanted(self) -> ReadSet:
        """The work, what follows it, and the drawers."""
        return ReadSet(work=stage_keys(self.lease.key), memories=tuple(self.summaries))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """Give each drawer of the session its summary; the result is how many.

        Raises:
            LeaseLost: the work is no longer held.
        """
        item = self.lease.check(seen.work.get(self.lease.key))
        promoted = tuple(
            replace(
                memory,
                summary=self.summaries[memory.memory_id],
                provenance=summarised_otherwise(memory.provenance),
                part=replace(memory.part, stage=EpisodeStage.MEDIUM_TERM),
                update_time_us=stamp.now_us,
                revision=stamp.revision,
            )
            for memory in seen.memories.values()
            if memory.session_id == item.session_id and isinstance(memory.part, Episode)
        )
        done = completed(item, stamp.now_us)
        work = (done, *following(done, seen, self.retain_us))
        edits = WriteSet(memories=promoted, work=work)
        return Decision(len(promoted), edits)


def owned(memory: Memory, session: Session) -> Memory:
    """A learned memory with the owners and the visibility of its session."""
    return replace(
        memory,
        visibility=session.visibility,
        agent_id=session.agent_id,
        user_id=session.user_id,
        session_id=session.session_id,
    )


def tombstone_of(memory: Memory) -> bytes:
    """A digest of what a memory says, whoever said it; case and spacing do not matter."""
    said = " ".join(memory.content.casefold().split())
    return hashlib.sha256(f"{memory.kind.value}\x00{said}".encode()).digest()


def _taught(segment: Segment, stamp: CommitStamp) -> Segment:
    return replace(
        segment,
        state=SegmentState.EXTRACTED,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )


def _within(provenance: Provenance, segment: Segment) -> Provenance:
    """The provenance within a segment: its stated event indices, else those of the segment.

    What no model wrote was picked out, and scored, by rules.
    """
    first, last = provenance.first_event_index, provenance.last_event_index
    return replace(
        provenance,
        session_id=segment.session_id,
        segment_id=segment.segment_id,
        first_event_index=segment.first_index if first is None else first,
        last_event_index=segment.last_index if last is None else last,
        scored=provenance.origin is Origin.OBSERVED,
    )
