"""Writing what a chat model said of memories: one transaction, under the claim of the run.

With it the place moves up to which memories were asked about. A memory that has changed meanwhile
is left; so is an importance that somebody has set.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors import invalid_field
from anamnesis_memory.dedup.digests import memory_digests
from anamnesis_memory.memories.refining.wanted import wanted_of
from anamnesis_memory.model.memory import Memory, Refinement
from anamnesis_memory.model.refining import RefiningPlace, place_document
from anamnesis_memory.model.work import Lease
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet


@dataclass(frozen=True, slots=True)
class NewRefinement:
    """The words of a model about a memory as of an etag: what is None or empty stays as it is."""

    memory_id: str
    etag: str
    importance: float | None = None
    reason: str = ""
    summary: str = ""
    overview: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The counts of what was written, and of memories that were left."""

    weighed: int = 0
    worded: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True)
class RecordRefinements:
    """The write behind `MemoryService.RecordRefinements`; without `through` the place stays."""

    lease: Lease
    lease_us: int
    model: str
    refinements: Sequence[NewRefinement]
    through: RefiningPlace | None

    def wanted(self) -> ReadSet:
        """The claim, and the memories."""
        ids = tuple(one.memory_id for one in self.refinements)
        return ReadSet(memories=ids, work=(self.lease.key,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Recorded]:
        """Write what is of the memories as they are, and keep the claim.

        Raises:
            LeaseLost: somebody else has the phase.
            InvalidArgument: the place has not been reached yet.
        """
        item = self.lease.check(seen.work.get(self.lease.key))
        if self.through is not None and self.through.revision > stamp.revision:
            raise invalid_field("through", "is a place that the namespace has not reached")
        put = tuple(filter(None, (self._refined(one, seen, stamp) for one in self.refinements)))
        place = () if self.through is None else (place_document(self.through, stamp.now_us),)
        held = replace(item, expires_us=stamp.now_us + self.lease_us)
        edits = WriteSet(memories=put, digests=memory_digests(put), documents=place, work=(held,))
        said = [one.provenance.refinement for one in put]
        recorded = Recorded(
            weighed=sum(one is not None and one.importance_before is not None for one in said),
            worded=sum(one is not None and (one.summary or one.overview) for one in said),
            changed=len(self.refinements) - len(put),
        )
        return Decision(recorded, edits)

    def _refined(self, new: NewRefinement, seen: ReadView, stamp: CommitStamp) -> Memory | None:
        """The memory with what is new of it; None where it is another by now."""
        memory = seen.memories.get(new.memory_id)
        if memory is None or memory.etag != new.etag:
            return None
        wanted = wanted_of(memory)
        weighed = wanted.importance and new.importance is not None
        worded = wanted.levels and bool(new.summary or new.overview)
        if not (weighed or worded):
            return None
        refinement = Refinement(
            self.model,
            stamp.now_us,
            importance_before=memory.importance if weighed else None,
            reason=new.reason if weighed else "",
            summary=worded and bool(new.summary),
            overview=worded and bool(new.overview),
        )
        return replace(
            memory,
            importance=new.importance
            if weighed and new.importance is not None
            else memory.importance,
            summary=new.summary if refinement.summary else memory.summary,
            overview=new.overview if refinement.overview else memory.overview,
            provenance=replace(memory.provenance, refinement=refinement),
            update_time_us=stamp.now_us,
            revision=stamp.revision,
        )
