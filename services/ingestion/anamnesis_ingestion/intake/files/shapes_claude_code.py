"""Claude Code session lines: an envelope (type, uuid, sessionId, timestamp) around a message.

Rules of this file:
- `user`, `assistant` and `system` lines are turns. An assistant message that Claude Code spreads
  over several lines, one block each, stays several events: each line has an id and a time.
- A prompt typed while the agent was busy is no `user` line but an `attachment`, in older files
  a `queue-operation`; it is a turn (`queued_prompts.py`).
- What the tool itself slipped in under the user's name (`isMeta`, notices of background tasks and
  of interruptions) has the system's role; so has what an agent asks its subagent.
- A compaction summary is left out and counted: it retells turns that are in the ledger already, in
  a model's words, and would be learned twice and as if somebody had said it. Newer files flag it;
  in older ones it is a `summary` line, or a user line that begins with words of the tool's own.
  Where an agent of its own writes the summary (`acompact-...`), all that it says and is told goes.
- A file may go on with another session. Where that begins with an answer to a line that is not in
  the file, it is a fragment whose place in its session is not known: it is kept apart, as
  `<first session>.<its session>`, and takes no other event's place.
- A sidechain (a subagent's conversation) is a session of its own: `<session>.<agent>`, where the
  agent is its id or, in older files, the uuid of the line that opened the chain.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from anamnesis_ingestion.intake.files.queued_prompts import QueuedPrompts
from anamnesis_ingestion.intake.files.rows import Row, head_of, object_field, role_of, text_field
from anamnesis_ingestion.intake.files.shapes_anthropic import read_anthropic
from anamnesis_ingestion.intake.files.shapes_openai import read_openai
from anamnesis_ingestion.intake.outcomes import (
    COMPACTION,
    METADATA,
    UNKNOWN_ROLE,
    LineOutcome,
    malformed,
)
from anamnesis_ingestion.model import Role, SourceEvent

CHAIN_LINES_MAX = 4096
SESSIONS_MAX = 4096
_SUMMARISER = "acompact"
_OF_THE_TOOL = ("[Request interrupted by user", "<task-notification>")
_RETELLS = "This session is being continued from a previous conversation that ran out of context"

_Home: TypeAlias = tuple[str | None, str | None]
"""A session, and the one that it is a part of."""


def is_envelope(row: Row) -> bool:
    """True if the row is an envelope: it has a type and no role of its own."""
    return "role" not in row and isinstance(row.get("type"), str)


class ClaudeCodeLines:
    """Reads envelopes; remembers recent lines, their sidechains, and the sessions of the file."""

    def __init__(self) -> None:
        self._chains: OrderedDict[str, str] = OrderedDict()
        self._recent: OrderedDict[str, None] = OrderedDict()
        self._homes: dict[str, _Home] = {}
        self._queued = QueuedPrompts()

    def read(self, row: Row, line: int) -> LineOutcome:
        """Return what one envelope comes to; `line` counts from 1."""
        session_id, parent_id = self._sessions_of(row)
        self._remember(text_field(row, "uuid"))
        head = replace(
            head_of(row, Role.USER, line), session_id=session_id, parent_session_id=parent_id
        )
        if text_field(row, "agentId").startswith(_SUMMARISER):
            return COMPACTION
        return self._line(row, head)

    def _line(self, row: Row, head: SourceEvent) -> LineOutcome:
        match row["type"]:
            case "user" | "assistant":
                return METADATA if self._was_told(row, row.get("message")) else _turn(row, head)
            case "system":
                return _system(row, head)
            case "attachment":
                told = self._was_told(row, row.get("attachment"))
                return METADATA if told else _queued_prompt(row, head)
            case "queue-operation":
                prompt = self._queued.handed_over(row)
                return _said({"content": prompt}, head) if prompt else METADATA
            case "summary":
                return COMPACTION
        return METADATA

    def _was_told(self, row: Row, said: object) -> bool:
        """True if a line repeats a prompt that was told when it was queued for the agent."""
        if row["type"] == "assistant" or not isinstance(said, Mapping):
            return False
        text = _opening(said.get("prompt", said.get("content")))
        return self._queued.was_told(text_field(row, "sessionId"), text)

    def _sessions_of(self, row: Row) -> _Home:
        session_id, parent_id = self._home_of(row, text_field(row, "sessionId"))
        if row.get("isSidechain") is not True:
            return session_id, parent_id
        chain = text_field(row, "agentId") or self._chain_of(row)
        return (f"{session_id}.{chain}" if session_id else chain), session_id

    def _home_of(self, row: Row, session_id: str) -> _Home:
        """Return the session that lines of `session_id` go to in this file, and its parent."""
        if not session_id:
            return None, None
        home = self._homes.get(session_id, (session_id, None))
        if session_id not in self._homes and len(self._homes) < SESSIONS_MAX:
            first = next(iter(self._homes), None)
            answered = text_field(row, "parentUuid")
            if first and answered and answered not in self._recent:
                home = f"{first}.{session_id}", first
            self._homes[session_id] = home
        return home

    def _remember(self, uuid: str) -> None:
        self._recent[uuid] = None
        if len(self._recent) > CHAIN_LINES_MAX:
            self._recent.popitem(last=False)

    def _chain_of(self, row: Row) -> str:
        """Return the uuid of the line that opened this line's chain, following its parents."""
        uuid, parent = text_field(row, "uuid"), text_field(row, "parentUuid")
        if not uuid:
            return self._chains.get(parent, "sidechain")
        chain = self._chains[uuid] = self._chains.get(parent, uuid)
        if len(self._chains) > CHAIN_LINES_MAX:
            self._chains.popitem(last=False)
        return chain


def _turn(row: Row, head: SourceEvent) -> LineOutcome:
    if row.get("isCompactSummary") is True:
        return COMPACTION
    message = object_field(row, "message")
    if message is None:
        return malformed("no message object")
    role = role_of(message) if "role" in message else role_of({"role": row["type"]})
    if role is None:
        return UNKNOWN_ROLE
    if role is Role.USER and _opening(message.get("content")).startswith(_RETELLS):
        return COMPACTION
    slipped_in = role is Role.USER and not _is_typed(row, message)
    return _said(message, replace(head, role=Role.SYSTEM if slipped_in else role))


def _is_typed(row: Row, message: Row) -> bool:
    """True if a person typed a line of the user's role."""
    if row.get("isMeta") is True or row.get("isSidechain") is True:
        return False
    return not _opening(message.get("content")).startswith(_OF_THE_TOOL)


def _opening(content: object) -> str:
    """Return the text that a message begins with; "" where it begins with something else."""
    first = content[0] if isinstance(content, list) and content else content
    if isinstance(first, Mapping):
        first = first.get("text")
    return first.lstrip() if isinstance(first, str) else ""


def _system(row: Row, head: SourceEvent) -> LineOutcome:
    # A boundary marks where a compaction happened; nobody said it.
    if row.get("subtype") == "compact_boundary" or not text_field(row, "content"):
        return METADATA
    return _said({"content": row["content"]}, replace(head, role=Role.SYSTEM))


def _queued_prompt(row: Row, head: SourceEvent) -> LineOutcome:
    attachment = object_field(row, "attachment") or {}
    origin = object_field(attachment, "origin") or {"kind": "human"}
    typed = (attachment.get("type"), attachment.get("commandMode"), origin.get("kind"))
    if typed != ("queued_command", "prompt", "human") or attachment.get("isMeta") is True:
        return METADATA
    return _said({"content": attachment.get("prompt")}, head)


def _said(message: Row, head: SourceEvent) -> LineOutcome:
    head = replace(head, name=text_field(message, "name"))
    blocks = isinstance(message.get("content"), list)
    return LineOutcome((read_anthropic if blocks else read_openai)(message, head))
