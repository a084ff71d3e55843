"""A clock that tests set."""

from datetime import UTC, datetime, timedelta


class SetClock:
    """Stands still until it is told to move."""

    def __init__(self, start: datetime = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)) -> None:
        self._now = start

    def now(self) -> datetime:
        """The time it was set to."""
        return self._now

    def monotonic_s(self) -> float:
        """The same time, in seconds."""
        return self._now.timestamp()

    def move(self, **by: float) -> None:
        """Move forward, e.g. `move(hours=25)`."""
        self._now += timedelta(**by)
