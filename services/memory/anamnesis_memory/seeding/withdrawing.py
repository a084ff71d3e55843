"""Taking copies back: they go with what rests on them alone, and with every trace of them.

Own lessons that were merged into a copy go on in its place, and copies that were merged into own
lessons go out of them again. Each step is whole, and what broke off is finished by another call.
"""

from collections.abc import Collection
from dataclasses import dataclass

from anamnesis_memory.erasure.batch import BATCH_MAX, Erasing, batches
from anamnesis_memory.erasure.receipt import Receipt
from anamnesis_memory.erasure.service import Eraser
from anamnesis_memory.erasure.unmerging import unmerge
from anamnesis_memory.memories.craft.seeds import ForgetSeeded, is_confirmed
from anamnesis_memory.model.memory import Kind
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.seeds import Seed
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.life import ErasureSubject
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace


@dataclass(frozen=True, slots=True)
class Standing:
    """The copies of a seed that are here, by whether own experience has confirmed them."""

    confirmed: frozenset[str]
    unconfirmed: frozenset[str]


async def standing(store: NamespaceStore, seed: Seed) -> Standing:
    """Look how the copies of a seed stand; those that were merged into others count with them."""
    ids = [one.memory_id for one in seed.items]
    seeded_ids = frozenset(ids)
    here = {one.memory_id: one for one in await store.memories(ids, None)}
    confirmed: set[str] = set()
    for memory_id, memory in here.items():
        if is_confirmed(memory, await store.copies_of(memory_id), seeded_ids):
            confirmed.add(memory_id)
    for memory_id in seeded_ids - here.keys():
        merged = await contribution(store, memory_id)
        if merged is not None:
            here[memory_id] = merged.memory
            own = merged.memory_id not in seeded_ids or merged.memory_id in confirmed
            confirmed |= {memory_id} if own else set()
    return Standing(frozenset(confirmed), frozenset(here) - confirmed)


async def contribution(store: NamespaceStore, memory_id: str) -> Copy | None:
    """A memory that was merged into another, by the id that it had; None if there is none."""
    before = memory_id[:-1] + chr(ord(memory_id[-1]) - 1) + "~"
    found = await store.list_copies(CopyRole.CONTRIBUTION, None, before, 1)
    return found[0] if found and found[0].copy_id == memory_id else None


class SeedEraser:
    """Erases copies of a seed."""

    def __init__(self, calls: Calls, eraser: Eraser) -> None:
        self._calls = calls
        self._eraser = eraser

    async def erase(
        self, opened: OpenNamespace, seed: Seed, memory_ids: Collection[str], wait_s: float
    ) -> Receipt:
        """Erase these copies, and take them out of the seed's record when they are gone.

        Raises:
            DeadlineExceeded: the index did not follow in time; the records are gone.
        """
        subject = ErasureSubject(memory_ids=frozenset(memory_ids))
        erasing = Erasing(opened.store, subject)
        try:
            async with self._calls.work_due(opened, self._calls.lessons_due((Kind.LEARNING,))):
                await _unmerge(erasing, subject)
                await erasing.memories(sorted(memory_ids))
                await erasing.commit(ForgetSeeded(seed, subject.memory_ids))
        finally:
            self._calls.changed(opened)
        await opened.learn_seeds()
        receipt = erasing.receipt
        receipt.revision = receipt.revision or opened.store.revision
        await self._eraser.settle(opened, receipt, wait_s)
        return receipt


async def _unmerge(erasing: Erasing, subject: ErasureSubject) -> None:
    """Take copies out of the memories that took them in."""
    store = erasing.store
    here = {one.memory_id for one in await store.memories(sorted(subject.memory_ids), None)}
    found = [await contribution(store, one) for one in sorted(subject.memory_ids - here)]
    merged = [one for one in found if one is not None]
    for batch in batches(merged, BATCH_MAX):
        await unmerge(erasing, batch, subject)
