"""Tests of run/loop.py: what a failing step does, and how a loop is woken and stopped."""

import asyncio
from collections.abc import Callable

import pytest
from structlog.testing import capture_logs

from anamnesis_libs.logs import logger
from anamnesis_libs.run.loop import Loop


class Work:
    """A step that is told what to do each time."""

    def __init__(self, *outcomes: str | Exception) -> None:
        self.outcomes = list(outcomes)
        self.done = 0

    async def step(self) -> bool:
        self.done += 1
        outcome = self.outcomes.pop(0) if self.outcomes else "rest"
        if isinstance(outcome, Exception):
            raise outcome
        return outcome == "more"


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110  # what is waited for has no event of its own
            await asyncio.sleep(0.001)


async def _no_report() -> None:
    return


async def test_it_goes_on_at_once_while_there_is_more() -> None:
    work = Work("more", "more", "rest")
    loop = Loop("test", every_s=3600, step=work.step)
    loop.start(logger("test"), _no_report)
    await _until(lambda: work.done == 3)
    await loop.stop(1)
    assert work.done == 3


async def test_waking_runs_the_next_step_early() -> None:
    work = Work()
    loop = Loop("test", every_s=3600, step=work.step)
    loop.start(logger("test"), _no_report)
    await _until(lambda: work.done == 1)
    loop.wake()
    await _until(lambda: work.done == 2)
    await loop.stop(1)


async def test_being_woken_in_a_while_by_several_is_one_step() -> None:
    work = Work()
    loop = Loop("test", every_s=3600, step=work.step)
    loop.start(logger("test"), _no_report)
    await _until(lambda: work.done == 1)
    for _ in range(3):
        loop.wake_in(0.01)
    await asyncio.sleep(0)
    assert work.done == 1
    await _until(lambda: work.done == 2)
    loop.wake_in(0.01)
    await _until(lambda: work.done == 3)
    await loop.stop(1)


async def test_a_failure_is_logged_counted_and_followed_by_another_try() -> None:
    work = Work(ValueError("contents"))
    loop = Loop("memory.index", every_s=0.001, step=work.step)
    with capture_logs() as lines:
        loop.start(logger("test"), _no_report)
        await _until(lambda: work.done >= 2)
        await loop.stop(1)
    assert loop.failures == 1
    assert loop.failures_in_a_row == 0
    (line,) = lines
    assert (line["loop"], line["error"]) == ("memory.index", "ValueError")
    assert "contents" not in str(line)


async def test_failures_in_a_row_turn_health_and_a_success_turns_it_back() -> None:
    work = Work(*[ValueError()] * 3)
    loop = Loop("test", every_s=0.001, step=work.step, failures_max=3)
    reported: list[bool] = []

    async def report() -> None:
        reported.append(loop.failing)

    loop.start(logger("test"), report)
    await _until(lambda: work.done >= 4)
    await loop.stop(1)
    assert reported == [True, False]


def test_the_pause_doubles_with_each_failure_up_to_a_bound() -> None:
    loop = Loop("test", every_s=2, step=Work().step, pause_s_max=30)
    pauses = []
    for failures in (0, 1, 2, 3, 4, 5000):
        loop.failures_in_a_row = failures
        pauses.append(loop.pause_s)
    assert pauses == [2, 4, 8, 16, 30, 30]


async def test_waking_does_not_cut_the_pause_after_a_failure_short() -> None:
    work = Work(ValueError())
    loop = Loop("test", every_s=3600, step=work.step)
    loop.start(logger("test"), _no_report)
    await _until(lambda: loop.failures == 1)
    loop.wake()
    await asyncio.sleep(0.02)
    assert work.done == 1
    await loop.stop(1)


async def test_stopping_lets_the_step_finish() -> None:
    finished = asyncio.Event()
    begun = asyncio.Event()

    async def step() -> bool:
        begun.set()
        await asyncio.sleep(0.02)
        finished.set()
        return True

    loop = Loop("test", every_s=1, step=step)
    loop.start(logger("test"), _no_report)
    await begun.wait()
    await loop.stop(5)
    assert finished.is_set()
    assert loop.steps == 1


async def test_a_step_that_does_not_end_is_cancelled() -> None:
    cancelled = asyncio.Event()
    begun = asyncio.Event()

    async def step() -> bool:
        begun.set()
        try:
            await asyncio.sleep(3600)
        finally:
            cancelled.set()
        return False

    loop = Loop("test", every_s=1, step=step)
    loop.start(logger("test"), _no_report)
    await begun.wait()
    await loop.stop(0.01)
    assert cancelled.is_set()


async def test_stopping_what_never_started_is_nothing() -> None:
    loop = Loop("test", every_s=1, step=Work().step)
    await loop.stop(1)
    assert loop.steps == 0


async def test_a_step_is_there_to_be_called_by_tests() -> None:
    work = Work(ValueError("seen by the test"))
    with pytest.raises(ValueError, match="seen by the test"):
        await Loop("test", every_s=1, step=work.step).step()
