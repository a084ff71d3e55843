"""Two memories become one: the known one stays, what came in is kept whole beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.domain.lifecycle.memory_vitals import vitals_of, with_vitals
from anamnesis_memory.domain.lifecycle.vitals import MERGED, Vitals, used
from anamnesis_memory.model.edges import Edge, derived_from, source_ids
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Fact, Lesson
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.segments import SEGMENT_TAG_PREFIX
from anamnesis_memory.model.tags import unite_tags
from anamnesis_memory.ports import CommitStamp, IndexRecord

EVIDENCE_MAX = 100


@dataclass(frozen=True, slots=True)
class Merged:
    """The changes of a merge: the known memory, its vitals, the copy of the other, its edges."""

    memory: Memory
    vitals: Vitals
    copy: Copy
    edges: tuple[Edge, ...]


def merge(known: Memory, incoming: IndexRecord, similarity: float, stamp: CommitStamp) -> Merged:
    """Take a lesson or a fact into one that says the same.

    Id, text and owners are the known one's. It gains a hit, the other's tags and evidence, and
    the greater of both confidences and importances. A tag that names a segment is not taken over:
    it says what the segment taught, and what is archived with it.

    Args:
        known: the memory that stays.
        incoming: the other one, stamped, with its vectors; its id becomes that of the copy.
        similarity: the cosine they were merged by, 1 of identical ones.
        stamp: of the write.
    """
    other = incoming.memory
    own = [tag for tag in other.tags if not tag.startswith(SEGMENT_TAG_PREFIX)]
    tags = unite_tags(known.tags, own)
    evidence = _united_evidence(known, other)
    vitals = used(vitals_of(known), MERGED, stamp.now_us)
    after = replace(
        _with_evidence(known, evidence),
        tags=tags,
        confidence=max(known.confidence, other.confidence),
        importance=max(known.importance, other.importance),
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )
    copy = Copy(
        copy_id=other.memory_id,
        memory_id=known.memory_id,
        role=CopyRole.CONTRIBUTION,
        memory=other,
        create_time_us=stamp.now_us,
        similarity=similarity,
        vectors=incoming.vectors,
        added_tags=_new(tags, known.tags),
        added_evidence=_new(evidence, source_ids(known)),
    )
    edges = derived_from(after, stamp.now_us) if copy.added_evidence else ()
    return Merged(with_vitals(after, vitals), vitals, copy, edges)


def without(known: Memory, tags: Sequence[str], evidence: Sequence[str]) -> Memory:
    """A lesson less some of its tags and evidence."""
    left = tuple(one for one in source_ids(known) if one not in evidence)
    kept = tuple(tag for tag in known.tags if tag not in tags)
    return replace(_with_evidence(known, left), tags=kept)


def _united_evidence(known: Memory, other: Memory) -> tuple[str, ...]:
    own = dict.fromkeys((*source_ids(known), *source_ids(other)))
    own.pop(known.memory_id, None)
    return tuple(own)[: max(EVIDENCE_MAX, len(source_ids(known)))]


def _new(after: Sequence[str], before: Sequence[str]) -> tuple[str, ...]:
    return tuple(one for one in after if one not in before)


def _with_evidence(memory: Memory, evidence: tuple[str, ...]) -> Memory:
    if evidence == source_ids(memory):
        return memory
    if isinstance(memory.part, Fact):
        return replace(memory, part=replace(memory.part, source_memory_ids=evidence))
    part = memory.part if isinstance(memory.part, Lesson) else Lesson()
    return replace(memory, part=replace(part, evidence_memory_ids=evidence))
