"""Events of a session in a line each, for tests of what is made of them.

    conversation("user: hi", "assistant: hello", "call: bash ls", "tool: a.txt")

Indices count from 0. `call: name arguments` is an assistant that calls a tool, and the next
`tool:` answers it.
"""

from datetime import datetime

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, ToolCall


def conversation(*lines: str, time: datetime | None = None) -> tuple[LedgerEvent, ...]:
    """Events from `role: content` lines."""
    events: list[LedgerEvent] = []
    open_call = ""
    for index, line in enumerate(lines):
        role, _, content = line.partition(":")
        event = _event(index, role, content.strip(), open_call, time)
        open_call = event.tool_calls[0].call_id if event.tool_calls else open_call
        events.append(event)
    return tuple(events)


def _event(
    index: int, role: str, content: str, open_call: str, time: datetime | None
) -> LedgerEvent:
    if role == "call":
        name, _, arguments = content.partition(" ")
        calls = (ToolCall(f"c{index}", name, arguments),)
        return LedgerEvent(
            role=Role.ASSISTANT, content="", index=index, tool_calls=calls, event_time=time
        )
    call_id = open_call if role == "tool" else ""
    return LedgerEvent(
        role=Role(role), content=content, index=index, tool_call_id=call_id, event_time=time
    )
