"""A phase under its lease: how it reads in pages, changes in batches, and gives way between."""

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from anamnesis_memory.maintenance.throttle import Throttle
from anamnesis_memory.maintenance.writes import Batch, NoChange, PhaseChange
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory import Memory, MemoryFilter
from anamnesis_memory.model.sleep_runs import SleepRun
from anamnesis_memory.model.work import Lease
from anamnesis_memory.ports import NamespaceStore

T = TypeVar("T")
_ACTIVE = MemoryFilter()


@dataclass(frozen=True, slots=True)
class SleepRules:
    """Sizes and times of sleep. `ledgers_kept` says that no session's ledger ever goes."""

    page_max: int = 100
    batch_max: int = 100
    lease_us: int = 120 * 1_000_000
    ledgers_kept: bool = False


class PhaseContext:
    """The context in which a phase works; `run` is its record as it is now."""

    def __init__(
        self,
        store: NamespaceStore,
        lease: Lease,
        run: SleepRun,
        rules: SleepRules,
        pace: Throttle,
        now_us: Callable[[], int],
    ) -> None:
        self.store = store
        self.run = run
        self.rules = rules
        self.now_us = now_us
        self._lease = lease
        self._pace = pace
        self._held_us = now_us()

    async def change(self, change: PhaseChange, cursor: str | None = None) -> None:
        """Commit one batch; `cursor` says where the phase stands when it is done.

        Raises:
            LeaseLost: somebody else has the phase; nothing is changed.
        """
        await self._pace.rest()
        run = self.run if cursor is None else replace(self.run, cursor=cursor)
        batch = Batch(self._lease, self.rules.lease_us, run, change)
        committed = await self.store.commit(batch)
        assert committed.result is not None, "no answer of a batch is remembered"
        self.run, self._held_us = committed.result, self.now_us()

    async def keep(self) -> None:
        """Give way between two reads, and renew the lease in time.

        Raises:
            LeaseLost: somebody else has the phase.
        """
        if self.now_us() - self._held_us >= self.rules.lease_us // 3:
            await self.change(NoChange())
        else:
            await self._pace.rest()

    def count(self, counts: Mapping[str, int]) -> None:
        """Note what was done or found; kept with the next batch, or at the end."""
        self.run = self.run.counted(counts)

    async def memories(
        self, where: MemoryFilter = _ACTIVE
    ) -> AsyncGenerator[Sequence[Memory], None]:
        """Pages of memories in the order in which they were stored, whoever may see them."""
        after = 0
        while True:
            listing = await self.store.list_memories(where, None, after, self.rules.page_max)
            if listing.items:
                yield listing.items
            if listing.next_after is None:
                return
            after = int(listing.next_after)
            await self.keep()

    async def edges(
        self, types: Sequence[EdgeType], after: EdgeKey | None = None
    ) -> AsyncGenerator[Sequence[Edge], None]:
        """Pages of edges by key."""
        while found := await self.store.list_edges(types, after, self.rules.batch_max):
            yield found
            after = found[-1].key
            await self.keep()

    def batches(self, items: Sequence[T]) -> Iterator[Sequence[T]]:
        """Items in parts that one write takes."""
        for start in range(0, len(items), self.rules.batch_max):
            yield items[start : start + self.rules.batch_max]
