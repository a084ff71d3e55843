"""Writing what was decided of two lessons: one transaction, under the claim of the run.

A merge is that of a write (see `dedup.merging`): the known lesson stays, the other is kept whole as
a contribution. Where a text for both takes the place of the known one's, that is kept as it was, by
the time at which the contributions were worked in, and the new one is embedded as after an edit.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from anamnesis_libs.errors import Conflict
from anamnesis_libs.errors.not_found import CopyNotFound, MemoryNotFound
from anamnesis_memory.dedup.detail import decided_apart, may_duplicate
from anamnesis_memory.dedup.digests import memory_digests
from anamnesis_memory.dedup.merging import merge
from anamnesis_memory.dedup.pair_record import (
    TRIES_MAX,
    guard_differences,
    pair_record,
    text_mark,
)
from anamnesis_memory.domain.entities.names import Mention
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.memories.consolidation.finding import may_be_one, tried
from anamnesis_memory.memories.consolidation.links import is_apart, is_held, moved
from anamnesis_memory.memories.create import CLUSTER, lessons_due
from anamnesis_memory.memories.editing.update import Text
from anamnesis_memory.memories.refining.wanted import reworded
from anamnesis_memory.model.access import check_etag
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType, symmetric
from anamnesis_memory.model.memory import Memory, Origin
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.work import Lease
from anamnesis_memory.ports import CommitStamp, Decision, IndexRecord, ReadSet, ReadView, WriteSet


class DuplicateOutcome(StrEnum):
    """The outcomes for two lessons that may be one; see the proto."""

    MERGED = "merged"
    KEPT_APART = "kept_apart"
    CONTRADICTS = "contradicts"
    REFUSED = "refused"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Settled:
    """The known lesson as it is now, and what became of the two."""

    memory: Memory
    outcome: DuplicateOutcome
    reason: str


@dataclass(frozen=True, slots=True)
class SettleDuplicate:
    """The write behind `LessonService.SettleDuplicate`.

    Args:
        lease: of the run that decided it, held for `lease_us` from now on.
        known_id: the lesson that stays, as of `known_etag`.
        other_id: the other lesson as of `other_etag`, or a contribution, which has none.
        outcome: what became of them; not WAITING.
        reason: why; of a refusal what is wrong with the text.
        text: for both, compared with theirs; None where the known one's says it all.
        version_id: names the known one's text of before.
        model: wrote the text.
    """

    lease: Lease
    lease_us: int
    known_id: str
    known_etag: str
    other_id: str
    other_etag: str
    outcome: DuplicateOutcome
    reason: str
    text: Text | None
    version_id: str
    model: str

    def wanted(self) -> ReadSet:
        """Both with all that hangs on them, the claim, and the work that a lesson makes due."""
        ids = (self.known_id, self.other_id)
        return ReadSet(
            memories=ids,
            embeddings=(self.other_id,),
            edges_of=ids,
            copies_of=ids,
            mentions_of=ids,
            work=(self.lease.key, CLUSTER),
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Settled]:
        """Settle the two, and keep the claim.

        Raises:
            LeaseLost: somebody else has the phase.
            MemoryNotFound, CopyNotFound: one of the two is gone.
            Conflict: one of the two has another etag, or they may not be one any more.
        """
        item = self.lease.check(seen.work.get(self.lease.key))
        known = seen.memories.get(self.known_id)
        if known is None:
            raise MemoryNotFound(self.known_id)
        check_etag(known, self.known_etag)
        decide = self._pair if self.other_etag else self._contribution
        settled = decide(known, seen, stamp)
        held = replace(item, expires_us=stamp.now_us + self.lease_us)
        edits = replace(settled.edits, work=(*settled.edits.work, held))
        return Decision(settled.result, edits)

    def _contribution(self, known: Memory, seen: ReadView, stamp: CommitStamp) -> Decision[Settled]:
        """Take a contribution into the text, or note that it could not be."""
        copies = seen.copies.get(self.known_id, ())
        copy = next((one for one in copies if one.copy_id == self.other_id), None)
        if copy is None or copy.role is not CopyRole.CONTRIBUTION:
            raise CopyNotFound(self.other_id)
        if self.outcome is DuplicateOutcome.MERGED:
            worked_us = stamp.now_us if self.text else 0
            after = replace(copy, merged=True, worked_us=worked_us, tries=0, reason="", tried_on="")
            edits = WriteSet(copies=(after,))
            return self._worded(known, known, edits, seen, stamp)
        mark = text_mark(known)
        before = copy.tries if copy.tried_on == mark else 0
        refused = self.outcome is DuplicateOutcome.REFUSED
        tried = replace(
            copy,
            tries=before + 1 if refused else TRIES_MAX,
            reason=self.reason,
            tried_on=mark,
        )
        return Decision(self._settled(known), WriteSet(copies=(tried,)))

    def _pair(self, known: Memory, seen: ReadView, stamp: CommitStamp) -> Decision[Settled]:
        """Make two lessons one, or note why they are not."""
        other = seen.memories.get(self.other_id)
        if other is None:
            raise MemoryNotFound(self.other_id)
        check_etag(other, self.other_etag)
        edges = [one for one in seen.edges if _joins(one, known, other)]
        if not may_be_one(known, other) or any(map(is_apart, edges)):
            raise Conflict("the two may not be one any more", metadata={"resource": "memory"})
        cosine = max((one.weight for one in edges), default=1.0)
        if self.outcome is DuplicateOutcome.MERGED:
            return self._merged(known, other, cosine, seen, stamp)
        ends = (known.memory_id, other.memory_id)
        if self.outcome is DuplicateOutcome.REFUSED:
            tries, _ = tried(known, other, edges)
            noted = pair_record(known, other, self.reason, tries + 1)
            edge = may_duplicate(*ends, cosine, stamp.now_us, noted)
            return Decision(self._settled(known), WriteSet(edges=(edge,)))
        differ = tuple(each for one in edges for each in guard_differences(one))
        record = pair_record(known, other, self.reason, 0, differ)
        drawn = [decided_apart(*ends, cosine, stamp.now_us, record)]
        if self.outcome is DuplicateOutcome.CONTRADICTS:
            drawn.append(replace(drawn[0], type=EdgeType.CONTRADICTS))
        gone = EdgeKey(*symmetric(*ends), EdgeType.MAY_DUPLICATE)
        return Decision(self._settled(known), WriteSet(edges=tuple(drawn), removed_edges=(gone,)))

    def _merged(
        self, known: Memory, other: Memory, cosine: float, seen: ReadView, stamp: CommitStamp
    ) -> Decision[Settled]:
        if is_held(other.memory_id, seen.edges):
            raise Conflict(
                "something was derived from the other memory or linked to it meanwhile",
                metadata={"resource": "memory"},
            )
        incoming = IndexRecord(other, seen.embeddings.get(other.memory_id))
        merged = merge(known, incoming, cosine, stamp)
        worked_us = stamp.now_us if self.text else 0
        copy = replace(merged.copy, merged=self.text is not None, worked_us=worked_us)
        inherited = [
            replace(one, memory_id=known.memory_id, worked_us=0)
            for one in seen.copies.get(other.memory_id, ())
        ]
        after = replace(
            merged.memory,
            pinned=known.pinned or other.pinned,
            needs_review=known.needs_review or other.needs_review,
        )
        taken = moved(other.memory_id, known.memory_id, seen.edges, stamp.now_us)
        edits = WriteSet(
            deleted_memories=(other.memory_id,),
            copies=(copy, *inherited),
            vitals=(merged.vitals,),
            edges=(*merged.edges, *taken),
            mentions=_inherited(known, other, seen),
            reasons=(ReviewReason.own(known.memory_id),) if other.needs_review else (),
        )
        return self._worded(known, after, edits, seen, stamp)

    def _worded(
        self, before: Memory, after: Memory, edits: WriteSet, seen: ReadView, stamp: CommitStamp
    ) -> Decision[Settled]:
        """The edits with the text for both, if there is one, and the version of before."""
        if self.text is None:
            if after == before:
                return Decision(self._settled(before), edits)
            edits = replace(edits, memories=(after,), digests=memory_digests([after]))
            return Decision(self._settled(after), edits)
        written = replace(
            after,
            content=self.text.content,
            summary=self.text.summary,
            overview=self.text.overview,
            provenance=replace(
                reworded(after.provenance), origin=Origin.GENERATED, model=self.model
            ),
            update_time_us=stamp.now_us,
            revision=stamp.revision,
        )
        version = Copy(self.version_id, self.known_id, CopyRole.VERSION, before, stamp.now_us)
        edits = replace(
            edits,
            memories=(written,),
            digests=memory_digests([written]),
            copies=(*edits.copies, version),
            stale_embeddings=(written.memory_id,),
            work=lessons_due((written,), seen, stamp),
        )
        return Decision(self._settled(written), edits)

    def _settled(self, memory: Memory) -> Settled:
        return Settled(memory, self.outcome, self.reason)


def _joins(edge: Edge, one: Memory, other: Memory) -> bool:
    """True of the edges between two lessons that consolidation looks at."""
    ends = symmetric(one.memory_id, other.memory_id)
    alike = edge.type in (EdgeType.MAY_DUPLICATE, EdgeType.SIMILAR_TO)
    return alike and (edge.source_id, edge.target_id) == ends


def _inherited(known: Memory, other: Memory, seen: ReadView) -> tuple[Mention, ...]:
    """The names in the other memory, as those of the known one."""
    own = {(one.entity_id, one.spelling.name) for one in seen.mentions.get(known.memory_id, ())}
    return tuple(
        replace(one, memory_id=known.memory_id)
        for one in seen.mentions.get(other.memory_id, ())
        if (one.entity_id, one.spelling.name) not in own
    )
