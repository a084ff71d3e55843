"""Slack's export: a folder a channel, in it a file a day, in it a list of messages.

    [{"type": "message", "user": "U1", "text": "Hi <@U2>", "ts": "1700000000.0001",
      "user_profile": {"real_name": "Mara"}}]

Rules of this file:
- All people speak as `user`, each under a name: the profile's that the message carries, else what
  the sender of the file says of the id (`users.json`), else the id.
- What apps post, and what Slack itself tells (who joined, a new topic), has the system's role.
- Mentions, links and escapes in the text become what a reader sees.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from anamnesis_ingestion.intake.files.rows import Row, head_of, object_field, objects_in, text_field
from anamnesis_ingestion.intake.files.shapes_anthropic import read_anthropic
from anamnesis_ingestion.intake.files.times import event_time_of
from anamnesis_ingestion.intake.outcomes import METADATA, LineOutcome
from anamnesis_ingestion.model import Role

_SPOKEN = frozenset({"", "thread_broadcast", "me_message", "file_share", "file_comment"})
_GONE = frozenset({"tombstone", "message_deleted"})
_MARKED = re.compile(r"<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>")
_ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def is_slack(row: Row) -> bool:
    """True if the row is a message of an export."""
    return row.get("type") == "message" and isinstance(row.get("ts"), str) and "role" not in row


class SlackMessages:
    """Reads messages; knows the names of people whose ids are in them."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def read(self, row: Row, line: int) -> LineOutcome:
        """Return the event of one message; `line` is its place in the file, from 1."""
        subtype = text_field(row, "subtype")
        if subtype in _GONE:
            return METADATA
        by_app = bool(text_field(row, "bot_id")) or subtype == "bot_message"
        spoken = subtype in _SPOKEN and not by_app
        head = replace(
            head_of(row, Role.USER if spoken else Role.SYSTEM, line),
            name=self._speaker(row),
            event_time=event_time_of({"time": row["ts"]}),
            source_id=text_field(row, "client_msg_id"),
        )
        text = self._read_aloud(text_field(row, "text"))
        return LineOutcome(read_anthropic({"content": [text, *_files(row)]}, head))

    def _speaker(self, row: Row) -> str:
        profile = object_field(row, "user_profile") or object_field(row, "bot_profile") or {}
        user_id = text_field(row, "user")
        told = text_field(profile, "real_name", "display_name", "name")
        return told or self._names.get(user_id, "") or text_field(row, "username") or user_id

    def _read_aloud(self, text: str) -> str:
        text = _MARKED.sub(self._seen, text)
        for written, meant in _ESCAPES:
            text = text.replace(written, meant)
        return text

    def _seen(self, mark: re.Match[str]) -> str:
        kind, target, label = mark[1], mark[2], mark[3] or ""
        if kind == "@":
            return f"@{label or self._names.get(target, target)}"
        if kind:
            return f"{kind.replace('!', '@')}{label or target}"
        target = target.removeprefix("mailto:")
        return f"{label} ({target})" if label and label != target else target


def _files(row: Row) -> list[Row]:
    files = objects_in(row, "files")
    return [{"type": "document", "title": text_field(each, "name", "title")} for each in files]
