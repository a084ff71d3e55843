"""Uses that are yet to be counted: gathered in the process, taken away by a loop each second.

What a crash loses is what was gathered since. A search counts once a memory, session and day,
by this process's memory of the last of them; which of them is bounded.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from anamnesis_memory.domain.lifecycle.days import DAY_US
from anamnesis_memory.domain.lifecycle.hebb import pairs
from anamnesis_memory.domain.lifecycle.vitals import FETCHED, SEARCHED
from anamnesis_memory.maintenance.usage.count import Pair
from anamnesis_memory.model.memory import Caller

SHOWN_MAX = 200_000
"""Appearances in searches that are remembered, so that they count once a day."""
MEMORIES_MAX = 50_000
"""Memories of a namespace that wait to be counted; beyond, uses are let go of."""


@dataclass(slots=True)
class Waiting:
    """The uses to be counted in one namespace."""

    hits: dict[str, int] = field(default_factory=dict)
    met: dict[Pair, int] = field(default_factory=dict)


class UsageBuffer:
    """Gathers uses by namespace."""

    def __init__(self) -> None:
        self._waiting: dict[str, Waiting] = {}
        self._shown: OrderedDict[tuple[str, str, Caller, int], None] = OrderedDict()

    def fetched(self, namespace: str, memory_ids: Sequence[str]) -> None:
        """Memories were read in full, or reported as used, together."""
        waiting = self._of(namespace)
        for memory_id in dict.fromkeys(memory_ids):
            _add(waiting.hits, memory_id, FETCHED)
        for pair in pairs(memory_ids):
            if pair in waiting.met or len(waiting.met) < MEMORIES_MAX:
                waiting.met[pair] = waiting.met.get(pair, 0) + 1

    def shown(self, namespace: str, memory_ids: Sequence[str], caller: Caller, now_us: int) -> None:
        """Memories appeared in a search."""
        day = now_us // DAY_US
        for memory_id in memory_ids:
            key = (namespace, memory_id, caller, day)
            if key in self._shown:
                continue
            self._shown[key] = None
            _add(self._of(namespace).hits, memory_id, SEARCHED)
        while len(self._shown) > SHOWN_MAX:
            self._shown.popitem(last=False)

    def take(self) -> dict[str, Waiting]:
        """Take all uses that wait, by namespace."""
        waiting, self._waiting = self._waiting, {}
        return waiting

    def forget(self, namespace: str) -> None:
        """Let go of everything that is known of a namespace."""
        self._waiting.pop(namespace, None)
        for key in [key for key in self._shown if key[0] == namespace]:
            del self._shown[key]

    def _of(self, namespace: str) -> Waiting:
        return self._waiting.setdefault(namespace, Waiting())


def _add(hits: dict[str, int], memory_id: str, count: int) -> None:
    if memory_id in hits or len(hits) < MEMORIES_MAX:
        hits[memory_id] = hits.get(memory_id, 0) + count
