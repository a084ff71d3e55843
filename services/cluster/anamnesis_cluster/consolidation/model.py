"""Values of consolidation: what may be one, and what is decided of it. No I/O."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class MergeOutcome(StrEnum):
    """The outcomes for two lessons that may be one."""

    MERGED = "merged"
    KEPT_APART = "kept_apart"
    CONTRADICTS = "contradicts"
    REFUSED = "refused"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class LessonText:
    """A lesson as it was read; a contribution has no etag, for it never changes."""

    memory_id: str
    etag: str
    content: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two lessons that may be one; see the message of the same name."""

    known: LessonText
    other: LessonText
    similarity: float
    contribution: bool = False
    certain: bool = False
    blocked: bool = False
    tries: int = 0
    reason: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """The ids of the two, by which they are told again."""
        return self.known.memory_id, self.other.memory_id


@dataclass(frozen=True, slots=True)
class DuplicatesPage:
    """Duplicates found at `lessons` lessons; an empty token ends the list."""

    duplicates: Sequence[Duplicate]
    lessons: int
    next_token: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision that is to be written; without `text` the known lesson's stays."""

    outcome: MergeOutcome
    reason: str = ""
    text: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as written; `text` is the known lesson's afterwards, where it changed."""

    duplicate: Duplicate
    outcome: MergeOutcome
    reason: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Looked:
    """The progress of a run."""

    lessons: int
    decisions: int
