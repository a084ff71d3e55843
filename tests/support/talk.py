"""Conversations for tests, in one line each."""

import json
from datetime import UTC, datetime

from anamnesis_ingestion.learning.knowledge import ExtractionInput
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, ToolCall

SAID_AT = datetime(2024, 3, 12, 10, tzinfo=UTC)


def said(
    *contents: str, role: Role = Role.USER, name: str = "", at: datetime | None = SAID_AT
) -> ExtractionInput:
    """One event a text, all of one speaker."""
    events = [
        LedgerEvent(role=role, content=content, index=index, name=name, event_time=at)
        for index, content in enumerate(contents)
    ]
    return ExtractionInput(events=events, lessons=True)


def task(*turns: tuple[str, str]) -> ExtractionInput:
    """Events from (role, content); ("call", "tool {json}") is answered by the next."""
    events: list[LedgerEvent] = []
    for index, (role, content) in enumerate(turns):
        if role == "call":
            tool, _, arguments = content.partition(" ")
            json.loads(arguments)
            call = ToolCall(f"c{index}", tool, arguments)
            event = LedgerEvent(
                role=Role.ASSISTANT, content="", index=index, tool_calls=(call,), event_time=SAID_AT
            )
        else:
            answers = f"c{index - 1}" if role == "tool" else ""
            event = LedgerEvent(
                role=Role(role),
                content=content,
                index=index,
                tool_call_id=answers,
                event_time=SAID_AT,
            )
        events.append(event)
    return ExtractionInput(events=events, lessons=True)
