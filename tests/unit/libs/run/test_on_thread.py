"""Work on a thread is waited for to its end."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from anamnesis_libs.run.on_thread import on_thread


async def test_the_work_answers_or_raises_as_if_it_was_called() -> None:
    with ThreadPoolExecutor(1) as executor:
        assert await on_thread(executor, lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await on_thread(executor, lambda: 1 // 0)


async def test_a_cancelled_caller_waits_until_the_thread_has_let_go() -> None:
    may_end, ended = threading.Event(), threading.Event()

    def work() -> None:
        may_end.wait(5.0)
        ended.set()

    with ThreadPoolExecutor(1) as executor:
        caller = asyncio.create_task(on_thread(executor, work))
        await asyncio.sleep(0.01)
        caller.cancel()
        await asyncio.sleep(0.01)
        assert not caller.done(), "the thread still works"
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await caller
        assert ended.is_set()
