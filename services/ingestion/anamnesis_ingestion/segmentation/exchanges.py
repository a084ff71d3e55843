"""The exchanges of a window: a person's turn, with all that follows it until the next.

A window is parted only where a person begins to speak: a tool never starts a task, nor does an
answer. Files handed over just before a turn belong to it. Turns right after each other are
exchanges of their own, the first ones without an answer.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.segmentation.describing import prose
from anamnesis_libs.index import analysis

_ANSWER_CHARS_MAX = 300
_REQUEST_CHARS_MAX = 600


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn and what follows it; `position` counts the window's events from 0."""

    position: int
    request: str
    answer: str
    start_time: datetime | None
    end_time: datetime | None

    @property
    def text(self) -> str:
        """The text of the exchange, for an embedding."""
        return f"{self.request}\n{self.answer}".strip() or "-"

    def terms(self) -> Counter[str]:
        """The terms of request and answer."""
        return Counter(analysis.tokens(self.request)) + Counter(analysis.tokens(self.answer))


def exchanges(events: Sequence[LedgerEvent]) -> tuple[Exchange, ...]:
    """Return the exchanges in order; the first has all that precedes the first turn."""
    starts = [_moved_back(events, at) for at, event in enumerate(events) if _speaks(event)]
    borders = [0, *dict.fromkeys(start for start in starts if start), len(events)]
    return tuple(_exchange(events[start:end], start) for start, end in pairwise(borders))


def _exchange(events: Sequence[LedgerEvent], position: int) -> Exchange:
    times = [event.event_time for event in events if event.event_time is not None]
    said = [event.content for event in events if event.role is Role.USER]
    answers = [event.content for event in events if event.role is Role.ASSISTANT]
    return Exchange(
        position,
        prose("\n".join(said))[:_REQUEST_CHARS_MAX],
        prose("\n".join(filter(None, answers)))[:_ANSWER_CHARS_MAX],
        min(times, default=None),
        max(times, default=None),
    )


def _speaks(event: LedgerEvent) -> bool:
    return event.role is Role.USER and bool(event.content.strip())


def _moved_back(events: Sequence[LedgerEvent], at: int) -> int:
    """The beginning of a turn's exchange: files handed over just before the turn belong to it."""
    while at and events[at - 1].role is Role.FILE:
        at -= 1
    return at
