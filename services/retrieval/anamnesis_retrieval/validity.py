"""The days from which and until which a fact held, in the words that lead its line in a context."""

from anamnesis_libs.zones import day_of_fact

DAY = "%Y-%m-%d"


def held_words(
    from_us: int | None,
    until_us: int | None,
    form: str = DAY,
    offset_minutes: int | None = None,
    told_us: int | None = None,
) -> tuple[str, ...]:
    """The two times, in microseconds since 1970, as one phrase; none where neither is known.

    `form` writes the beginning, of which only the year or the month may be known. The end is often
    that of a later fact, and written to the day, on the clock of who told the fact. What was told
    as over ("has stopped drinking") was so by then: it did not stop being told.
    """
    begun = "" if from_us is None else day_of_fact(from_us, offset_minutes).strftime(form)
    if until_us is None:
        return (f"since {begun}",) if begun else ()
    until = day_of_fact(until_us, offset_minutes).strftime(DAY)
    if not begun and until_us == told_us:
        return (f"over by {until}",)
    return (f"{begun} until {until}".strip(),)
