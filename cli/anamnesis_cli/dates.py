"""Dates as people write them: 2021, 2021-05, 31 May 2021, yesterday; in UTC where no zone is said.

A date covers a period. What it means is for its option to say: the first instant of the period,
or the last one.
"""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import click
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis_cli.params import timestamp
from anamnesis_libs.timephrases.months import month as month_of

FORMS = "2021, 2021-05, 2021-W18, 2021-05-31, 31 May 2021, yesterday or 2021-05-31T09:30+02:00"

ANY = "any"
"""In place of a date: at whatever time."""

_MONTH = r"(?P<name>[a-z]{3,9})\.?"
_WRITTEN = tuple(
    re.compile(form)
    for form in (
        r"(?P<year>\d{4})",
        r"(?P<year>\d{4})[-/](?P<month>\d{1,2})",
        r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})",
        r"(?P<year>\d{4})年(?:(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?)?",
        r"(?P<year>\d{4})-w(?P<week>\d{1,2})",
        rf"(?:(?P<day>\d{{1,2}})\.? )?{_MONTH},? (?P<year>\d{{4}})",
        rf"{_MONTH} (?P<day>\d{{1,2}}),? (?P<year>\d{{4}})",
    )
)
_NAMES_ZONE = re.compile(
    r"^\s*now\s*$|\d:\d{2}[\d:.,]*\s?(?:z|[+-]\d{2}(?::?\d{2}){0,2})\s*$", re.IGNORECASE
)
"""Now, and a time of day with its offset from UTC behind it."""
_TICK = timedelta(microseconds=1)
_SPAN = re.compile(r"(?P<number>\d{1,7})\s*(?P<unit>[mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class WrittenMoment(click.ParamType[datetime]):
    """A date or time as people write it, on the clock that it names; UTC if it names none.

    `last` takes the last instant of what it covers.
    """

    name = "time"

    def __init__(
        self, *, last: bool = False, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._last = last
        self._now = now

    def convert(
        self, value: str | datetime, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Reads the text, or says how a time is written."""
        if isinstance(value, datetime):
            return value
        try:
            moment = self._read(" ".join(value.lower().split()))
            timestamp(moment)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is not a time; write it as {FORMS}", param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    def _read(self, text: str) -> datetime:
        days = {"today": 0, "yesterday": 1, "tomorrow": -1}
        if text == "now":
            return self._now()
        if text in days:
            day = self._now().astimezone(UTC).date() - timedelta(days=days[text])
            return self._of(day, day + timedelta(days=1))
        for form in _WRITTEN:
            if match := form.fullmatch(text):
                return self._of(*_covered(match.groupdict()))
        return datetime.fromisoformat(text.upper())

    def _of(self, first: date, after: date) -> datetime:
        if self._last:
            return _midnight(after) - _TICK
        return _midnight(first)


class WallMoment(click.ParamType[datetime]):
    """A moment as people write it, without a zone if it names none: for who knows where they are.

    Today and yesterday are days of this machine's clock.
    """

    name = "time"

    def convert(
        self, value: str | datetime, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Reads the text, or says how a time is written."""
        here = WrittenMoment(now=lambda: datetime.now().astimezone().replace(tzinfo=UTC))
        if isinstance(value, datetime) or _NAMES_ZONE.search(value):
            return WrittenMoment().convert(value, param, ctx)
        return here.convert(value, param, ctx).replace(tzinfo=None)


class WrittenDate(click.ParamType[Timestamp]):
    """A moment as people write it, as the proto has it: without its clock."""

    name = "time"

    def __init__(
        self, *, last: bool = False, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._written = WrittenMoment(last=last, now=now)

    def convert(
        self, value: str | Timestamp, param: click.Parameter | None, ctx: click.Context | None
    ) -> Timestamp:
        """Reads the text, or says how a time is written."""
        if isinstance(value, Timestamp):
            return value
        return timestamp(self._written.convert(value, param, ctx))


class ExpiryDate(click.ParamType[Timestamp]):
    """A time from which on something is gone: a date, or how long from now (`30d`)."""

    name = "time"

    def __init__(self, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now

    def convert(
        self, value: str | Timestamp, param: click.Parameter | None, ctx: click.Context | None
    ) -> Timestamp:
        """Reads the text, or says how a time is written."""
        if isinstance(value, str) and (span := _SPAN.fullmatch(value.strip().lower())):
            unit = timedelta(**{_UNITS[span["unit"]]: 1})
            try:
                return timestamp(self._now() + int(span["number"]) * unit)
            except OverflowError:
                self.fail(f"{value!r} is beyond the year 9999", param, ctx)
        return WrittenDate(now=self._now).convert(value, param, ctx)


class WrittenDateOrAny(click.ParamType["Timestamp | str"]):
    """A date or time as people write it, or `any`."""

    name = "time"

    def convert(
        self, value: str | Timestamp, param: click.Parameter | None, ctx: click.Context | None
    ) -> Timestamp | str:
        """Reads the text, or says how a time is written."""
        if isinstance(value, str) and value.strip().lower() == ANY:
            return ANY
        return WrittenDate().convert(value, param, ctx)


def _covered(said: dict[str, str | None]) -> tuple[date, date]:
    """The first day of a period, and the day after its last."""
    year = int(said["year"] or "")
    if week := said.get("week"):
        first = date.fromisocalendar(year, int(week), 1)
        return first, first + timedelta(days=7)
    month = _month(said)
    if month is None:
        return date(year, 1, 1), date(year + 1, 1, 1)
    if day := said.get("day"):
        first = date(year, month, int(day))
        return first, first + timedelta(days=1)
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)


def _month(said: dict[str, str | None]) -> int | None:
    if name := said.get("name"):
        return month_of(name)
    month = said.get("month")
    return int(month) if month else None


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


expires_option = click.option(
    "--expires",
    type=ExpiryDate(),
    metavar="TIME",
    help="Erase it then: a date (2027-01-01), or how long from now (90m, 12h, 30d, 4w).",
)
"""Asks from when on a memory is gone."""

known_at_option = click.option(
    "--known-at",
    type=WrittenDate(last=True),
    metavar="TIME",
    help="As it was known at TIME; a date counts to its end.",
)
"""Asks what was known at a time."""
