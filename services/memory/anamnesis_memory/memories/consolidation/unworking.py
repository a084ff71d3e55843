"""Taking a contribution out of the text of its lesson: the text is again what it was before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_versions import Copy, CopyRole, untaken


@dataclass(frozen=True, slots=True)
class Unworked:
    """A lesson with its text of before, and what becomes of its copies.

    `again` are contributions that were worked in later, and are not in the text any more; `gone`
    are versions with and after which the contribution came.
    """

    memory: Memory
    again: tuple[Copy, ...]
    gone: tuple[str, ...]


def unworked(memory: Memory, copy: Copy, copies: Sequence[Copy]) -> Unworked | None:
    """Take a contribution that was worked in out of the text; None where the text has been changed.

    A text that its owner has corrected since stays as it is: nobody knows which of its words come
    from the contribution.
    """
    versions = [one for one in copies if one.is_before(memory)]
    undone = [one for one in versions if one.create_time_us >= copy.worked_us]
    others = [one for one in copies if one.role is CopyRole.CONTRIBUTION and one is not copy]
    worked_us = {one.worked_us for one in (copy, *others)}
    first = next((one for one in undone if one.create_time_us == copy.worked_us), None)
    if first is None or any(one.create_time_us not in worked_us for one in undone):
        return None
    before = first.memory
    text = replace(
        memory,
        content=before.content,
        summary=before.summary,
        overview=before.overview,
        provenance=before.provenance,
    )
    again = tuple(untaken(one) for one in others if one.worked_us >= copy.worked_us)
    return Unworked(text, again, tuple(one.copy_id for one in undone))
