"""Offsets from UTC that times in JSON name, and that a timestamp cannot keep.

    {"eventTime": "2026-01-06T00:30:00+09:00"}   also says "utcOffsetMinutes": 540
    {"now": "2026-01-06T07:00:00+08:00"}         also says "timeZone": "+08:00"

What a request says itself stays, and a time in UTC says nothing of where anybody is.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from google.protobuf.message import Message

from anamnesis_libs.http.json_types import Json
from anamnesis_libs.zones import stated_minutes

_NAMED = re.compile(rb"T\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:\d\d\"")
"""A time with an offset; a request without one is read once."""


def fill_offsets(message: Message, data: bytes) -> None:
    """Say in a message what the times of its JSON say of clocks."""
    if _NAMED.search(data):
        _fill(message, json.loads(data))


def _fill(message: Message, told: Json) -> None:
    if not isinstance(told, Mapping):
        return
    fields = message.DESCRIPTOR.fields_by_name
    if {"event_time", "utc_offset_minutes"}.issubset(fields):
        _fill_offset(message, told.get("eventTime", told.get("event_time")))
    if {"now", "time_zone"}.issubset(fields):
        _fill_zone(message, told.get("now"))
    for inner, held in _parts(message, told):
        _fill(inner, held)


def _parts(message: Message, told: Mapping[str, Json]) -> Iterator[tuple[Message, Json]]:
    """The messages in a message, each with its JSON."""
    for field, held in message.ListFields():
        given = told.get(field.json_name, told.get(field.name))
        if isinstance(held, Message):
            yield held, given
        elif field.message_type is not None and isinstance(given, list):
            yield from zip(held, given, strict=False)


def _fill_offset(message: Message, time: Json) -> None:
    minutes = _stated(time)
    if minutes is not None and not message.HasField("utc_offset_minutes"):
        setattr(message, "utc_offset_minutes", minutes)  # noqa: B010 any message that has one


def _fill_zone(message: Message, time: Json) -> None:
    minutes = _stated(time)
    if minutes is not None and not getattr(message, "time_zone"):  # noqa: B009 see above
        sign, beside = "-" if minutes < 0 else "+", abs(minutes)
        zone = f"{sign}{beside // 60:02}:{beside % 60:02}"
        setattr(message, "time_zone", zone)  # noqa: B010 see above


def _stated(time: Json) -> int | None:
    try:
        return stated_minutes(datetime.fromisoformat(time)) if isinstance(time, str) else None
    except ValueError:
        return None  # more digits than a datetime has: the message keeps the moment alone
