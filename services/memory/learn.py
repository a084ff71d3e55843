"""Recording what a segment teaches, and promoting episodes: writes under a lease."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from services.memory.create import lessons_due, unite_tags
from services.memory.cut import segment_of
from services.memory.edges import derived_from
from services.memory.ledger import Session
from services.memory.model import Kind, Memory, Provenance, Vectors, Work
from services.memory.parts import Episode, Stage
from services.memory.ports import Decision, Edits, Seen, Stamp, Wanted
from services.memory.segments import Activity, Segment, SegmentState
from services.memory.work import Lease, completed
from services.memory.work_writes import following, stage_keys


@dataclass(frozen=True, slots=True)
class Learned:
    """What was stored, and how many memories had been forgotten before."""

    memory_ids: tuple[str, ...]
    forgotten: int
    kinds: frozenset[Kind]


@dataclass(frozen=True, slots=True)
class RecordLearned:
    """The write behind `LedgerService.RecordLearned`; memories come redacted and summarised."""

    lease: Lease
    segment_id: str
    memories: Sequence[Memory]
    vectors: Mapping[str, Vectors]
    refusals: Mapping[str, int]
    extractor: str

    @property
    def kinds(self) -> frozenset[Kind]:
        """What kinds of memory may come in."""
        return frozenset(memory.kind for memory in self.memories)

    def wanted(self) -> Wanted:
        """The session, its work and segments, what was learned, and what must not be again."""
        session_id = self.lease.session_id
        return Wanted(
            sessions=(session_id,),
            work=(self.lease.key, (Work.CLUSTER, "")),
            segments_of=(session_id,),
            tombstones=tuple(map(tombstone_of, self.memories)),
        )

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[Learned]:
        """Store it once: a segment that has taught answers what it taught.

        Raises:
            LeaseLost: the work is no longer held.
            SegmentNotFound: the session has no such segment.
        """
        self.lease.check(seen.work.get(self.lease.key))
        segment = segment_of(seen, self.lease.session_id, self.segment_id)
        if segment.state is SegmentState.EXTRACTED:
            known = seen.learned.get(segment.segment_id, ())
            return Decision(Learned(known, 0, frozenset()))
        session = seen.sessions[self.lease.session_id]
        stored = tuple(
            self._stamped(memory, session, segment, stamp)
            for memory in self.memories
            if tombstone_of(memory) not in seen.tombstones
        )
        ids = tuple(memory.memory_id for memory in stored)
        edits = Edits(
            memories=stored,
            embeddings={key: self.vectors[key] for key in ids if key in self.vectors},
            edges=tuple(edge for memory in stored for edge in derived_from(memory, stamp.now_us)),
            segments=(_taught(segment, stamp),),
            activities=(self._activity(stored, segment, stamp),),
            work=lessons_due(stored, seen, stamp),
        )
        kinds = frozenset(memory.kind for memory in stored)
        return Decision(Learned(ids, len(self.memories) - len(stored), kinds), edits)

    def _stamped(self, memory: Memory, session: Session, segment: Segment, stamp: Stamp) -> Memory:
        """Owners and visibility are the session's, whatever was sent."""
        return replace(
            memory,
            create_time_us=stamp.now_us,
            update_time_us=stamp.now_us,
            revision=stamp.revision,
            visibility=session.visibility,
            agent_id=session.agent_id,
            user_id=session.user_id,
            session_id=session.session_id,
            tags=unite_tags([segment.tag], memory.tags),
            provenance=_within(memory.provenance, segment),
        )

    def _activity(self, stored: Sequence[Memory], segment: Segment, stamp: Stamp) -> Activity:
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

    def wanted(self) -> Wanted:
        """The work, what follows it, and the drawers."""
        return Wanted(work=stage_keys(self.lease.key), memories=tuple(self.summaries))

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[int]:
        """Give each drawer of the session its summary; the result is how many.

        Raises:
            LeaseLost: the work is no longer held.
        """
        item = self.lease.check(seen.work.get(self.lease.key))
        promoted = tuple(
            replace(
                memory,
                summary=self.summaries[memory.memory_id],
                part=replace(memory.part, stage=Stage.MEDIUM_TERM),
                update_time_us=stamp.now_us,
                revision=stamp.revision,
            )
            for memory in seen.memories.values()
            if memory.session_id == item.session_id and isinstance(memory.part, Episode)
        )
        done = completed(item, stamp.now_us)
        work = (done, *following(done, seen, self.retain_us))
        edits = Edits(memories=promoted, work=work)
        return Decision(len(promoted), edits)


def tombstone_of(memory: Memory) -> bytes:
    """A digest of what a memory says, whoever said it; case and spacing do not matter."""
    said = " ".join(memory.content.casefold().split())
    return hashlib.sha256(f"{memory.kind.value}\x00{said}".encode()).digest()


def _taught(segment: Segment, stamp: Stamp) -> Segment:
    return replace(
        segment,
        state=SegmentState.EXTRACTED,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )


def _within(provenance: Provenance, segment: Segment) -> Provenance:
    """Where it comes from, at most the whole segment."""
    first, last = provenance.first_event_index, provenance.last_event_index
    return replace(
        provenance,
        session_id=segment.session_id,
        segment_id=segment.segment_id,
        first_event_index=segment.first_index if first is None else first,
        last_event_index=segment.last_index if last is None else last,
    )
