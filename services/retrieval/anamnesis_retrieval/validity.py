"""The days from which and until which a fact held, in the words that lead its line in a context."""

from datetime import UTC, datetime

_US_PER_S = 1_000_000


def held_words(from_us: int | None, until_us: int | None) -> tuple[str, ...]:
    """The days, in microseconds since 1970, as one phrase; none where neither is known."""
    if until_us is None:
        return () if from_us is None else (f"since {_day(from_us)}",)
    if from_us is None:
        return (f"until {_day(until_us)}",)
    return (f"{_day(from_us)} until {_day(until_us)}",)


def _day(moment_us: int) -> str:
    return datetime.fromtimestamp(moment_us // _US_PER_S, UTC).date().isoformat()
