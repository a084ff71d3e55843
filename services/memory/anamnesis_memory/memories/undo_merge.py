"""Splitting a merge: what was taken in is a memory of its own again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors import invalid_field
from anamnesis_libs.errors.not_found import CopyNotFound
from anamnesis_memory.dedup.detail import undone
from anamnesis_memory.dedup.digests import memory_digests
from anamnesis_memory.dedup.merging import without
from anamnesis_memory.domain.entities.names import Mention
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.knowledge.erasing import fact_of, still_named, stored_alone
from anamnesis_memory.memories.consolidation.unworking import Unworked, unworked
from anamnesis_memory.memories.create import lessons_due
from anamnesis_memory.model.access import visible
from anamnesis_memory.model.edges import EdgeKey, EdgeType, derived_from, source_ids
from anamnesis_memory.model.memory import Caller, Memory, Status, Visibility, Work
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet


@dataclass(frozen=True, slots=True)
class Split:
    """Two memories that were one."""

    memory: Memory
    restored: Memory


@dataclass(frozen=True, slots=True)
class UndoMerge:
    """The write behind `MemoryService.UndoMerge`; without `copy_id` the latest is given back."""

    memory_id: str
    caller: Caller
    copy_id: str = ""

    def wanted(self) -> ReadSet:
        """The memory with all that hangs on it, and the work that a lesson makes due."""
        return ReadSet(
            memories=(self.memory_id,),
            copies_of=(self.memory_id,),
            mentions_of=(self.memory_id,),
            work=((Work.CLUSTER, ""),),
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Split]:
        """Give a contribution back with the vectors that it had.

        What only it had brought leaves the other: tags, evidence and the edges to that. Hits stay:
        it was of use. Where consolidation has worked its text in, the other's text is again what
        it was before; where it was corrected since, it stays and is to be reviewed. Versions of
        what is restored go with it.

        Raises:
            MemoryNotFound: there is no such memory that the caller may see.
            CopyNotFound: nothing was merged into it, or not this.
            InvalidArgument: the memory is a fact, which was told again and not merged.
        """
        known = visible(seen.memories, self.memory_id, self.caller)
        copies = seen.copies.get(self.memory_id, ())
        contributions = [one for one in copies if one.role is CopyRole.CONTRIBUTION]
        copy = self._chosen(contributions)
        if fact_of(known) is not None:
            raise invalid_field(
                "memory_id",
                "is a fact: asserting it again merged nothing; RetractFact withdraws the fact, and "
                "DeleteMemory deletes it with all its tellings",
            )
        text = unworked(known, copy, copies) if copy.worked_us else Unworked(known, (), ())
        again = {} if text is None else {one.copy_id: one for one in text.again}
        others = [again.get(one.copy_id, one) for one in contributions if one is not copy]
        inherited = _inherited(copy, others)
        tags = _only(copy.added_tags, [one.added_tags for one in inherited])
        evidence = _only(copy.added_evidence, [one.added_evidence for one in inherited])
        restored = _restored(copy, known, stamp)
        after = replace(
            without(text.memory if text else known, tags, evidence),
            needs_review=known.needs_review or text is None,
            update_time_us=stamp.now_us,
            revision=stamp.revision,
        )
        reworded = after.content != known.content
        own = [one for one in copies if one.is_before(restored)]
        edits = WriteSet(
            memories=(after, restored),
            embeddings={} if copy.vectors is None else {restored.memory_id: copy.vectors},
            stale_embeddings=(known.memory_id,) if reworded else (),
            digests=memory_digests([restored, *([after] if reworded else [])]),
            copies=(
                *{**again, **{one.copy_id: one for one in inherited}}.values(),
                *(replace(one, memory_id=restored.memory_id) for one in own),
            ),
            removed_copies=(copy.copy_id, *(text.gone if text else ())),
            edges=(
                undone(known.memory_id, restored.memory_id, copy.similarity, stamp.now_us),
                *derived_from(restored, stamp.now_us),
            ),
            removed_edges=tuple(
                EdgeKey(known.memory_id, one, EdgeType.DERIVED_FROM) for one in evidence
            ),
            work=lessons_due((restored,), seen, stamp),
            reasons=(ReviewReason.own(known.memory_id),) if text is None else (),
            unmentioned=(known.memory_id,),
            mentions=_mentions(after, others, restored, seen),
        )
        return Decision(Split(after, restored), edits)

    def _chosen(self, contributions: Sequence[Copy]) -> Copy:
        """The one that is named, else the latest."""
        found = [one for one in contributions if self.copy_id in ("", one.copy_id)]
        if not found:
            raise CopyNotFound(self.copy_id)
        return found[-1]


def _inherited(copy: Copy, others: Sequence[Copy]) -> list[Copy]:
    """Other contributions that name what this one had brought: now they count as its source."""
    tags, evidence = {*copy.added_tags}, {*copy.added_evidence}
    heirs = []
    for one in others:
        own_tags = tuple(tag for tag in one.memory.tags if tag in tags)
        own_evidence = tuple(each for each in source_ids(one.memory) if each in evidence)
        if own_tags or own_evidence:
            heirs.append(
                replace(
                    one,
                    added_tags=(*one.added_tags, *own_tags),
                    added_evidence=(*one.added_evidence, *own_evidence),
                )
            )
        tags -= {*own_tags}
        evidence -= {*own_evidence}
    return heirs


def _mentions(
    after: Memory, others: Sequence[Copy], restored: Memory, seen: ReadView
) -> tuple[Mention, ...]:
    """The mentions of the two memories; neither names what only the other does."""
    known = seen.mentions.get(after.memory_id, ())
    copies = seen.copies[after.memory_id]
    staying = {after.memory_id, *(one.copy_id for one in others)}
    own_us = stored_alone(after, copies, {restored.memory_id})
    left_us = stored_alone(after, copies, staying)
    own = still_named(restored, (), known, scope_of(restored), own_us)
    left = still_named(after, others, known, scope_of(after), left_us)
    lost = {one.spelling.name for one in own} - {one.spelling.name for one in left}
    return (
        *(one for one in known if one.spelling.name not in lost),
        *(replace(one, memory_id=restored.memory_id) for one in own),
    )


def _only(added: Sequence[str], inherited: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The entries that nobody inherits."""
    kept = {one for each in inherited for one in each}
    return tuple(one for one in added if one not in kept)


def _restored(copy: Copy, known: Memory, stamp: CommitStamp) -> Memory:
    """The contribution as it was sent, seen no more widely than what it was merged into is now."""
    memory = replace(
        copy.memory,
        status=Status.ACTIVE,
        archive_time_us=None,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )
    if known.visibility is Visibility.SHARED or scope_of(known) == scope_of(memory):
        return memory
    return replace(
        memory, visibility=known.visibility, agent_id=known.agent_id, user_id=known.user_id
    )
