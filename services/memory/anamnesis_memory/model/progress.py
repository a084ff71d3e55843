"""Progress of long work, as it is told to who waits for it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of one stage of work."""

    stage: str
    done: int
    total: int
