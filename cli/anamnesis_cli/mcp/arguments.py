"""The types of the tools' arguments: times as people write them, kinds of memories in words."""

from datetime import UTC, datetime
from typing import Annotated, Literal

import click
from pydantic import BeforeValidator, Field, WithJsonSchema

from anamnesis_cli.dates import WrittenDate

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
        stamp = WrittenDate().convert(str(written), None, None)
    except click.BadParameter as refused:
        raise ValueError(refused.message) from refused
    return stamp.ToDatetime(tzinfo=UTC)


Time = Annotated[datetime, BeforeValidator(_read_time), WithJsonSchema({"type": "string"})]
Ids = Annotated[list[str], Field(max_length=IDS_MAX)]
Tags = Annotated[list[str], Field(max_length=TAGS_MAX)]
