"""Rests between batches: none while nobody asks, many times the batch while somebody does."""

import time

from anamnesis_memory.maintenance.throttle import BUSY_SHARE, Throttle

BATCH_S = 0.05


async def rested_s(pace: Throttle) -> float:
    """Seconds that the rest after a batch takes."""
    time.sleep(BATCH_S)  # noqa: ASYNC251  # a batch that holds the thread
    begun_s = time.perf_counter()
    await pace.rest()
    return time.perf_counter() - begun_s


async def test_it_rests_only_while_somebody_asks() -> None:
    asked = 0
    pace = Throttle(lambda: asked)
    assert await rested_s(pace) < BATCH_S * BUSY_SHARE
    asked += 1
    assert await rested_s(pace) >= BATCH_S * BUSY_SHARE
    assert await rested_s(pace) >= BATCH_S * BUSY_SHARE
