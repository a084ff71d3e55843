"""Items are worked on a few at once, drawn when their turn comes, and answered in their order."""

import asyncio
from collections.abc import Iterator

from benchmarks.recall.loading import each


async def test_results_stand_in_the_order_of_items() -> None:
    async def late(number: int) -> int:
        for _ in range(5 - number):
            await asyncio.sleep(0)
        return -number

    assert await each(range(5), late, 3) == [0, -1, -2, -3, -4]


async def test_no_more_items_are_drawn_than_are_worked_on() -> None:
    drawn, done, ahead_max = 0, 0, 0

    def items() -> Iterator[int]:
        nonlocal drawn
        for number in range(9):
            drawn += 1
            yield number

    async def work(_: int) -> None:
        nonlocal done, ahead_max
        ahead_max = max(ahead_max, drawn - done)
        await asyncio.sleep(0)
        done += 1

    await each(items(), work, 2)
    assert (done, ahead_max) == (9, 2)
