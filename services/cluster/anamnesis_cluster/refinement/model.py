"""Values of refinement: what is wanted of a model, and its words. No I/O."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unrefined:
    """A memory as it was listed; `owner` names whose words it has, and who sees them."""

    memory_id: str
    etag: str
    owner: str
    speaker: str
    text: str
    importance: bool
    levels: bool


@dataclass(frozen=True, slots=True)
class UnrefinedPage:
    """The next memories; `through` is the place behind them, empty where nothing is new."""

    memories: Sequence[Unrefined]
    through: str
    more: bool


@dataclass(frozen=True, slots=True)
class Refined:
    """The words of a model about a memory: None or empty where there are none to use."""

    memory: Unrefined
    importance: float | None = None
    reason: str = ""
    summary: str = ""
    overview: str = ""

    @property
    def missed(self) -> int:
        """The number of answers that are wanted and are not there: importance, and levels."""
        return (self.memory.importance and self.importance is None) + (
            self.memory.levels and not (self.summary and self.overview)
        )


@dataclass(frozen=True, slots=True)
class Recorded:
    """The counts of what memory wrote, refused, and left as it had changed."""

    weighed: int
    worded: int
    refused: int
    changed: int


@dataclass(frozen=True, slots=True)
class Asked:
    """The progress of a run."""

    memories: int
