"""Windows for extraction: every event is new in exactly one, with a few before it as context.

What is extracted from is `new`; `context` is only there to be understood by. The numbers of the
lines run on over both. Where context does not fit beside the first new event, the oldest of it is
left out. An event over the budget is alone in its
window, without context, and is cut there.

A long session is read in windows of 8 to 10 turns besides: a model that reads more at once finds
less in it. A turn is what a person says, with all that answers it, and is parted by the budget
only. The turns of a segment are shared out evenly, so that no window is left with one or two; where
their number allows no windows of 8 to 10 (11 to 15, 21 to 23), they have fewer.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_ingestion import rendering
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.tokens import TokenCounter

BUDGET_TOKENS = 65_536
BUDGET_TOKENS_MIN = 256
OVERLAP_EVENTS = 5
LONG_SESSION_TURNS = 50
"""A session of more turns is read in windows of at most `WINDOW_TURNS_MAX`."""
WINDOW_TURNS_MAX = 10


@dataclass(frozen=True, slots=True)
class ExtractionWindow:
    """A run of events to extract from, and those just before them; a line for each, in order."""

    context: tuple[LedgerEvent, ...]
    new: tuple[LedgerEvent, ...]
    lines: tuple[str, ...]
    truncated: bool = False

    @property
    def text(self) -> str:
        """The text that a model reads: one numbered event after the other."""
        return "".join(f"{line}\n" for line in self.lines)


def extraction_windows(
    events: Sequence[LedgerEvent],
    counter: TokenCounter,
    budget_tokens: int = BUDGET_TOKENS,
    overlap_events: int = OVERLAP_EVENTS,
    turns_max: int = 0,
) -> tuple[ExtractionWindow, ...]:
    """Return windows in order, of at most `turns_max` turns unless it is 0; none for nothing.

    Raises:
        InvalidArgument: a budget under 256 tokens, or a negative overlap.
    """
    if budget_tokens < BUDGET_TOKENS_MIN:
        raise InvalidArgument(f"a window of {budget_tokens} tokens; give {BUDGET_TOKENS_MIN}")
    if overlap_events < 0:
        raise InvalidArgument(f"an overlap of {overlap_events} events; give 0 or more")
    ends = _ends(events, turns_max)
    packer = _Packer(events, counter, budget_tokens, overlap_events)
    found: list[ExtractionWindow] = []
    start = 0
    while start < len(events):
        found.append(packer.window_at(start, ends[bisect_right(ends, start)]))
        start += len(found[-1].new)
    return tuple(found)


def turn_starts(events: Sequence[LedgerEvent]) -> tuple[int, ...]:
    """Positions at which turns begin: the first event, and every event of a person or a file."""
    spoken = {Role.USER, Role.FILE}
    return tuple(at for at, event in enumerate(events) if at == 0 or event.role in spoken)


def _ends(events: Sequence[LedgerEvent], turns_max: int) -> list[int]:
    """Positions at which windows end at the latest, the end of all events included."""
    starts = turn_starts(events) if turns_max else ()
    if len(starts) <= turns_max:
        return [len(events)]
    windows = -(-len(starts) // turns_max)
    return [
        *(starts[number * len(starts) // windows] for number in range(1, windows)),
        len(events),
    ]


class _Packer:
    """The events of one session, rendered once."""

    def __init__(
        self,
        events: Sequence[LedgerEvent],
        counter: TokenCounter,
        budget_tokens: int,
        overlap_events: int,
    ) -> None:
        self._events = events
        self._bodies = [rendering.body(event) for event in events]
        self._counter = counter
        self._budget_tokens = budget_tokens
        self._overlap_events = overlap_events

    def window_at(self, start: int, last: int) -> ExtractionWindow:
        """Pack as many new events from `start` on as fit beside their context, up to `last`."""
        first, used = self._context(start)
        if used > self._budget_tokens:
            return self._cut_window(start)
        end = start + 1
        while end < last:
            used += self._cost(end - first + 1, end)
            if used > self._budget_tokens:
                break
            end += 1
        return ExtractionWindow(
            tuple(self._events[first:start]),
            tuple(self._events[start:end]),
            rendering.numbered(self._bodies[first:end]),
        )

    def _context(self, start: int) -> tuple[int, int]:
        """The start of the context that fits beside event `start`, and the tokens of both."""
        held = deque(range(max(0, start - self._overlap_events), start))
        while True:
            taken = [*held, start]
            used = sum(self._cost(number, at) for number, at in enumerate(taken, 1))
            if used <= self._budget_tokens or not held:
                return taken[0], used
            held.popleft()

    def _cost(self, number: int, position: int) -> int:
        return rendering.cost(self._counter, number, self._bodies[position])

    def _cut_window(self, position: int) -> ExtractionWindow:
        body = self._bodies[position]
        line = rendering.cut_line(self._counter, 1, body, self._budget_tokens)
        return ExtractionWindow((), (self._events[position],), (line,), truncated=True)
