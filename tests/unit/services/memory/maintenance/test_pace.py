"""Rests between batches: none while nobody asks, many times the batch while somebody does."""

from anamnesis_memory.maintenance.throttle import (
    BUSY_REST_S_MIN,
    BUSY_SHARE,
    QUIET_AFTER_S,
    REST_S_MAX,
    Throttle,
)

BATCH_S = 0.05


class Day:
    """A clock that moves while a batch is worked on, and while somebody rests."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.asked = 0
        self.pace = Throttle(lambda: self.asked, lambda: self.now_s, self.sleep)

    async def sleep(self, seconds: float) -> None:
        self.now_s += seconds

    async def rested_s(self, batch_s: float = BATCH_S) -> float:
        """Seconds that the rest after a batch takes."""
        self.now_s += batch_s
        begun_s = self.now_s
        await self.pace.rest()
        return round(self.now_s - begun_s, 6)


async def test_it_rests_only_while_somebody_asks() -> None:
    day = Day()
    assert await day.rested_s() == 0
    day.asked += 1
    assert await day.rested_s() == BATCH_S * BUSY_SHARE
    assert await day.rested_s() == BATCH_S * BUSY_SHARE
    day.now_s += QUIET_AFTER_S
    assert await day.rested_s() == 0


async def test_a_rest_has_bounds() -> None:
    day = Day()
    for batch_s, rest_s in ((0.0, BUSY_REST_S_MIN), (10.0, REST_S_MAX)):
        day.asked += 1
        assert await day.rested_s(batch_s) == rest_s
