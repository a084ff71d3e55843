"""The days from which and until which a fact held, in the words that lead its line in a context."""

from datetime import UTC, datetime

DAY = "%Y-%m-%d"
_US_PER_S = 1_000_000


def held_words(from_us: int | None, until_us: int | None, form: str = DAY) -> tuple[str, ...]:
    """The two times, in microseconds since 1970, as one phrase; none where neither is known.

    `form` writes the beginning, of which only the year or the month may be known. The end is often
    that of a later fact, and written to the day.
    """
    begun = "" if from_us is None else _written(from_us, form)
    if until_us is None:
        return (f"since {begun}",) if begun else ()
    return (f"{begun} until {_written(until_us, DAY)}".strip(),)


def _written(moment_us: int, form: str) -> str:
    return datetime.fromtimestamp(moment_us // _US_PER_S, UTC).strftime(form)
