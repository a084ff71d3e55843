"""The nouns of segmentation: what a segmenter says of a window, and what becomes of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from anamnesis_ingestion.segmentation.windows import Window

TOPIC_CHARS_MAX = 120
SUMMARY_CHARS_MAX = 1000


@dataclass(frozen=True, slots=True)
class Task:
    """A segmenter's claim: events `first` to `last` of a window, counted from 1, are one task."""

    first: int
    last: int
    topic: str
    summary: str


@dataclass(frozen=True, slots=True)
class TaskCut:
    """A segment of a session: its first and last event by index, and what it is about."""

    first_index: int
    last_index: int
    topic: str
    summary: str


@dataclass(frozen=True, slots=True)
class PreviousCut:
    """A segment as it was cut before, with the fingerprint that its events had."""

    cut: TaskCut
    fingerprint: str


class Segmenter(Protocol):
    """Finds the tasks of a window."""

    @property
    def name(self) -> str:
        """The name of the segmenter: "local", or the name of the chat model."""
        ...

    async def tasks(self, window: Window) -> Sequence[Task]:
        """Return the tasks of a window in its own numbers, which the caller checks.

        Raises:
            AnamnesisError: there is no answer; the session stays as it was.
        """
        ...
