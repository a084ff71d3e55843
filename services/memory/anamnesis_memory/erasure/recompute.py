"""Remains of memories when something that they were made of is erased. Pure.

Nothing here asks a model: a text that stays is one that its owner sent, unchanged.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Fact, Lesson, Part
from anamnesis_memory.model.memory_versions import Copy, CopyRole, untaken
from anamnesis_memory.model.tags import unite_tags
from anamnesis_memory.ports import CommitStamp


@dataclass(frozen=True, slots=True)
class Remains:
    """A memory that stays, with the ids of the copies that do not.

    `untaken` are contributions that stay, and are not in its text any more.
    """

    memory: Memory
    dropped: tuple[str, ...]
    untaken: tuple[Copy, ...] = ()


def part_without(part: Part, lost: Collection[str]) -> Part:
    """A part that no longer names what is lost."""
    match part:
        case Fact():
            kept = tuple(one for one in part.source_memory_ids if one not in lost)
            return replace(part, source_memory_ids=kept)
        case Lesson():
            kept = tuple(one for one in part.evidence_memory_ids if one not in lost)
            return replace(part, evidence_memory_ids=kept)
        case _:
            return part


def without(
    memory: Memory, copies: Sequence[Copy], lost: Collection[str], stamp: CommitStamp
) -> Remains:
    """A memory that still rests on something else; what it was before goes, for it may quote."""
    remains = replace(
        memory,
        part=part_without(memory.part, lost),
        needs_review=True,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )
    return Remains(remains, _ids(copy for copy in copies if copy.role is CopyRole.VERSION))


def as_heir(
    memory: Memory, heir: Copy, copies: Sequence[Copy], lost: Collection[str], stamp: CommitStamp
) -> Remains:
    """A memory that goes on as what was merged into it: text, owners and labels are the heir's.

    `copies` are those that may stay; how it fares (hits, tier, pin) is the memory's own.
    """
    text = heir.memory
    others = [one for one in copies if one.role is CopyRole.CONTRIBUTION and one != heir]
    remains = replace(
        memory,
        content=text.content,
        summary=text.summary,
        overview=text.overview,
        category=text.category,
        tags=unite_tags(text.tags, *(one.memory.tags for one in others)),
        entities=text.entities,
        importance=text.importance,
        confidence=text.confidence,
        visibility=text.visibility,
        agent_id=text.agent_id,
        user_id=text.user_id,
        session_id=text.session_id,
        event_index=text.event_index,
        event_time_us=text.event_time_us,
        utc_offset_minutes=text.utc_offset_minutes,
        provenance=text.provenance,
        part=part_without(text.part, lost),
        needs_review=True,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )
    gone = _ids(one for one in copies if one not in others)
    return Remains(remains, gone, tuple(map(untaken, filter(_tells, others))))


def _tells(copy: Copy) -> bool:
    """True of a contribution that says how it stands to the text."""
    return copy.merged or bool(copy.reason)


def without_contributions(
    memory: Memory, copies: Sequence[Copy], dropped: Collection[Copy], stamp: CommitStamp
) -> Remains | None:
    """A memory of somebody else's without what the subject had merged into it.

    Where an erased text was worked into the body, the body becomes what it was before, or else the
    oldest contribution that stays. None where there is neither: the texts cannot be told apart any
    more.
    """
    kept = [one for one in copies if one not in dropped]
    worked_us = [one.worked_us for one in dropped if one.worked_us]
    if worked_us:
        return _as_before(memory, kept, dropped, min(worked_us), stamp)
    brought = {tag.casefold() for one in dropped for tag in one.memory.tags}
    brought -= {tag.casefold() for one in kept for tag in one.memory.tags}
    remaining = replace(
        memory,
        tags=tuple(tag for tag in memory.tags if tag.casefold() not in brought),
        needs_review=True,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )
    return Remains(remaining, _ids(dropped))


def _as_before(
    memory: Memory,
    kept: Sequence[Copy],
    dropped: Collection[Copy],
    first_us: int,
    stamp: CommitStamp,
) -> Remains | None:
    """A memory whose text is what it was before a time, or a contribution; who sees it now stays.

    Contributions that were worked in before that time are in the text still.
    """
    version = _before(memory, kept, first_us)
    if version is None:
        heir = next((one for one in kept if one.role is CopyRole.CONTRIBUTION), None)
        if heir is None:
            return None
        remains = as_heir(memory, heir, kept, (), stamp)
        return Remains(remains.memory, (*_ids(dropped), *remains.dropped), remains.untaken)
    remains = as_heir(memory, version, kept, (), stamp)
    after = replace(
        remains.memory,
        visibility=memory.visibility,
        agent_id=memory.agent_id,
        user_id=memory.user_id,
    )
    later = [one for one in remains.untaken if one.copy_id not in _taken_before(kept, first_us)]
    return Remains(after, (*_ids(dropped), *remains.dropped), tuple(later))


def _taken_before(kept: Sequence[Copy], first_us: int) -> set[str]:
    """The contributions that are in the text of before, and of which nothing else is said."""
    return {one.copy_id for one in kept if one.merged and one.worked_us < first_us}


def _before(memory: Memory, kept: Sequence[Copy], first_us: int) -> Copy | None:
    """The body as it was before a time, at which the first erased contribution was worked in."""
    older = [one for one in kept if one.is_before(memory) and one.create_time_us <= first_us]
    return older[-1] if older else None


def _ids(copies: Iterable[Copy]) -> tuple[str, ...]:
    return tuple(one.copy_id for one in copies)
