"""The parts of a memory that a chat model can improve, and how edits change that. Pure.

Importance is in doubt where a rule scored it neither low nor high and nobody has set it since. The
levels are extracts of long texts; of short ones they say all there is. What tools and systems
print is looked up and not read: its levels stay extracts.
"""

from dataclasses import dataclass, replace

from anamnesis_memory.model.memory import Kind, Memory, Provenance, Status
from anamnesis_memory.model.memory_details import Episode, Role

DOUBT_MIN = 0.35
DOUBT_MAX = 0.65
_PRINTED = frozenset((Role.TOOL, Role.SYSTEM))


@dataclass(frozen=True, slots=True)
class Wanted:
    """The parts of one memory that are wanted of a model."""

    importance: bool
    levels: bool

    def __bool__(self) -> bool:
        """True if anything is wanted."""
        return self.importance or self.levels


def wanted_of(memory: Memory) -> Wanted:
    """The parts that a model can improve; none of what it has improved, and of documents."""
    done = memory.provenance.refinement is not None
    if done or memory.status is not Status.ACTIVE or memory.kind is Kind.DOCUMENT:
        return Wanted(importance=False, levels=False)
    part = memory.part
    printed = isinstance(part, Episode) and part.role in _PRINTED
    doubtful = memory.provenance.scored and DOUBT_MIN <= memory.importance <= DOUBT_MAX
    return Wanted(importance=doubtful, levels=bool(memory.overview) and not printed)


def set_by_hand(provenance: Provenance) -> Provenance:
    """The provenance of a memory whose importance somebody sets."""
    refinement = provenance.refinement
    if refinement is not None:
        refinement = replace(refinement, importance_before=None, reason="")
    return replace(provenance, scored=False, refinement=refinement)


def reworded(provenance: Provenance) -> Provenance:
    """The provenance of a memory with another text, whose levels are extracts again."""
    refinement = provenance.refinement
    weighed = refinement is not None and refinement.importance_before is not None
    return replace(provenance, scored=provenance.scored and not weighed, refinement=None)


def summarised_otherwise(provenance: Provenance) -> Provenance:
    """The provenance of a memory whose summary is somebody else's now."""
    if provenance.refinement is None:
        return provenance
    return replace(provenance, refinement=replace(provenance.refinement, summary=False))
