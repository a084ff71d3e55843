"""Usage: the cost of models by hour and purpose as values, and the budget of an hour."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

HOUR_US = 3600 * 1_000_000
TOTAL_MAX = 2**62 - 1
"""The most that a sum of an hour reaches; two such still fit into a store's 64 bits."""


@dataclass(frozen=True, slots=True)
class HourUsage:
    """The usage of one purpose in one hour; `hour_us` is the hour's beginning."""

    hour_us: int
    purpose: str
    calls: int
    input_tokens: int
    output_tokens: int


def bounded(usage: HourUsage) -> HourUsage:
    """The usage with no number over `TOTAL_MAX`."""
    return replace(
        usage,
        calls=min(usage.calls, TOTAL_MAX),
        input_tokens=min(usage.input_tokens, TOTAL_MAX),
        output_tokens=min(usage.output_tokens, TOTAL_MAX),
    )


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget of a namespace for an hour."""

    calls_max: int
    tokens_max: int

    def left(self, used: Iterable[HourUsage]) -> "Budget":
        """The rest of the budget after what was used in one hour; never less than nothing."""
        calls = tokens = 0
        for one in used:
            calls += one.calls
            tokens += one.input_tokens + one.output_tokens
        return Budget(max(self.calls_max - calls, 0), max(self.tokens_max - tokens, 0))


def hour_of(moment_us: int) -> int:
    """The beginning of the hour of a moment."""
    return moment_us - moment_us % HOUR_US
