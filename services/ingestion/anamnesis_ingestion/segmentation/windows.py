"""Windows: as many whole events as a model's token budget holds, from a given start.

Events are numbered 1..L in each window, whatever their indices in the session are. The tokens of
a window are those of its text: every line begins with its number and ends with a line break, and
no token reaches across one, so that the sum over lines is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from anamnesis_ingestion import rendering
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.tokens import TokenCounter

BUDGET_TOKENS_MIN = 16


@dataclass(frozen=True, slots=True)
class Window:
    """A run of whole events, each with its line; `truncated` in a window of one event only."""

    events: tuple[LedgerEvent, ...]
    lines: tuple[str, ...]
    truncated: bool = False

    @property
    def text(self) -> str:
        """The text that a model reads: one numbered event after the other."""
        return "".join(f"{line}\n" for line in self.lines)


def window_at(
    events: Sequence[LedgerEvent], start: int, budget_tokens: int, counter: TokenCounter
) -> Window:
    """Pack events from position `start` on until the next one would pass the budget.

    An event that passes it alone is alone in its window, and is cut there, and only there.

    Raises:
        InvalidArgument: a budget that holds nothing worth reading.
    """
    if budget_tokens < BUDGET_TOKENS_MIN:
        raise InvalidArgument(f"a window of {budget_tokens} tokens; give {BUDGET_TOKENS_MIN}")
    packed: list[LedgerEvent] = []
    lines: list[str] = []
    used = 0
    for event in islice(events, start, None):
        body = rendering.body(event)
        used += rendering.cost(counter, len(packed) + 1, body)
        if used > budget_tokens:
            break
        packed.append(event)
        lines.append(rendering.line(len(packed), body))
    if packed:
        return Window(tuple(packed), tuple(lines))
    return _cut_window(events[start], budget_tokens, counter)


def windows(
    events: Sequence[LedgerEvent], budget_tokens: int, counter: TokenCounter
) -> tuple[Window, ...]:
    """Every event in exactly one window, in order; none for nothing.

    These are the windows of a session whose every window is one task: `segment` moves on
    from the last task of a window instead.
    """
    found: list[Window] = []
    start = 0
    while start < len(events):
        found.append(window_at(events, start, budget_tokens, counter))
        start += len(found[-1].events)
    return tuple(found)


def _cut_window(event: LedgerEvent, budget_tokens: int, counter: TokenCounter) -> Window:
    cut = rendering.cut_line(counter, 1, rendering.body(event), budget_tokens)
    return Window((event,), (cut,), truncated=True)
