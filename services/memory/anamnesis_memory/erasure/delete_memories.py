"""Deleting one memory: its lineage is followed, what speaks of it forgets it, then it goes."""

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from anamnesis_memory.erasure.batch import FALLING_MAX, TRIES_MAX, Erasing
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.erasure.erase_memories import LineageGrew
from anamnesis_memory.erasure.planning import trace
from anamnesis_memory.erasure.references import forget_beside
from anamnesis_memory.ports import NamespaceStore

A = TypeVar("A")


async def deleted(
    store: NamespaceStore, write: DeleteMemory, commit: Callable[[DeleteMemory], Awaitable[A]]
) -> A:
    """Delete a memory by `commit`, which is given the write with all that it has to see.

    Raises:
        MemoryNotFound: there is no such memory that the caller may see.
        Conflict: the memory has another etag by now, or more is derived from it again and again.
    """
    for tries in itertools.count(1):
        try:
            return await commit(await _ready(store, write))
        except LineageGrew:
            if tries == TRIES_MAX:
                raise
    raise AssertionError("it is tried until it is done, or refused")


async def _ready(store: NamespaceStore, write: DeleteMemory) -> DeleteMemory:
    """The write after all that has to be done before it; a write to be refused comes unchanged."""
    found = await store.memories([write.memory_id], write.caller)
    if not found or write.etag not in ("", found[0].etag):
        return write
    lineage, told = await trace(store, [write.memory_id], ledger_stays=True)
    if len(told.gone) > FALLING_MAX:
        erasing = Erasing(store, ledger_stays=True, tombstones=True)
        await erasing.memories([one for one in told.gone[::-1] if one != write.memory_id])
        lineage, told = await trace(store, [write.memory_id], ledger_stays=True)
    await forget_beside(store, lineage.places, told.lost)
    return replace(write, lineage=lineage)
