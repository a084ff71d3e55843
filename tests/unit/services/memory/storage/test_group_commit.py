"""Writes that share commits."""

import asyncio
from collections.abc import Sequence

import pytest

from anamnesis_libs.errors import ResourceExhausted
from anamnesis_memory.storage.group_commit import Bounds, GroupCommit


async def test_writes_that_wait_share_a_commit() -> None:
    batches: list[list[int]] = []

    async def commit(writes: Sequence[int]) -> Sequence[int | Exception]:
        batches.append(list(writes))
        await asyncio.sleep(0)
        return [write * 10 for write in writes]

    group: GroupCommit[int, int] = GroupCommit(commit)
    answers = await asyncio.gather(*(group.submit(number) for number in range(20)))
    assert answers == [number * 10 for number in range(20)]
    assert [write for batch in batches for write in batch] == list(range(20))
    assert len(batches) < 5


async def test_a_poisoned_write_fails_alone() -> None:
    async def commit(writes: Sequence[int]) -> Sequence[int | Exception]:
        if 3 in writes:
            raise ZeroDivisionError
        return list(writes)

    group: GroupCommit[int, int] = GroupCommit(commit)
    answers = await asyncio.gather(*map(group.submit, range(6)), return_exceptions=True)
    assert [answer for answer in answers if isinstance(answer, int)] == [0, 1, 2, 4, 5]
    assert isinstance(answers[3], ZeroDivisionError)


async def test_a_commit_may_take_the_first_ones_only() -> None:
    handed: list[list[int]] = []

    async def commit(writes: Sequence[int]) -> Sequence[int | Exception]:
        handed.append(list(writes))
        if 4 in writes[:2]:
            raise ZeroDivisionError
        return list(writes[:2])

    group: GroupCommit[int, int] = GroupCommit(commit)
    answers = await asyncio.gather(*map(group.submit, range(6)), return_exceptions=True)
    assert [answer for answer in answers if isinstance(answer, int)] == [0, 1, 2, 3, 5]
    assert isinstance(answers[4], ZeroDivisionError)
    assert sorted(one for batch in handed for one in batch[:2] if one < 4) == [0, 1, 2, 3]


async def test_a_full_queue_refuses_at_once() -> None:
    gate = asyncio.Event()

    async def commit(writes: Sequence[int]) -> Sequence[int | Exception]:
        await gate.wait()
        return list(writes)

    group: GroupCommit[int, int] = GroupCommit(commit, Bounds(queue_max=2))
    first = asyncio.create_task(group.submit(0))
    await asyncio.sleep(0.01)
    waiting = [asyncio.create_task(group.submit(number)) for number in (1, 2)]
    await asyncio.sleep(0.01)
    with pytest.raises(ResourceExhausted) as refused:
        await group.submit(3)
    assert refused.value.retry_after_s > 0
    gate.set()
    assert await asyncio.gather(first, *waiting) == [0, 1, 2]


async def test_a_caller_that_goes_away_leaves_its_write() -> None:
    committed: list[int] = []
    gate = asyncio.Event()

    async def commit(writes: Sequence[int]) -> Sequence[int | Exception]:
        await gate.wait()
        committed.extend(writes)
        return list(writes)

    group: GroupCommit[int, int] = GroupCommit(commit)
    caller = asyncio.create_task(group.submit(1))
    await asyncio.sleep(0.01)
    caller.cancel()
    gate.set()
    await group.close()
    assert committed == [1]
