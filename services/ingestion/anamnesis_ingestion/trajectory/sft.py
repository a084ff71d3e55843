"""Rows for fine-tuning: a segment's events as messages that any chat template can take.

Messages have OpenAI's shape. Tool calls stay as they were given, with their ids; or, as an option,
calls and answers become text, for templates that know no tools. Events that carry nothing are left
out, but not a tool's empty answer to a call: each call keeps its answer, and an answer without an
id gets that of the oldest call still open. A file that was handed over is a message of the user.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, ToolCall
from anamnesis_libs.models.chat import Json

Message = dict[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class SftOptions:
    """The format of a row."""

    tools_as_text: bool = False
    """Calls and answers become text of the assistant and of the user."""
    reasoning: bool = False
    """Messages of the assistant have their reasoning in `reasoning_content`."""


@dataclass(frozen=True, slots=True)
class SftRow:
    """One segment, ready to be written as a line of JSON."""

    messages: tuple[Message, ...]
    topic: str

    def as_json(self) -> str:
        """Return the row as one line."""
        row: Message = {"messages": list(self.messages), "topic": self.topic}
        return json.dumps(row, ensure_ascii=False)


def sft_row(events: Sequence[LedgerEvent], topic: str, options: SftOptions | None = None) -> SftRow:
    """Return the row of one segment, given by its events in order."""
    chosen = options or SftOptions()
    aligned = list(_aligned(events))
    if chosen.tools_as_text:
        return SftRow(tuple(_as_text(aligned, chosen)), topic)
    return SftRow(tuple(_message(event, call_id, chosen) for event, call_id in aligned), topic)


def _aligned(events: Sequence[LedgerEvent]) -> Iterator[tuple[LedgerEvent, str]]:
    """The events that carry something, each tool answer with the id of its call."""
    open_calls: list[str] = []
    for event in events:
        if event.role is Role.TOOL:
            call_id = event.tool_call_id or (open_calls[0] if open_calls else "")
            answers = call_id in open_calls
            if answers:
                open_calls.remove(call_id)
            if answers or event.content:
                yield event, call_id
        elif event.content or event.tool_calls or event.reasoning:
            open_calls += [call.call_id for call in event.tool_calls]
            yield event, ""


def _message(event: LedgerEvent, call_id: str, options: SftOptions) -> Message:
    message: Message = {"role": _role(event.role), "content": event.content}
    if event.name and event.role is not Role.FILE:
        message["name"] = event.name
    if event.tool_calls:
        message["tool_calls"] = [_tool_call(call) for call in event.tool_calls]
    if event.role is Role.TOOL:
        message["tool_call_id"] = call_id
    return message | _reasoning(event, options)


def _as_text(aligned: Sequence[tuple[LedgerEvent, str]], options: SftOptions) -> Iterator[Message]:
    """Messages without tools; answers that follow each other are one message of the user."""
    answers: list[str] = []
    for event, _ in aligned:
        if event.role is Role.TOOL:
            answers.append(_answer_text(event))
            continue
        yield from _joined(answers)
        answers = []
        calls = [_call_text(call) for call in event.tool_calls]
        text = "\n".join(part for part in (event.content, *calls) if part)
        message: Message = {"role": _role(event.role), "content": text}
        yield message | _reasoning(event, options)
    yield from _joined(answers)


def _joined(answers: Sequence[str]) -> Iterator[Message]:
    if answers:
        yield {"role": Role.USER.value, "content": "\n".join(answers)}


def _reasoning(event: LedgerEvent, options: SftOptions) -> Message:
    wanted = options.reasoning and event.role is Role.ASSISTANT and event.reasoning
    return {"reasoning_content": event.reasoning} if wanted else {}


def _tool_call(call: ToolCall) -> Message:
    function: Message = {"name": call.name, "arguments": call.arguments}
    return {"id": call.call_id, "type": "function", "function": function}


def _call_text(call: ToolCall) -> str:
    name = json.dumps(call.name, ensure_ascii=False)
    return f'<tool_call>\n{{"name": {name}, "arguments": {call.arguments or "{}"}}}\n</tool_call>'


def _answer_text(event: LedgerEvent) -> str:
    return f"<tool_response>\n{event.content}\n</tool_response>"


def _role(role: Role) -> str:
    return Role.USER.value if role is Role.FILE else role.value
