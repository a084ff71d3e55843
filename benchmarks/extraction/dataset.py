"""The labelled exchanges of `tests/data/extraction`, as an extractor is given them."""

import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from anamnesis_ingestion.learning.knowledge import ExtractionInput
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, ToolCall

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "extraction"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactLabel:
    """A fact that somebody who reads the exchange would keep."""

    kind: str
    subject: str
    object_contains: str
    event: int
    kind_also: tuple[str, ...] = ()
    alias: tuple[str, ...] = ()
    subject_also: tuple[str, ...] = ()
    negated: bool = False
    optional: bool = False
    date: str = ""
    precision: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanLabel:
    """A lesson (with a category) or a procedure (with a least number of steps)."""

    first: int
    last: int
    contains: str
    category: str = ""
    steps_min: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One record: what was said, and what is to be kept of it."""

    id: str
    language: str
    events: tuple[LedgerEvent, ...]
    facts: tuple[FactLabel, ...] = ()
    lessons: tuple[SpanLabel, ...] = ()
    procedures: tuple[SpanLabel, ...] = field(default=())

    def lecture(self) -> ExtractionInput:
        """The exchange as one task that went well."""
        return ExtractionInput(events=self.events, lessons=True)


def read_exchanges(path: Path) -> list[Exchange]:
    """The records of a file, in order."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_exchange(json.loads(line)) for line in lines if line.strip()]


def _exchange(record: dict[str, list[dict[str, object]]]) -> Exchange:
    return Exchange(
        id=str(record["id"]),
        language=str(record["language"]),
        events=tuple(_event(at, event) for at, event in enumerate(record["events"])),
        facts=tuple(FactLabel(**_tuples(fact)) for fact in record["facts"]),  # type: ignore[arg-type]
        lessons=tuple(_span(each) for each in record["lessons"]),
        procedures=tuple(_span(each) for each in record["procedures"]),
    )


def _tuples(fact: dict[str, object]) -> dict[str, object]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in fact.items()}


def _span(label: dict[str, object]) -> SpanLabel:
    span = label["event_span"]
    assert isinstance(span, list)
    return SpanLabel(
        first=int(span[0]),
        last=int(span[1]),
        contains=str(label["contains"]),
        category=str(label.get("category", "")),
        steps_min=int(str(label.get("steps_min", 0))),
    )


def _event(index: int, event: dict[str, object]) -> LedgerEvent:
    calls = event.get("tool_calls") or []
    time = event.get("event_time")
    return LedgerEvent(
        role=Role(str(event["role"])),
        content=str(event["content"]),
        index=index,
        name=str(event.get("name", "")),
        event_time=datetime.fromisoformat(str(time)) if time else None,
        tool_calls=tuple(_call(call) for call in calls),  # type: ignore[attr-defined]
        tool_call_id=str(event.get("tool_call_id", "")),
    )


def _call(call: dict[str, dict[str, str]]) -> ToolCall:
    function = call["function"]
    return ToolCall(str(call["id"]), function["name"], function["arguments"])
