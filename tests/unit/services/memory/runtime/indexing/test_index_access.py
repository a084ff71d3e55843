"""Readers and writers of one index, and where it works."""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Document, Query, ScoredHits, SearchScope
from anamnesis_memory.runtime.indexing import index_access
from anamnesis_memory.runtime.indexing.index_access import IndexAccess, ReadersWriter


async def test_readers_run_side_by_side_and_a_writer_alone() -> None:
    access = ReadersWriter()
    inside: list[str] = []
    seen: list[tuple[str, ...]] = []

    async def read(name: str) -> None:
        async with access.reading():
            inside.append(name)
            seen.append(tuple(inside))
            await asyncio.sleep(0.01)
            inside.remove(name)

    async def write() -> None:
        async with access.writing():
            assert not inside
            inside.append("writer")
            await asyncio.sleep(0.01)
            inside.remove("writer")

    await asyncio.gather(read("a"), read("b"), write(), read("c"), write(), read("d"))
    assert ("a", "b") in seen
    assert all("writer" not in names for names in seen)


async def test_a_waiting_writer_goes_before_new_readers() -> None:
    access = ReadersWriter()
    order: list[str] = []
    release = asyncio.Event()

    async def first_reader() -> None:
        async with access.reading():
            await release.wait()
            order.append("first reader")

    async def writer() -> None:
        async with access.writing():
            order.append("writer")

    async def late_reader() -> None:
        async with access.reading():
            order.append("late reader")

    tasks = [asyncio.create_task(first_reader())]
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(writer()))
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(late_reader()))
    await asyncio.sleep(0.01)
    release.set()
    await asyncio.gather(*tasks)
    assert order == ["first reader", "writer", "late reader"]


class _Placed(MemoryIndex):
    """An index that notes if it works on the event loop."""

    def __init__(self) -> None:
        super().__init__(2)
        self.loop, self.here = threading.current_thread(), list[bool]()

    def find(self, query: Query) -> ScoredHits:
        self.here.append(threading.current_thread() is self.loop)
        return super().find(query)

    def put(self, documents: Sequence[Document]) -> None:
        self.here.append(threading.current_thread() is self.loop)
        super().put(documents)


async def _used(*texts: str, asked: str = "") -> list[bool]:
    """True for each of two steps on the event loop: texts are put together, one is asked for."""
    index = _Placed()
    with ThreadPoolExecutor(1) as executor:
        access = IndexAccess(index, executor)
        await access.put([_document(text) for text in texts], [])
        query = Query(text=f"{texts[0]} {asked}", vector=None, scope=SearchScope())
        found = await access.find(query)
        assert found.hits[0].memory_id == texts[0]
    return index.here


async def test_a_small_index_works_on_the_event_loop_where_it_is_asked_for_little() -> None:
    assert await _used("one", "two") == [True, True]
    assert await _used("one", "two " * index_access.FEW_CHARS_MAX) == [False, True]
    assert await _used("one", "two", asked="?" * index_access.ASKED_CHARS_MAX) == [True, False]


async def test_a_larger_index_works_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_access, "SMALL_MAX", 1)
    assert await _used("one", "two") == [True, False]


def _document(text: str) -> Document:
    return Document(memory_id=text, text=text, kind="episodic", create_time_us=1)
