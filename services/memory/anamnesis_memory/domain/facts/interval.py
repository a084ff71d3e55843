"""Times in which facts hold: half-open intervals [from, to), and what a written date covers.

    from 2021-03-01            to 2021-05-31 (the whole day counts)
      |==========================|
      2021-03-01T00:00Z          2021-06-01T00:00Z, exclusive

Times are whole microseconds since 1970 in UTC, before it negative. A date without a time stands for
its whole period in UTC: as a beginning for its first instant, as an end for the instant after it.
"""

import calendar
import math
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from anamnesis_libs.errors import invalid_field
from anamnesis_memory.model.memory_details import TimePrecision

DAY_US = 24 * 3600 * 1_000_000
EARLIEST_US = -(2**62)
LATEST_US = 2**62
"""Stand-ins for no bound where intervals are sorted and stored: before and after every date."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FORMS = "a year, a month (2019-06), a week (2019-W10), a day or an instant with its zone"

_WRITTEN = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?|-W(\d{2}))?")
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})")


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval from `from_us` on, until `to_us`, exclusive; None where it has no bound.

    Raises:
        InvalidArgument: the end is not after the beginning.
    """

    from_us: int | None = None
    to_us: int | None = None

    def __post_init__(self) -> None:
        """Refuse what holds at no time."""
        if self.end <= self.start:
            raise invalid_field("valid_to", "must be after valid_from; nothing was stored")

    @property
    def start(self) -> float:
        """The beginning, to be compared: exact, or minus infinity."""
        return -math.inf if self.from_us is None else self.from_us

    @property
    def end(self) -> float:
        """The end, to be compared: exact, or infinity."""
        return math.inf if self.to_us is None else self.to_us

    @property
    def first_us(self) -> int:
        """The beginning as it is stored."""
        return EARLIEST_US if self.from_us is None else self.from_us

    @property
    def after_us(self) -> int:
        """The end as it is stored."""
        return LATEST_US if self.to_us is None else self.to_us

    @classmethod
    def stored(cls, first_us: int, after_us: int) -> "Interval":
        """An interval as it was stored."""
        return cls(
            None if first_us == EARLIEST_US else first_us,
            None if after_us == LATEST_US else after_us,
        )

    def holds_at(self, as_of_us: int) -> bool:
        """True if the instant lies in the interval."""
        return self.start <= as_of_us < self.end


@dataclass(frozen=True, slots=True)
class Period:
    """The time that a written date covers; an instant covers nothing, and is both bounds.

    Args:
        first_us: its first instant: what it means as a beginning.
        after_us: the instant after its last: what it means as an end.
        precision: how exact it is.
    """

    first_us: int
    after_us: int
    precision: TimePrecision


def period(written: str, field: str = "valid_from") -> Period:
    """The period that a written time covers, such as `2016`, `2016-05`, `2019-W10`, `2019-06-15`.

    Raises:
        InvalidArgument: there is no such time; the error names `field`.
    """
    text = written.strip()
    try:
        if _INSTANT.fullmatch(text):
            at_us = instant_us(datetime.fromisoformat(text))
            return Period(at_us, at_us, TimePrecision.INSTANT)
        if match := _WRITTEN.fullmatch(text):
            return _covered(*match.groups())
    except ValueError as error:
        raise invalid_field(field, f"no such time: {error}") from error
    raise invalid_field(field, f"must be {FORMS}")


def period_of(us: int, precision: TimePrecision) -> Period:
    """The period of this precision, in UTC, in which an instant lies.

    Raises:
        InvalidArgument: the instant is in no year from 1 to 9999.
    """
    try:
        day = (EPOCH + timedelta(microseconds=us)).date()
    except OverflowError as error:
        raise invalid_field("valid_from", "must be in the years 1 to 9999") from error
    match precision:
        case TimePrecision.YEAR:
            return _year(day.year)
        case TimePrecision.MONTH:
            return _month(day.year, day.month)
        case TimePrecision.WEEK:
            return _days(day - timedelta(days=day.weekday()), 7, precision)
        case TimePrecision.DAY:
            return _days(day, 1, precision)
        case _:
            return Period(us, us, precision)


def instant_us(moment: datetime) -> int:
    """An aware datetime in microseconds, without the rounding of a float."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def _covered(year: str, month: str | None, day: str | None, week: str | None) -> Period:
    if week:
        return _days(date.fromisocalendar(int(year), int(week), 1), 7, TimePrecision.WEEK)
    if month and day:
        return _days(date(int(year), int(month), int(day)), 1, TimePrecision.DAY)
    return _month(int(year), int(month)) if month else _year(int(year))


def _year(year: int) -> Period:
    days = 366 if calendar.isleap(year) else 365
    return _days(date(year, 1, 1), days, TimePrecision.YEAR)


def _month(year: int, month: int) -> Period:
    first = date(year, month, 1)
    return _days(first, calendar.monthrange(year, month)[1], TimePrecision.MONTH)


def _days(first: date, count: int, precision: TimePrecision) -> Period:
    """Whole days by their ordinals: the day after 9999-12-31 is no date, but an instant."""
    first_us = (first.toordinal() - EPOCH.toordinal()) * DAY_US
    return Period(first_us, first_us + count * DAY_US, precision)
