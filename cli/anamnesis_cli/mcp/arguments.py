"""The types of the tools' arguments: times as people write them, kinds of memories in words."""

from datetime import UTC, date, datetime, time
from typing import Annotated, Literal

import click
from pydantic import BeforeValidator, Field, WithJsonSchema

from anamnesis_cli.dates import WrittenMoment

TIME_FORMS = "such as 2026-05, 2026-05-31T09:30Z or yesterday"
IDS_MAX = 100
TAGS_MAX = 10

Kind = Literal["note", "fact", "procedure", "lesson"]
KINDS: dict[Kind, str] = {
    "note": "episodic",
    "fact": "semantic",
    "procedure": "procedural",
    "lesson": "learning",
}
KIND_WORDS = {kind: word for word, kind in KINDS.items()}


def _read_time(written: object) -> datetime:
    try:
        return WrittenMoment().convert(str(written), None, None)
    except click.BadParameter as refused:
        raise ValueError(refused.message) from refused


def day_or_moment(told: datetime | None) -> datetime | date | None:
    """A time as told: a midnight of UTC is a date alone, which is that day wherever it is read."""
    return told.date() if told and told.timetz() == time(tzinfo=UTC) else told


Time = Annotated[datetime, BeforeValidator(_read_time), WithJsonSchema({"type": "string"})]
Ids = Annotated[list[str], Field(max_length=IDS_MAX)]
Tags = Annotated[list[str], Field(max_length=TAGS_MAX)]
