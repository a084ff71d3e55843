"""Memories that may be given to another namespace, their worth, and the write of their copies.

Only what everybody sees, is in use and is the source's own is given: a copy of a copy would escape
the policy, and the erasures, of where it came from. A copy names nobody and nothing of the source
but the memory itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors import FailedPrecondition
from anamnesis_memory.dedup.digests import memory_digests, possible_digests
from anamnesis_memory.domain.lifecycle.proving import lesson_rank, procedure_rank
from anamnesis_memory.memories.craft.experience import is_experience
from anamnesis_memory.memories.create import CLUSTER, lessons_due
from anamnesis_memory.memories.learn import tombstone_of
from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance, Status, Visibility
from anamnesis_memory.model.memory_details import Lesson, Part, Procedure, ProcedureStatus
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.seeds import ITEMS_MAX, Seed, SeedItem, seed_of, seeded_note, text_mark
from anamnesis_memory.model.segments import SEGMENT_TAG_PREFIX
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet

CONFIDENCE_MIN = 0.5
"""Of what is given; below it more failed than held."""
TRUST = 0.7
"""The part of its confidence that a copy keeps: other lessons held elsewhere, not yet here.

What is sure by default (0.8) begins at 0.56, two failures above what is no longer shown.
"""
KINDS = (Kind.LEARNING, Kind.PROCEDURAL)
_OF_PEOPLE = frozenset(("preference", "life"))
"""Categories of lessons that tell of people; they are never given."""


def is_giveable(memory: Memory, confidence_min: float) -> bool:
    """True if a memory may be given to a namespace that the policy names."""
    part = memory.part
    in_use = not isinstance(part, Procedure) or part.status is ProcedureStatus.ACTIVE
    return (
        memory.kind in KINDS
        and memory.category not in _OF_PEOPLE
        and memory.visibility is Visibility.SHARED
        and memory.status is Status.ACTIVE
        and memory.expire_time_us is None
        and not memory.needs_review
        and not memory.provenance.seed_namespace
        and memory.confidence >= max(CONFIDENCE_MIN, confidence_min)
        and in_use
    )


def worth(memory: Memory) -> tuple[int, float, float, str]:
    """The rank of a memory among those that may be given, the greatest first.

    Skills that were published come first: a person, or runs, spoke for them. Then what proved
    itself by the measure by which it is matched, then what is surest.
    """
    part = memory.part
    if isinstance(part, Procedure):
        published = bool(part.source_memory_ids) or bool(part.review_note)
        rank = procedure_rank(part.runs, part.success_rate)
        return int(published), rank, memory.confidence, memory.memory_id
    impact = part.impact if isinstance(part, Lesson) else 0.0
    return 0, lesson_rank(memory.confidence, impact), memory.confidence, memory.memory_id


def copy_for(memory: Memory, provenance: Provenance, memory_id: str, agent_id: str) -> Memory:
    """A memory as another namespace begins with it: it has proved nothing there yet."""
    return Memory(
        memory_id=memory_id,
        kind=memory.kind,
        content=memory.content,
        create_time_us=0,
        update_time_us=0,
        revision=0,
        provenance=provenance,
        category=memory.category,
        tags=tuple(tag for tag in memory.tags if not tag.startswith(SEGMENT_TAG_PREFIX)),
        importance=memory.importance,
        confidence=round(memory.confidence * TRUST, 9),
        visibility=Visibility.PRIVATE_TO_AGENT if agent_id else Visibility.SHARED,
        agent_id=agent_id,
        part=_unproven(memory.part),
    )


def seeded_from(memory: Memory, namespace: str, revision: str) -> Provenance:
    """The provenance of a copy: nobody said or saw it here, nor do users here bear it out."""
    generated = memory.provenance.origin is Origin.GENERATED
    return Provenance(
        Origin.GENERATED if generated else Origin.ASSERTED,
        model="" if is_experience(memory) or not generated else memory.provenance.model,
        seed_namespace=namespace,
        seed_memory_id=memory.memory_id,
        seed_revision=revision,
    )


def _unproven(part: Part) -> Part:
    match part:
        case Lesson():
            return replace(part, evidence_memory_ids=(), applications=0, validated=False)
        case Procedure():
            return replace(
                part,
                status=ProcedureStatus.DRAFT,
                runs=0,
                success_rate=0.0,
                source_memory_ids=(),
                review_note="",
            )
        case _:
            return part


def is_confirmed(memory: Memory, copies: Sequence[Copy], seeded_ids: frozenset[str]) -> bool:
    """True if own experience spoke for a copy since it came.

    It held, was applied or ran well, was put to use or pinned, its text was worked on here, or
    a lesson that is none of the seed's was merged into it.
    """
    match memory.part:
        case Lesson() as lesson:
            proved = lesson.validated or lesson.applications > 0
        case Procedure() as procedure:
            ran_well = procedure.runs > 0 and procedure.success_rate > 0
            proved = ran_well or procedure.status is ProcedureStatus.ACTIVE
        case _:
            proved = False
    own = any(
        one.role is CopyRole.VERSION or one.memory.memory_id not in seeded_ids for one in copies
    )
    return proved or memory.pinned or own


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy, redacted and summarised, and the memory that it was copied from."""

    memory: Memory
    source: Memory


@dataclass(frozen=True, slots=True)
class Seeded:
    """The outcome of seeding: the copies that were stored, and how many were known here."""

    copies: tuple[Copied, ...]
    known: int


@dataclass(frozen=True, slots=True)
class SeedMemories:
    """The write behind `SeedNamespace`: `seed` is one without items; a dry run stores nothing."""

    seed: Seed
    copies: Sequence[Copied]
    dry_run: bool = False

    def wanted(self) -> ReadSet:
        """The seed so far, the lessons that say the same, and the marks of what was deleted."""
        memories = [one.memory for one in self.copies]
        return ReadSet(
            documents=(self.seed.key,),
            digests=possible_digests(memories),
            tombstones=tuple(map(tombstone_of, memories)),
            work=(CLUSTER,),
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Seeded]:
        """Store the copies that are not here, and record where they came from.

        Raises:
            FailedPrecondition: the seed would hold more than `ITEMS_MAX`.
        """
        seed = self._so_far(seen, stamp)
        given = {one.source_memory_id for one in seed.items}
        taken: list[Copied] = []
        digests: dict[str, bytes] = {}
        said = set(seen.by_digest)
        for one in self.copies:
            digest = memory_digests((one.memory,)).get(one.memory.memory_id)
            here = one.source.memory_id in given or (digest is not None and digest in said)
            if here or tombstone_of(one.memory) in seen.tombstones:
                continue
            if digest is not None:
                said.add(digest)
                digests[one.memory.memory_id] = digest
            taken.append(replace(one, memory=_stamped(one.memory, stamp)))
        known = len(self.copies) - len(taken)
        if len(seed.items) + len(taken) > ITEMS_MAX:
            raise FailedPrecondition(
                f"more than {ITEMS_MAX:,} copies of one source: withdraw what has not held first"
            )
        if not taken or self.dry_run:
            return Decision(Seeded(tuple(taken), known))
        memories = tuple(one.memory for one in taken)
        items = (
            SeedItem(one.memory.memory_id, one.source.memory_id, text_mark(one.source))
            for one in taken
        )
        seed = replace(seed, items=(*seed.items, *items))
        edits = WriteSet(
            memories=memories,
            digests=digests,
            documents=(seed.document(stamp.now_us),),
            work=lessons_due(memories, seen, stamp),
        )
        return Decision(Seeded(tuple(taken), known), edits)

    def _so_far(self, seen: ReadView, stamp: CommitStamp) -> Seed:
        """The seed as it is kept, of the source as it is now."""
        kept = seen.documents.get(self.seed.key)
        if kept is None:
            return replace(self.seed, create_time_us=stamp.now_us)
        return replace(seed_of(kept), incarnation=self.seed.incarnation)


@dataclass(frozen=True, slots=True)
class ForgetSeeded:
    """Takes copies out of a seed's record once they are gone; an empty one goes."""

    seed: Seed
    memory_ids: frozenset[str]

    def wanted(self) -> ReadSet:
        """The record."""
        return ReadSet(documents=(self.seed.key,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Leave the other copies, those that came meanwhile included."""
        kept = seen.documents.get(self.seed.key)
        if kept is None:
            return Decision(None)
        left = seed_of(kept).without(self.memory_ids)
        if not left.items:
            return Decision(None, WriteSet(removed_documents=(self.seed.key,)))
        return Decision(None, WriteSet(documents=(left.document(kept.update_time_us),)))


@dataclass(frozen=True, slots=True)
class NoteSeeded:
    """Notes in a source that a namespace may hold copies of its memories."""

    namespace: str

    def wanted(self) -> ReadSet:
        """Nothing: the note is the same whenever it is written."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Keep the note."""
        return Decision(None, WriteSet(documents=(seeded_note(self.namespace, stamp.now_us),)))


def _stamped(memory: Memory, stamp: CommitStamp) -> Memory:
    return replace(
        memory,
        create_time_us=stamp.now_us,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )
