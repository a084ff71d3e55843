"""Intervals of the calendar, on the speaker's clock.

Wall time is kept as if it were UTC until a phrase is handed out, so that arithmetic knows no
zones. A week runs from Monday to Sunday. What leaves the years 1 to 9999 raises ValueError or
OverflowError, which `find` takes as "cannot be resolved".
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from anamnesis_libs.timephrases.model import Precision


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """An interval of wall time, its end exclusive."""

    since: datetime
    until: datetime
    precision: Precision

    @property
    def is_one_day(self) -> bool:
        """True if a time of day would make the span exact."""
        return self.precision is Precision.DAY and self.until - self.since == timedelta(days=1)


def midnight(day: date) -> datetime:
    """The wall time at which a day begins."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def days(first: date, count: int = 1, precision: Precision = Precision.DAY) -> TimeSpan:
    """A run of days."""
    since = midnight(first)
    return TimeSpan(since, since + timedelta(days=count), precision)


def week(day: date, ahead: int = 0) -> TimeSpan:
    """The week that a day lies in, or one so many weeks later."""
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=ahead)
    return days(monday, 7, Precision.WEEK)


def weekend(day: date, ahead: int = 0) -> TimeSpan:
    """Saturday and Sunday of a day's week, or of one so many weeks later."""
    return days(weekday_of_week(day, 5, ahead), 2)


def weekday_of_week(day: date, weekday: int, ahead: int = 0) -> date:
    """A weekday (0 is Monday) of a day's week, or of one so many weeks later."""
    return day + timedelta(days=weekday - day.weekday(), weeks=ahead)


def weekday_before(day: date, weekday: int) -> date:
    """The most recent such weekday before a day."""
    return day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)


def weekday_after(day: date, weekday: int) -> date:
    """The first such weekday after a day."""
    return day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1)


def months(year_number: int, month_number: int, count: int = 1) -> TimeSpan:
    """A run of months; the month's number may lie outside 1 to 12 and then carries."""
    return TimeSpan(
        _first_of_month(year_number, month_number),
        _first_of_month(year_number, month_number + count),
        Precision.MONTH,
    )


def _first_of_month(year_number: int, month_number: int) -> datetime:
    carried, month_index = divmod(month_number - 1, 12)
    return datetime(year_number + carried, month_index + 1, 1, tzinfo=UTC)


def years(first: int, count: int = 1) -> TimeSpan:
    """A run of years."""
    since = datetime(first, 1, 1, tzinfo=UTC)
    return TimeSpan(since, datetime(first + count, 1, 1, tzinfo=UTC), Precision.YEAR)


def quarter(year_number: int, number: int) -> TimeSpan:
    """A quarter; its number may lie outside 1 to 4 and then carries."""
    return months(year_number, 3 * number - 2, 3)


def half_year(year_number: int, number: int) -> TimeSpan:
    """The first or the second half of a year."""
    return months(year_number, 6 * number - 5, 6)


def instant(moment: datetime) -> TimeSpan:
    """The minute that a moment lies in."""
    since = moment.replace(second=0, microsecond=0)
    return TimeSpan(since, since + timedelta(minutes=1), Precision.INSTANT)


def unit_away(now: datetime, unit: str, count: float) -> TimeSpan | None:
    """The calendar unit that lies so many units from a moment.

    Fractions count for months in a year and for times of the day; elsewhere they mean nothing.
    """
    if unit in _EXACT:
        return instant(now + count * _EXACT[unit])
    if unit == "year" and not float(count).is_integer():
        return months(now.year, now.month + round(count * 12))
    if not float(count).is_integer():
        return None
    return _whole_units_away(now, unit, int(count))


def _whole_units_away(now: datetime, unit: str, count: int) -> TimeSpan | None:
    today = now.date()
    match unit:
        case "day":
            return days(today + timedelta(days=count))
        case "week":
            return week(today, count)
        case "month":
            return months(now.year, now.month + count)
        case "quarter":
            return quarter(now.year, (now.month + 2) // 3 + count)
        case "year":
            return years(now.year + count)
        case _:
            return None


_EXACT = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
}


def rolling(now: datetime, unit: str, count: int) -> TimeSpan | None:
    """The last (or, where negative, the next) so many units, today included."""
    if unit in _EXACT:
        other = now - count * _EXACT[unit]
        return TimeSpan(min(now, other), max(now, other), Precision.INSTANT)
    today = now.date()
    other_day = _same_day(today, unit, -count)
    if other_day is None:
        return None
    first, last = min(today, other_day), max(today, other_day)
    return days(first, (last - first).days + 1, Precision(unit))


def _same_day(day: date, unit: str, count: int) -> date | None:
    """The day so many units away; the last of the month where a month is too short."""
    if unit in {"day", "week"}:
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    if unit not in {"month", "year"}:
        return None
    month_span = months(day.year, day.month + count * (12 if unit == "year" else 1))
    last = month_span.until - timedelta(days=1)
    return last.date().replace(day=min(day.day, last.day))
