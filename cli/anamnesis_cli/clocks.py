"""Clocks of people: where this machine says that its user is, and times shown where they were said.

A machine whose own clock is on UTC says nothing of its user: a server, a container. Then the
namespace's policy says where people are.
"""

from datetime import UTC, datetime, time, timedelta, timezone
from typing import Protocol

import click
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis_cli.params import timestamp
from anamnesis_libs.zones import stated_minutes, zone_of

_FORM = "%Y-%m-%d %H:%M"


class Said(Protocol):
    """A message with a time and the clock of who said it."""

    @property
    def event_time(self) -> Timestamp:
        """When."""
        ...

    @property
    def utc_offset_minutes(self) -> int:
        """The clock beside UTC."""
        ...


time_zone_option = click.option(
    "--time-zone",
    metavar="ZONE",
    help="Where you are, Asia/Shanghai or +08:00: days are days there (default: this machine's "
    "zone, or where that is UTC the namespace's).",
)
"""Asks where who asks is."""


def machine_minutes() -> int | None:
    """The offset of this machine's clock now; None where it is UTC."""
    return stated_minutes(datetime.now().astimezone())


def minutes_said(said: datetime | None) -> int | None:
    """The clock of what is said: this machine's now, else as its time names it.

    A date alone is a day of UTC, and stays that day whatever the namespace's policy says.
    """
    if said is None:
        return machine_minutes()
    return stated_minutes(said) or (0 if said.timetz() == time(tzinfo=UTC) else None)


def usual_zone(zone: str | None) -> str:
    """The zone that was named, else this machine's; empty leaves it to the namespace."""
    minutes = machine_minutes()
    return zone or ("" if minutes is None else offset_words(minutes))


def zone_asked(now: datetime | None, zone: str | None) -> str:
    """Where a question is asked: as told, else by the offset of its moment, else `usual_zone`."""
    minutes = stated_minutes(now) if now and now.tzinfo else None
    return usual_zone(zone or (offset_words(minutes) if minutes else None))


def moment_there(moment: datetime | None, zone: str) -> Timestamp | None:
    """The instant of a moment; one without a zone is of the zone named, else of this machine's."""
    if moment is None or moment.tzinfo is not None:
        return None if moment is None else timestamp(moment)
    try:
        there = zone_of(zone) if zone else None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--time-zone") from error
    try:
        return timestamp(moment.replace(tzinfo=there) if there else moment.astimezone())
    except (OverflowError, ValueError):  # at the edge of the calendar every clock is far enough
        return timestamp(moment.replace(tzinfo=UTC))


def offset_words(minutes: int) -> str:
    """An offset as people write it: +08:00."""
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def said_at(message: Said) -> str:
    """When something was said, to the minute, on the clock of who said it."""
    return written(message.event_time, message.utc_offset_minutes)


def written(stamp: Timestamp, minutes: int) -> str:
    """A time to the minute on a clock, and how far that is from UTC."""
    return f"{on_clock(stamp, minutes):{_FORM}} {offset_words(minutes) if minutes else 'UTC'}"


def local_minutes(stamp: Timestamp) -> int:
    """The offset of this machine's clock at a time; 0 where it is beyond the calendar."""
    try:
        return stated_minutes(stamp.ToDatetime(UTC).astimezone()) or 0
    except (OverflowError, OSError, ValueError):
        return 0


def on_clock(stamp: Timestamp, minutes: int) -> datetime:
    """A time on a clock beside UTC; in UTC where the calendar has no such wall time."""
    moment = stamp.ToDatetime(UTC)
    try:
        return moment.astimezone(timezone(timedelta(minutes=minutes)))
    except OverflowError:
        return moment
