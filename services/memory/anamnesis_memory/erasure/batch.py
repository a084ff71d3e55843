"""Erasing records of one namespace, batch by batch; what was done stays done if it breaks off.

A batch is a transaction: memories with all that rests on them alone. Where more falls than one
transaction should hold, what is furthest from the roots goes first, so that whatever is left can
still be found from them when the request is sent again.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from anamnesis_memory.erasure.erase_memories import Erased, EraseMemories, LineageGrew
from anamnesis_memory.erasure.planning import trace
from anamnesis_memory.erasure.receipt import Receipt
from anamnesis_memory.erasure.references import forget_beside
from anamnesis_memory.model.memory import Caller, MemoryFilter, Vectors
from anamnesis_memory.ports import NamespaceStore, Write
from anamnesis_memory.ports.life import ErasureSubject

BATCH_MAX = 200
"""Memories that are asked to go in one transaction."""
FALLING_MAX = 1_000
"""Memories that go in one transaction, with what rests on them."""
TRIES_MAX = 10

R = TypeVar("R")
T = TypeVar("T")


class Erasing:
    """One erasure: what it has to say, and the ids that went."""

    def __init__(
        self,
        store: NamespaceStore,
        subject: ErasureSubject | None = None,
        *,
        ledger_stays: bool = False,
        tombstones: bool = False,
        caller: Caller | None = None,
    ) -> None:
        """See `EraseMemories` and `trace` for what the options mean.

        For a `caller` what that caller may not see is not looked for, nor told of.
        """
        self.store = store
        self.receipt = Receipt()
        self.gone: set[str] = set()
        self._subject = subject
        self._ledger_stays = ledger_stays
        self._tombstones = tombstones
        self._caller = caller

    async def fitting(self, where: MemoryFilter) -> None:
        """Erase every memory that fits, whoever may see it where no caller is set."""
        after: int | str | None = 0
        while isinstance(after, int):
            page = await self.store.list_memories(where, self._caller, after, BATCH_MAX)
            await self.memories([memory.memory_id for memory in page.items])
            after = page.next_after

    async def memories(self, memory_ids: Sequence[str]) -> None:
        """Erase memories, with all that rests on them alone.

        Raises:
            LineageGrew: something is derived from the memories again and again.
        """
        for batch in batches(memory_ids, BATCH_MAX):
            for tries in itertools.count(1):
                try:
                    await self._batch(batch)
                    break
                except LineageGrew:
                    if tries == TRIES_MAX:
                        raise

    async def _batch(self, batch: Sequence[str]) -> None:
        lineage, told = await trace(
            self.store, batch, self._subject, ledger_stays=self._ledger_stays
        )
        hidden = await self._hidden(told.gone)
        unasked = {*told.gone} - {*batch} - hidden
        self.receipt.derived.update(unasked)
        if len(told.gone) > FALLING_MAX:
            for part in batches(told.gone[::-1], BATCH_MAX):
                await self._batch(part)
            return
        self.receipt.count(**await forget_beside(self.store, lineage.places, told.lost))
        hidden |= await self._hidden([*lineage.looked_at - {*told.gone}])
        vectors = await self.store.embeddings([one for one in told.gone if one not in hidden])
        erased = await self.commit(EraseMemories(lineage, self._subject, self._tombstones))
        self.note(erased, vectors, hidden)

    async def _hidden(self, memory_ids: Sequence[str]) -> set[str]:
        """The ids of memories that the caller may not see: the caller is told nothing of those."""
        if self._caller is None:
            return set()
        return {*memory_ids} - {
            one.memory_id for one in await self.store.memories(memory_ids, self._caller)
        }

    def note(
        self, erased: Erased, vectors: Mapping[str, Vectors], hidden: AbstractSet[str]
    ) -> None:
        """Add what a write took away to the receipt, less what is hidden."""
        embeddings, rows = len(vectors), sum(map(len, vectors.values()))
        gone = len({*erased.gone} - hidden)
        self.gone.update(erased.gone)
        self.receipt.kept |= erased.kept - hidden
        self.receipt.kept -= self.gone
        self.receipt.index_entries += gone + rows
        self.receipt.count(
            memories=gone,
            embeddings=embeddings,
            copies=erased.copies,
            edges=erased.edges,
            topics=erased.topics,
        )

    async def commit(self, write: Write[R]) -> R:
        """Commit one write of the erasure."""
        committed = await self.store.commit(write)
        self.receipt.revision = committed.revision
        return committed.result  # type: ignore[return-value]


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Items in runs of at most `size`."""
    return (items[start : start + size] for start in range(0, len(items), size))
