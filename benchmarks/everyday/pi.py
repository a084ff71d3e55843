"""Session files of the coding agent pi, written as `anamnesis ingest` reads messages.

Each message of pi's is wrapped in a row of its own, beside rows that say how the session went on,
and tool calls are blocks of their own kind. The suite does not read that yet; every message is
unwrapped here, nothing is left out of it, and rows without a message are dropped.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NotRequired, TypedDict

Json = Mapping[str, object]


class _Block(TypedDict):
    type: str
    text: NotRequired[str]
    thinking: NotRequired[str]
    id: NotRequired[str]
    name: NotRequired[str]
    arguments: NotRequired[object]


class _Message(TypedDict):
    role: Literal["user", "assistant", "toolResult"]
    content: Sequence[_Block]
    toolCallId: NotRequired[str]


class _Row(TypedDict):
    type: str
    id: NotRequired[str]
    timestamp: str
    message: NotRequired[_Message]


def session_of(path: Path) -> str:
    """The id of the session in a file of pi's; empty where the file is another's."""
    with path.open(encoding="utf-8") as file:
        line = file.readline()
    try:
        row: _Row = json.loads(line)
    except ValueError:
        return ""
    return row.get("id", "") if row.get("type") == "session" else ""


def unwrapped(path: Path) -> str:
    """The messages of a file of pi's, a line each, in OpenAI's shape."""
    with path.open(encoding="utf-8") as file:
        rows: list[_Row] = [json.loads(line) for line in file]
    return "".join(f"{json.dumps(message, ensure_ascii=False)}\n" for message in _messages(rows))


def _messages(rows: Sequence[_Row]) -> Iterator[Json]:
    for row in rows:
        if message := row.get("message"):
            yield {"timestamp": row["timestamp"], **_message(message)}


def _message(message: _Message) -> Json:
    blocks = message["content"]
    text = "\n".join(block["text"] for block in blocks if "text" in block)
    if message["role"] == "toolResult":
        return {"role": "tool", "tool_call_id": message.get("toolCallId", ""), "content": text}
    thought = "\n".join(block["thinking"] for block in blocks if "thinking" in block)
    calls = [_call(block) for block in blocks if block["type"] == "toolCall"]
    extras = {"reasoning_content": thought, "tool_calls": calls}
    return {
        "role": message["role"],
        "content": text,
        **{name: value for name, value in extras.items() if value},
    }


def _call(block: _Block) -> Json:
    arguments = json.dumps(block.get("arguments", {}), ensure_ascii=False)
    return {
        "id": block.get("id", ""),
        "type": "function",
        "function": {"name": block.get("name", ""), "arguments": arguments},
    }
