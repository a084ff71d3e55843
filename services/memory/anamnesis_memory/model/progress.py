"""Progress of long work, as it is told to who waits for it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """So many are done of so many."""

    stage: str
    done: int
    total: int
