"""Time as a port: code that needs to know the time is given a clock, and tests give their own."""

import time
from datetime import UTC, datetime
from typing import Protocol

YEAR_ONE_US = -62_135_596_800_000_000
LAST_US = 253_402_300_799_999_999
"""The first and the last microsecond of the years 1 to 9999: what a record may name."""


class Clock(Protocol):
    """Wall time for records, monotonic time for durations."""

    def now(self) -> datetime:
        """The current time, in UTC and aware of it."""
        ...

    def monotonic_s(self) -> float:
        """Seconds that never go back; only differences mean anything."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The current time, in UTC and aware of it."""
        return datetime.now(UTC)

    def monotonic_s(self) -> float:
        """Seconds that never go back; only differences mean anything."""
        return time.monotonic()


def micros(moment: datetime) -> int:
    """Whole microseconds since 1970, the unit in which records keep time."""
    return round(moment.timestamp() * 1_000_000)
