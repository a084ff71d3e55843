"""Sources of seeds: what is erased or shared no more there goes where it was copied to as well.

As with expiry, it goes before any call sees the namespace, and at the latest with the next sweep of
open ones. A copy stays while its source still holds the text that was copied, in view of everybody:
as it is, as an earlier version, or merged into another memory. A source that is not on this server,
is another one by now, or cannot be read at the moment is not asked.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from functools import partial

from anamnesis_libs.errors import AnamnesisError, NotFound, StoreDamaged
from anamnesis_libs.logs import logger
from anamnesis_memory.model.documents import Collection as Documents
from anamnesis_memory.model.documents import Document
from anamnesis_memory.model.memory import Memory, Visibility
from anamnesis_memory.model.seeds import Seed, SeedItem, text_mark
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import Looked, OpenNamespace
from anamnesis_memory.seeding.withdrawing import SeedEraser, contribution

WAIT_S_MAX = 30.0
SOURCE_S_MAX = 60.0
"""So long a source may take to open; two that are deleted at once may wait for each other."""
CHANGES_MAX = 1_000
SEEDED_MAX = 100
_LOG = logger("memory.seeds")


class Held(Enum):
    """The ways in which a source holds what was copied from it."""

    AS_IT_WAS = 1
    MERGED = 2
    GONE = 3


class SourceFollower:
    """Takes back copies whose sources are gone."""

    def __init__(self, eraser: SeedEraser) -> None:
        self._eraser = eraser

    async def follow(self, calls: Calls, opened: OpenNamespace) -> None:
        """Erase the copies of a namespace that their sources hold no more; others wait meanwhile.

        Raises:
            DeadlineExceeded: the index did not follow in time; the records are gone.
        """
        for seed in opened.seeds:
            if await self._gone(calls, opened, seed):
                async with opened.following:
                    if gone := await self._gone(calls, opened, seed):
                        erase = partial(self._eraser.erase, opened, seed, gone, WAIT_S_MAX)
                        await calls.deleting(erase)

    async def erase_all(self, calls: Calls, name: str, incarnation: str) -> None:
        """Before a source is erased: erase every copy of its memories that is on this server.

        A source that is damaged cannot say where they are.
        """
        with suppress(StoreDamaged):
            async for opened in _seeded_by(calls, name, incarnation):
                for seed in opened.seeds:
                    if (seed.namespace, seed.incarnation) == (name, incarnation):
                        ids = [one.memory_id for one in seed.items]
                        await self._eraser.erase(opened, seed, ids, WAIT_S_MAX)

    async def reach(self, calls: Calls, name: str) -> None:
        """After an erasure in a source: erase the copies now, and not at the next call only."""
        async for _ in _seeded_by(calls, name):
            pass

    async def _gone(self, calls: Calls, opened: OpenNamespace, seed: Seed) -> set[str]:
        """The copies whose source is gone, looked for only where the source has changed."""
        try:
            async with (
                asyncio.timeout(SOURCE_S_MAX),
                calls.namespaces.reading(seed.namespace) as source,
            ):
                if source.namespace.incarnation != seed.incarnation:
                    return set()
                return await _gone_from(source.store, opened, seed)
        except NotFound:
            return set()
        except (AnamnesisError, TimeoutError) as fault:
            _LOG.warning("seeds.source_not_read", namespace=opened.name, error=type(fault).__name__)
            return set()


async def _gone_from(store: NamespaceStore, opened: OpenNamespace, seed: Seed) -> set[str]:
    """The copies that a source holds no more; where there are none, the source is looked at."""
    reached, looked = store.revision, opened.sources.get(seed.key.name)
    if looked is not None and looked.revision == reached:
        return set()
    items = await _to_look_at(store, seed.items, looked)
    held = await _held(store, items)
    gone = {one.memory_id for one in items if held[one] is Held.GONE}
    if not gone:
        merged = looked.merged if looked else frozenset()
        merged -= {one.source_memory_id for one in items}
        merged |= {one.source_memory_id for one in items if held[one] is Held.MERGED}
        opened.sources[seed.key.name] = Looked(reached, merged)
    return gone


async def _to_look_at(
    store: NamespaceStore, items: Sequence[SeedItem], looked: Looked | None
) -> Sequence[SeedItem]:
    """The copies whose sources may have changed since a look: all where there was none."""
    if looked is None:
        return items
    after: int | None = looked.revision
    ids = set(looked.merged)
    while after is not None:
        changes = await store.changes(after, CHANGES_MAX)
        ids |= {one.memory_id for one in changes.changes}
        after = changes.revision if changes.changes else None
    return [one for one in items if one.source_memory_id in ids]


async def _held(store: NamespaceStore, items: Sequence[SeedItem]) -> Mapping[SeedItem, Held]:
    """Look if everybody in the source still sees the texts that were copied."""
    found = await store.memories([one.source_memory_id for one in items], None)
    there = {one.memory_id: one for one in found}
    return {one: await _held_one(store, one, there.get(one.source_memory_id)) for one in items}


async def _held_one(store: NamespaceStore, item: SeedItem, memory: Memory | None) -> Held:
    if memory is None:
        merged = await contribution(store, item.source_memory_id)
        into = await store.memories([merged.memory_id], None) if merged else []
        return Held.MERGED if into and _is_shared(into[0]) else Held.GONE
    if not _is_shared(memory):
        return Held.GONE
    if text_mark(memory) == item.mark:
        return Held.AS_IT_WAS
    before = (one.memory for one in await store.copies_of(memory.memory_id))
    return Held.AS_IT_WAS if item.mark in map(text_mark, before) else Held.GONE


def _is_shared(memory: Memory) -> bool:
    return memory.visibility is Visibility.SHARED


async def _seeded_by(
    calls: Calls, name: str, incarnation: str = ""
) -> AsyncIterator[OpenNamespace]:
    """The namespaces that were seeded from one, each held open, its gone copies taken back."""
    async with calls.namespaces.reading(name) as source:
        if incarnation not in ("", source.namespace.incarnation):
            return
        notes = await _notes(source.store)
    for note in notes:
        # a damaged one is looked at when it has been restored, before anybody sees it
        with suppress(NotFound, StoreDamaged):
            async with calls.reading(note.name) as opened:
                yield opened


async def _notes(store: NamespaceStore) -> list[Document]:
    """All notes of a source."""
    notes: list[Document] = []
    while True:
        page = await store.documents(Documents.SEEDED, notes[-1].name if notes else "", SEEDED_MAX)
        notes += page
        if len(page) < SEEDED_MAX:
            return notes
