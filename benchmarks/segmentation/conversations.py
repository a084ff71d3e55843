"""The conversations with their task boundaries, as events of the ledger."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NotRequired, TypedDict

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, ToolCall

FILE = Path(__file__).parents[2] / "tests" / "data" / "segmentation" / "conversations.jsonl"


class _Function(TypedDict):
    name: str
    arguments: str


class _Call(TypedDict):
    id: str
    function: _Function


class _Row(TypedDict):
    role: str
    content: str
    event_time: str
    tool_calls: NotRequired[list[_Call]]
    tool_call_id: NotRequired[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Events, and the positions at which tasks start; the first is 0."""

    conversation_id: str
    language: str
    events: tuple[LedgerEvent, ...]
    starts: tuple[int, ...]
    tuned_on: bool
    """The weights were fitted on it; the others were only measured."""


def read(path: Path = FILE) -> tuple[Conversation, ...]:
    """Read the set; every second conversation, from the first on, was tuned on."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(_conversation(line, tuned_on=at % 2 == 0) for at, line in enumerate(lines))


def _conversation(line: str, *, tuned_on: bool) -> Conversation:
    row = json.loads(line)
    events = tuple(_event(index, each) for index, each in enumerate(row["events"]))
    return Conversation(row["id"], row["language"], events, tuple(row["starts"]), tuned_on)


def _event(index: int, row: _Row) -> LedgerEvent:
    calls = tuple(
        ToolCall(call["id"], call["function"]["name"], call["function"]["arguments"])
        for call in row.get("tool_calls", [])
    )
    return LedgerEvent(
        role=Role(row["role"]),
        content=row["content"],
        index=index,
        event_time=datetime.fromisoformat(row["event_time"]),
        tool_calls=calls,
        tool_call_id=row.get("tool_call_id", ""),
    )
