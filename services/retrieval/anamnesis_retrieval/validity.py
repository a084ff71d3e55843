"""The days from which and until which a fact held, in the words that lead its line in a context."""

from datetime import UTC, datetime

DAY = "%Y-%m-%d"
_US_PER_S = 1_000_000


def held_words(
    from_us: int | None, until_us: int | None, form: str = DAY, told_us: int | None = None
) -> tuple[str, ...]:
    """The two times, in microseconds since 1970, as one phrase; none where neither is known.

    `form` writes the beginning, of which only the year or the month may be known. The end is often
    that of a later fact, and written to the day. What was told as over ("has stopped drinking") was
    so by then: it did not stop being told.
    """
    begun = "" if from_us is None else _written(from_us, form)
    if until_us is None:
        return (f"since {begun}",) if begun else ()
    if not begun and until_us == told_us:
        return (f"over by {_written(until_us, DAY)}",)
    return (f"{begun} until {_written(until_us, DAY)}".strip(),)


def _written(moment_us: int, form: str) -> str:
    return datetime.fromtimestamp(moment_us // _US_PER_S, UTC).strftime(form)
