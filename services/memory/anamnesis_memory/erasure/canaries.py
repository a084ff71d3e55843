"""Looking for texts that should be gone, in everything that is kept of a namespace.

The texts are held for as long as that takes, and never logged or kept.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from anamnesis_libs.models.cache import CachedQueries
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.snapshots import Snapshots

_ANSWERS = ("requests.", "Request.")
"""The beginnings of places of stored answers: a table's name, or a label."""


@dataclass(frozen=True, slots=True)
class Place:
    """A canary was found; `canary` is its place among those asked for."""

    store: str
    place: str
    canary: int
    occurrences: int


@dataclass(slots=True)
class CanaryTraces:
    """The places where canaries were found, and the amount that was looked through, by store."""

    places: list[Place] = field(default_factory=list)
    looked_through: Counter[str] = field(default_factory=Counter)

    def note(self, store: str, place: str, counts: Sequence[int]) -> None:
        """Take in how often each was found in one place."""
        self.places += [
            Place(store, place, canary, count) for canary, count in enumerate(counts) if count
        ]


class CanarySearch:
    """The verb behind `VerifyErasure`."""

    def __init__(self, snapshots: Snapshots, queries: CachedQueries) -> None:
        self._snapshots = snapshots
        self._queries = queries

    async def run(self, opened: OpenNamespace, canaries: Sequence[str]) -> CanaryTraces:
        """Look through records and files of the store, the index, its snapshots, and the cache."""
        found = CanaryTraces()
        await self._store(opened, canaries, found)
        found.note("index", "open index", await opened.index.mentions(canaries))
        found.looked_through["index"] += opened.index.size
        async with opened.saving:
            await asyncio.to_thread(self._files, opened, canaries, found)
        kept = [self._queries.mentions(canary) for canary in canaries]
        found.note("cache", "vectors of questions", kept)
        found.looked_through["cache"] += self._queries.size
        return found

    async def _store(
        self, opened: OpenNamespace, canaries: Sequence[str], found: CanaryTraces
    ) -> None:
        occurrences, looked = await opened.store.occurrences(canaries)
        found.looked_through["records"] += looked
        found.places += [
            Place(_store_of(one.place), one.place, one.needle, one.count) for one in occurrences
        ]

    def _files(self, opened: OpenNamespace, canaries: Sequence[str], found: CanaryTraces) -> None:
        for path in self._snapshots.files(opened.namespace):
            counts = self._snapshots.mentions(opened.namespace, path, canaries)
            found.note("snapshots", path.name, counts)
            found.looked_through["snapshots"] += 1


def _store_of(place: str) -> str:
    """A record, a stored answer, or a file, by what the store calls the place."""
    if place.startswith(_ANSWERS):
        return "answers"
    return "files" if place.endswith((".db", "-wal", "-shm", "-journal")) else "records"
