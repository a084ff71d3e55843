"""Readers and writers of one index."""

import asyncio

from anamnesis_memory.runtime.indexing.index_access import ReadersWriter


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
