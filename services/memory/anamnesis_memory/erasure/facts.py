"""Knowledge without what is erased: facts settle anew, and names are of what stays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from anamnesis_memory.domain.entities.names import Mention
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.erasure.recompute import Remains
from anamnesis_memory.knowledge.erasing import FactErasure, fact_of, still_named, stored_alone
from anamnesis_memory.memories.policy import POLICY_KEY, policy_of
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports import CommitStamp, ReadView, WriteSet

_OF_FACTS = frozenset({EdgeType.SUPERSEDES, EdgeType.CONTRADICTS})


def erasure_of_facts(seen: ReadView, stamp: CommitStamp) -> FactErasure:
    """Lets tellings go, by the policy that was seen."""
    return FactErasure(seen, stamp, policy_of(seen.documents.get(POLICY_KEY)).predicates)


def known_without(
    gone: Iterable[str],
    heirs: Mapping[str, Copy],
    remains: Sequence[Remains],
    seen: ReadView,
    now: CommitStamp,
) -> WriteSet:
    """The edits of facts and names where memories go, and others go on as something else.

    Args:
        gone: memories that go.
        heirs: what those that go on as another become.
        remains: what stays.
        seen: as the write saw it.
        now: of the write.
    """
    facts = erasure_of_facts(seen, now)
    for memory_id in gone:
        facts.remove(seen.memories[memory_id])
    for one in remains:
        memory_id = one.memory.memory_id
        before = seen.memories[memory_id]
        if memory_id in heirs:
            told = {copy.copy_id for copy in contributions(one, seen)}
            facts.keep(before, one.memory, told | {heirs[memory_id].copy_id})
        else:
            facts.stay(before, one.memory)
    changed = [one for one in remains if one.memory.memory_id in heirs]
    return united(facts.settled(), changed, remains, seen, heirs)


def united(
    settled: WriteSet,
    renamed: Sequence[Remains],
    remains: Sequence[Remains],
    seen: ReadView,
    heirs: Mapping[str, Copy] = MappingProxyType({}),
) -> WriteSet:
    """The edits of facts with all that remains, names of those that lost a text, and reasons.

    What reads otherwise because a fact settled anew is put so. `heirs` as in `known_without`.
    """
    put = {one.memory.memory_id: one.memory for one in remains}
    put |= {one.memory_id: one for one in settled.memories}
    return replace(
        settled,
        memories=tuple(put.values()),
        reasons=tuple(ReviewReason.own(one.memory.memory_id) for one in remains),
        unmentioned=tuple(one.memory.memory_id for one in renamed),
        mentions=tuple(mention for one in renamed for mention in _still_named(one, heirs, seen)),
    )


def _still_named(
    remains: Remains, heirs: Mapping[str, Copy], seen: ReadView
) -> tuple[Mention, ...]:
    """The mentions of a memory that lost a text, as far as the rest of it still names them."""
    memory_id = remains.memory.memory_id
    before = seen.memories[memory_id]
    copies = seen.copies.get(memory_id, ())
    added = contributions(remains, seen)
    left = {one.copy_id for one in added}
    if (heir := heirs.get(memory_id)) is not None:
        left.add(heir.copy_id)
    else:
        left |= {memory_id} if _same_text(before, remains.memory) else set()
    return still_named(
        remains.memory,
        added,
        seen.mentions.get(memory_id, ()),
        scope_of(remains.memory),
        stored_alone(before, copies, left),
    )


def _same_text(one: Memory, remains: Memory) -> bool:
    """True if the remains have the text of the memory, and the same owners and session."""
    owners = one.visibility, one.agent_id, one.user_id, one.session_id
    theirs = remains.visibility, remains.agent_id, remains.user_id, remains.session_id
    return one.content == remains.content and owners == theirs


def contributions(remains: Remains, seen: ReadView) -> list[Copy]:
    """The contributions to a memory that stay with it."""
    copies = seen.copies.get(remains.memory.memory_id, ())
    return [
        copy
        for copy in copies
        if copy.role is CopyRole.CONTRIBUTION and copy.copy_id not in remains.dropped
    ]


def outdated(edges: Iterable[Edge], rewritten: Mapping[str, Memory]) -> tuple[EdgeKey, ...]:
    """Links of texts that are others now, which may quote what differed.

    What a fact closed, and what it is at odds with, it is whoever says so.
    """
    return tuple(
        edge.key
        for edge in edges
        for one in [rewritten.keys() & {edge.source_id, edge.target_id}]
        if one and not (edge.type in _OF_FACTS and all(fact_of(rewritten[each]) for each in one))
    )
