"""What is erased, or shared no more, in a source goes in the namespaces that were seeded from it.

As with expiry, it goes before any call sees the namespace, and at the latest with the next sweep of
open ones. A copy stays while its source still holds the text that was copied, in view of everybody:
as it is, as an earlier version, or merged into another memory. A source that is not on this server,
is another one by now, or cannot be read at the moment is not asked.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import suppress
from enum import Enum

from anamnesis_libs.errors import AnamnesisError, NotFound
from anamnesis_libs.logs import logger
from anamnesis_memory.model.documents import Collection as Documents
from anamnesis_memory.model.memory import Memory, Visibility
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.model.seeds import Seed, SeedItem, text_mark
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import Looked, OpenNamespace
from anamnesis_memory.seeding.withdrawing import SeedEraser, contribution

WAIT_S_MAX = 30.0
SOURCE_S_MAX = 5.0
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
        if not opened.seeds:
            return
        async with opened.following:
            for seed in opened.seeds:
                if gone := await self._gone(calls, opened, seed):
                    await self._eraser.erase(opened, seed, gone, WAIT_S_MAX)

    async def erase_all(self, calls: Calls, name: str, incarnation: str) -> None:
        """Before a source is erased: erase every copy of its memories that is on this server."""
        async for opened in _seeded_by(calls, name):
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
    gone: set[str] = set()
    merged = set(looked.merged if looked else ())
    for item in await _to_look_at(store, seed.items, looked):
        held = await _held(store, item)
        if held is Held.GONE:
            gone.add(item.memory_id)
        merged = merged - {item.source_memory_id}
        merged |= {item.source_memory_id} if held is Held.MERGED else set()
    if not gone:
        opened.sources[seed.key.name] = Looked(reached, frozenset(merged))
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


async def _held(store: NamespaceStore, item: SeedItem) -> Held:
    """Look if everybody in the source still sees the text that was copied."""
    memory_id = item.source_memory_id
    found = await store.memories([memory_id], None)
    if found:
        says = _says(found[0], await store.copies_of(memory_id), item.mark)
        return Held.AS_IT_WAS if says else Held.GONE
    merged = await contribution(store, memory_id)
    into = await store.memories([merged.memory_id], None) if merged else []
    shared = bool(into) and into[0].visibility is Visibility.SHARED
    return Held.MERGED if shared else Held.GONE


def _says(memory: Memory, copies: Collection[Copy], mark: str) -> bool:
    said = (memory, *(one.memory for one in copies))
    return memory.visibility is Visibility.SHARED and mark in map(text_mark, said)


async def _seeded_by(calls: Calls, name: str) -> AsyncIterator[OpenNamespace]:
    """The namespaces that were seeded from one, each held open, its gone copies taken back."""
    async with calls.namespaces.reading(name) as source:
        notes = await source.store.documents(Documents.SEEDED, "", SEEDED_MAX)
    for note in notes:
        with suppress(NotFound):
            async with calls.reading(note.name) as opened:
                yield opened
