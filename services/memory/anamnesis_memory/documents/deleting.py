"""Deleting documents: what was derived from one alone goes with it, found before the write."""

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from anamnesis_memory.documents.put import PutDocuments, gone_of
from anamnesis_memory.erasure.batch import FALLING_MAX, TRIES_MAX, Erasing
from anamnesis_memory.erasure.erase_memories import LineageGrew
from anamnesis_memory.erasure.planning import trace
from anamnesis_memory.erasure.references import forget_beside
from anamnesis_memory.ports import NamespaceStore

A = TypeVar("A")


async def put_traced(
    store: NamespaceStore, write: PutDocuments, commit: Callable[[PutDocuments], Awaitable[A]]
) -> A:
    """Put and delete documents by `commit`, which is given the write with all that it has to see.

    Raises:
        Conflict: more is derived from what is deleted again and again.
    """
    for tries in itertools.count(1):
        try:
            return await commit(await _traced(store, write))
        except LineageGrew:
            if tries == TRIES_MAX:
                raise
    raise AssertionError("it is tried until it is done, or refused")


async def _traced(store: NamespaceStore, write: PutDocuments) -> PutDocuments:
    deleted = [one for one in write.changes if one.memory is None]
    if not deleted:
        return write
    digests = [one.name.digest_in(write.scope) for one in deleted]
    known = await store.named_documents(digests)
    gone = gone_of(write.changes, known, write.scope)
    if not gone:
        return write
    lineage, told = await trace(store, gone, ledger_stays=True)
    if len(told.gone) > FALLING_MAX:
        erasing = Erasing(store, ledger_stays=True)
        await erasing.memories([one for one in told.gone[::-1] if one not in gone])
        lineage, told = await trace(store, gone, ledger_stays=True)
    await forget_beside(store, lineage.places, told.lost)
    return replace(write, lineage=lineage)
