"""Copies: memories as they were, kept so that nothing that was sent is lost.

A CONTRIBUTION was merged into the memory it hangs on, a VERSION is what that memory was before
its text was corrected. Both go when the memory is erased, and so does a contribution whose own
session, agent or user is.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from anamnesis_memory.model.memory import Memory, Vectors


class CopyRole(StrEnum):
    """The reasons why a memory is kept as it was."""

    CONTRIBUTION = "contribution"
    VERSION = "version"


@dataclass(frozen=True, slots=True)
class Copy:
    """A memory as it was. `similarity` is the cosine it was merged by, 0 for versions.

    The tags `added_tags` and the evidence `added_evidence` go from the known memory with the copy
    when the merge is undone.

    `merged` says that the body of the known memory says what the copy says. `worked_us` is when the
    body was changed for that, and so the time of the version that is kept of before; 0 where it
    said so by itself. Of a copy that is not merged, consolidation keeps how often it `tries` in
    vain, for what `reason`, and on which text of the known memory (`text_mark`).
    """

    copy_id: str
    memory_id: str
    role: CopyRole
    memory: Memory
    create_time_us: int
    similarity: float = 0.0
    merged: bool = False
    vectors: Vectors | None = None
    added_tags: tuple[str, ...] = ()
    added_evidence: tuple[str, ...] = ()
    worked_us: int = 0
    tries: int = 0
    reason: str = ""
    tried_on: str = ""

    def is_before(self, memory: Memory) -> bool:
        """True of a version of this memory, and not of one that became one with it."""
        return self.role is CopyRole.VERSION and self.memory.memory_id == memory.memory_id


def untaken(copy: Copy) -> Copy:
    """A contribution whose text is not in that of its memory, and of which nothing is said."""
    return replace(copy, merged=False, worked_us=0, tries=0, reason="", tried_on="")
