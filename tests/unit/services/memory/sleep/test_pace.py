"""Rests between batches: none while nobody asks, long ones while somebody does."""

import time

from services.memory.sleep.pace import BUSY_REST_S_MIN, Pace


async def rested_s(pace: Pace) -> float:
    """Seconds that a rest takes."""
    begun_s = time.perf_counter()
    await pace.rest()
    return time.perf_counter() - begun_s


async def test_it_rests_only_while_somebody_asks() -> None:
    asked = 0
    pace = Pace(lambda: asked)
    quiet_s = await rested_s(pace)
    asked += 1
    assert await rested_s(pace) >= BUSY_REST_S_MIN > quiet_s


async def test_the_rest_follows_from_the_batch() -> None:
    asked = 0
    pace = Pace(lambda: asked)
    asked += 1
    time.sleep(0.02)  # noqa: ASYNC251  # a batch that holds the thread
    assert await rested_s(pace) >= 0.1
