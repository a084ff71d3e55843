"""Transcripts of Cursor's agent: a role, and a message in Anthropic's blocks within.

    {"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>..."}]}}
    {"type": "turn_ended", "status": "success"}

Rules of this file:
- A person's words stand in `<user_query>`; what stands around them, the tool put there.
- Lines have no time, and what tools answered is not written.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from anamnesis_ingestion.intake.files.rows import Row, head_of, object_field, role_of
from anamnesis_ingestion.intake.files.shapes_anthropic import read_anthropic
from anamnesis_ingestion.intake.outcomes import UNKNOWN_ROLE, LineOutcome
from anamnesis_ingestion.model import Role, SourceEvent

_QUERY = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)


def is_cursor(row: Row) -> bool:
    """True if the row has a role, and its content in a message."""
    return "role" in row and "content" not in row and isinstance(row.get("message"), Mapping)


class CursorLines:
    """Reads lines; the end of a turn is no line of theirs and is read as metadata elsewhere."""

    def read(self, row: Row, line: int) -> LineOutcome:
        """Return the events of one line; `line` counts from 1."""
        role = role_of(row)
        if role is None:
            return UNKNOWN_ROLE
        said = read_anthropic(object_field(row, "message") or {}, head_of(row, role, line))
        return LineOutcome(tuple(map(_typed, said)))


def _typed(event: SourceEvent) -> SourceEvent:
    """A user's event with what the person typed alone, where that is marked."""
    typed = _QUERY.findall(event.content) if event.role is Role.USER else []
    return replace(event, content="\n".join(one.strip() for one in typed)) if typed else event
