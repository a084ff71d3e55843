"""Reads `tests/data/story`: times as that page writes them, entries for the naive model."""

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypedDict

from tests.support.naive_facts import BEGINNING, NEVER, SHARED, Entry, Retracted, Told

DATA = Path(__file__).parents[1] / "data" / "story"
PRECISIONS = {
    "year": re.compile(r"\d{4}"),
    "month": re.compile(r"\d{4}-\d{2}"),
    "week": re.compile(r"\d{4}-W\d{2}"),
    "day": re.compile(r"\d{4}-\d{2}-\d{2}"),
    "instant": re.compile(r"\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})"),
}


class Manifest(TypedDict):
    """What is told of the whole set."""

    now: str
    confidence_initial: float
    confidence_step: float
    single_valued: list[str]
    multi_valued: list[str]
    refused: list[str]


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its answer, as the file has them."""

    id: str
    question: str
    subject: str
    predicate: str
    as_of: str | None
    known_at: str | None
    expect: list[str]
    why: str
    caller: str = SHARED
    flags: dict[str, list[str]] = field(default_factory=dict)
    confidence: dict[str, float] = field(default_factory=dict)


def precision(written: str) -> str:
    """The precision that a written time has."""
    return next(name for name, form in PRECISIONS.items() if form.fullmatch(written))


def first_instant(written: str) -> datetime:
    """The first instant of a year, month, week or day, or the instant itself, in UTC."""
    exact = precision(written)
    if exact == "instant":
        return datetime.fromisoformat(written).astimezone(UTC)
    if exact == "week":
        return datetime.strptime(f"{written}-1+0000", "%G-W%V-%u%z")
    day = {"year": f"{written}-01-01", "month": f"{written}-01"}.get(exact, written)
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def end_instant(written: str) -> datetime:
    """The instant after the last one of a period, or the instant itself, in UTC."""
    start = first_instant(written)
    exact = precision(written)
    if exact == "year":
        return start.replace(year=start.year + 1)
    if exact == "month":
        return (start + timedelta(days=31)).replace(day=1)
    days = {"week": 7, "day": 1, "instant": 0}[exact]
    return start + timedelta(days=days)


def manifest() -> Manifest:
    """`manifest.json`."""
    read: Manifest = json.loads((DATA / "manifest.json").read_text(encoding="utf-8"))
    return read


def rows(name: str) -> list[dict[str, str]]:
    """The lines of `assertions` as written."""
    text = (DATA / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def entries() -> list[Entry]:
    """`assertions.jsonl`, in the order of the file."""
    return [_entry(row) for row in rows("assertions")]


def questions() -> list[Question]:
    """`questions.jsonl`."""
    text = (DATA / "questions.jsonl").read_text(encoding="utf-8")
    return [Question(**json.loads(line)) for line in text.splitlines()]


def _entry(row: dict[str, str]) -> Entry:
    recorded = first_instant(row["recorded"])
    if "retract" in row:
        return Retracted(row["id"], recorded, row["retract"])
    return Told(
        id=row["id"],
        recorded=recorded,
        subject=row["subject"],
        predicate=row["predicate"],
        object=row["object"],
        start=first_instant(row["valid_from"]) if row["valid_from"] else BEGINNING,
        end=end_instant(row["valid_to"]) if "valid_to" in row else NEVER,
        source=row["source"],
        scope=row.get("private_to", SHARED),
        confidence=manifest()["confidence_initial"],
    )
