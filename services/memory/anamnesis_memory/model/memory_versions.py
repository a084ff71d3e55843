"""Copies: memories as they were, kept so that nothing that was sent is lost.

A CONTRIBUTION was merged into the memory it hangs on, a VERSION is what that memory was before
its text was corrected. Both go when the memory is erased, and so does a contribution whose own
session, agent or user is.
"""

from dataclasses import dataclass
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

    `merged` says that the copy's text was worked into the body of the known memory.
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
