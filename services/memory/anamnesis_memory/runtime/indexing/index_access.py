"""One index, many readers or one writer, off the event loop where it may take long.

An index is plain memory: searches may run side by side, a change must be alone.
Searches that arrive while a change waits stand behind it, so that a stream of
searches cannot hold changes up for ever.
A small index answers on the event loop itself: in a process whose threads take turns, a change
of threads there and back costs a third of the search.
"""

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from anamnesis_libs.index.port import (
    RECALL_ASKED,
    Alike,
    Document,
    Index,
    Near,
    Query,
    Rows,
    ScoredHits,
)
from anamnesis_libs.models.ports import TokenCodes
from anamnesis_libs.run.on_thread import on_thread

T = TypeVar("T")

SMALL_MAX = 5_000
"""Of so many memories and vectors a search takes one to two milliseconds, and at most five."""
ASKED_CHARS_MAX = 500
"""A question so long has some eighty words, each of which is looked up and weighed."""
FEW_CHARS_MAX = 2_000
"""Documents so long together are put in half a millisecond."""
FEW_MAX = 4
"""The vectors of so many memories are put in half a millisecond."""


class ReadersWriter:
    """Many readers or one writer; a waiting writer goes before new readers."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._readers = 0
        self._empty = asyncio.Event()
        self._empty.set()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        """Hold off writers, not other readers."""
        async with self._turn:
            self._readers += 1
            self._empty.clear()
        try:
            yield
        finally:
            self._readers -= 1
            if not self._readers:
                self._empty.set()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Hold off everybody."""
        async with self._turn:
            await self._empty.wait()
            yield


class IndexAccess:
    """Runs an index on threads under a readers-writer discipline."""

    def __init__(self, index: Index, executor: Executor) -> None:
        self._index = index
        self._executor = executor
        self._access = ReadersWriter()

    @property
    def size(self) -> int:
        """Memories held."""
        return self._index.size

    @property
    def vector_count(self) -> int:
        """Vectors held."""
        return self._index.vector_count

    @property
    def waiting_for_vectors(self) -> int:
        """Memories that have no vectors yet."""
        return self._index.waiting_for_vectors

    @property
    def memory_bytes(self) -> int:
        """Bytes of memory taken, estimated."""
        return self._index.memory_bytes

    @property
    def unread(self) -> int:
        """Memories with vectors whose tokens are not held."""
        return self._index.unread

    async def without_tokens(self, limit: int) -> Sequence[str]:
        """Ids of so many memories with vectors whose tokens are not held, at most."""
        async with self._access.reading():
            return await self._run(lambda: self._index.without_tokens(limit))

    def without_vectors(self) -> Sequence[str]:
        """Ids of documents that have no vectors yet."""
        return self._index.without_vectors()

    async def swap(self, index: Index) -> None:
        """Hold another index instead."""
        async with self._access.writing():
            self._index = index

    async def ids(self) -> Sequence[str]:
        """Ids of all documents held."""
        async with self._access.reading():
            return await self._run(self._index.ids)

    async def mentions(self, texts: Sequence[str]) -> Sequence[int]:
        """The number of places where each text is; see `Index.mentions`."""
        async with self._access.reading():
            return await self._run(lambda: [self._index.mentions(text) for text in texts])

    async def differences(self, documents: Sequence[Document]) -> Mapping[str, Sequence[str]]:
        """Fields in which what is held is not what the documents say; see `Index`."""
        async with self._access.reading():
            return await self._run(lambda: self._index.differences(documents))

    async def put(self, documents: Sequence[Document], removed: Sequence[str]) -> Sequence[str]:
        """Take over one batch of changes.

        Returns:
            Ids of documents whose vectors do not fit their texts; they are held without.
        """

        def change() -> Sequence[str]:
            self._index.remove(removed)
            return self._put(documents)

        few = sum(len(document.text) for document in documents) <= FEW_CHARS_MAX
        async with self._access.writing():
            return await self._run_soon(change, few=few and len(removed) <= FEW_MAX)

    async def put_vectors(self, vectors: Mapping[str, Rows]) -> None:
        """Add vectors to documents that had none; those that do not fit are passed over."""
        await self._put_each(vectors, lambda index, each: index.put_vectors(each))

    async def put_tokens(self, tokens: Mapping[str, Sequence[TokenCodes]]) -> None:
        """Add tokens to memories that have vectors; those that do not fit are passed over."""
        await self._put_each(tokens, lambda index, each: index.put_tokens(each))

    async def find(self, query: Query) -> ScoredHits:
        """Score a scope and answer its best."""
        async with self._access.reading():
            few = len(query.text) <= ASKED_CHARS_MAX
            return await self._run_soon(lambda: self._index.find(query), few=few)

    @property
    def unsettled(self) -> bool:
        """True if changes have left something for `settle` to do."""
        return self._index.unsettled

    async def settle(self) -> None:
        """Make ready for searches what changes have left to be done; see `Index.settle`."""
        async with self._access.reading():
            await self._run_soon(self._index.settle, few=True)

    async def nearest(self, asked: Sequence[Alike]) -> Sequence[Sequence[Near]]:
        """The nearest of each group that is asked for."""
        async with self._access.reading():
            return await self._run(lambda: [self._index.nearest(one) for one in asked])

    @property
    def untrained(self) -> bool:
        """True if there is so much that what finds candidates should be trained."""
        return self._index.untrained

    async def train(self, background: Executor) -> None:
        """Train what finds candidates in large scopes, on a thread that gives way to others.

        Searches and changes go on meanwhile; what was numbered anew by then is trained again later.
        """
        index = self._index
        training = await self._reading(index.training)
        near = await asyncio.get_running_loop().run_in_executor(background, training.run)
        more = True
        while more:
            more = await self._reading(lambda: index.fill(near))
        asked = [
            await self._reading(functools.partial(index.nearest_rows, number))
            for number in range(RECALL_ASKED)
        ]
        rows, exact = np.stack([row for row, _ in asked]), [nearest for _, nearest in asked]
        await asyncio.get_running_loop().run_in_executor(background, near.measure, rows, exact)
        async with self._access.writing():
            if self._index is index:
                await self._run(lambda: index.adopt(near, training))

    async def save(self, path: Path) -> None:
        """Write everything to a file; the index tidies itself up first, so searches wait too."""
        async with self._access.writing():
            await self._run(lambda: self._index.save(path))

    def beside(self, index: Index) -> "IndexAccess":
        """Another index on the same threads."""
        return IndexAccess(index, self._executor)

    def _put(self, documents: Sequence[Document]) -> Sequence[str]:
        """All at once; where one is refused, each by itself."""
        try:
            self._index.put(documents)
        except ValueError:
            if len(documents) == 1:
                self._index.put([replace(documents[0], vectors=None)])
                return [documents[0].memory_id]
            return [unfit for document in documents for unfit in self._put([document])]
        return ()

    async def _put_each(
        self, given: Mapping[str, T], put: Callable[[Index, Mapping[str, T]], None]
    ) -> None:
        """Put what was made of each document by itself: one that does not fit stops no other."""

        def change() -> None:
            for memory_id, made in given.items():
                with suppress(ValueError):
                    put(self._index, {memory_id: made})

        async with self._access.writing():
            await self._run_soon(change, few=len(given) <= FEW_MAX)

    async def _reading(self, work: Callable[[], T]) -> T:
        async with self._access.reading():
            return await self._run(work)

    async def _run_soon(self, work: Callable[[], T], *, few: bool) -> T:
        """Run here where the index is small and the work is for few things; else on a thread."""
        small = max(self._index.size, self._index.vector_count) <= SMALL_MAX
        return work() if few and small else await self._run(work)

    async def _run(self, work: Callable[[], T]) -> T:
        """Run on a thread, which lets the index go before a cancelled caller goes on."""
        return await on_thread(self._executor, work)
