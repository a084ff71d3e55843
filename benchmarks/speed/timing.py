"""Times of many calls of one kind."""

import math
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Each = TypeVar("Each")


@dataclass(frozen=True, slots=True)
class Timed:
    """A kind of call at a size of memory, and the seconds that each call took."""

    what: str
    memories: int
    taken_s: Sequence[float]

    def at(self, share: float) -> float:
        """Milliseconds within which a share of the calls ended."""
        ordered = sorted(self.taken_s)
        return 1_000 * ordered[min(math.ceil(share * len(ordered)), len(ordered)) - 1]


def timed(what: str, memories: int, each: Iterable[Each], call: Callable[[Each], object]) -> Timed:
    """One call after the other."""
    taken_s = []
    for one in each:
        begun_s = time.perf_counter()
        call(one)
        taken_s.append(time.perf_counter() - begun_s)
    return Timed(what, memories, taken_s)


async def timed_calls(
    what: str, memories: int, each: Iterable[Each], call: Callable[[Each], Awaitable[object]]
) -> Timed:
    """One call after the other, of those that are awaited."""
    taken_s = []
    for one in each:
        begun_s = time.perf_counter()
        await call(one)
        taken_s.append(time.perf_counter() - begun_s)
    return Timed(what, memories, taken_s)
