"""Rows that hold a conversation as a list of messages: `{"id": "4711", "messages": [...]}`.

Data sets for training are written so, a conversation a line; some call the list `conversations`.
Each message is read as a line of its own would be. A conversation without an id is named by its
place in the file.
"""

from collections.abc import Callable
from dataclasses import replace

from anamnesis_ingestion.intake.files.rows import Row, objects_in, session_id_of, text_field
from anamnesis_ingestion.intake.outcomes import METADATA, LineOutcome

_LISTS = ("messages", "conversations", "conversation")


def is_message_list(row: Row) -> bool:
    """True if the row has messages and is none itself."""
    return "role" not in row and "type" not in row and bool(_messages(row))


def _messages(row: Row) -> list[Row]:
    return next((found for key in _LISTS if (found := objects_in(row, key))), [])


class MessageLists:
    """Reads rows of messages; `read_message` reads one of them."""

    def __init__(self, read_message: Callable[[Row, int], LineOutcome]) -> None:
        self._read_message = read_message

    def read(self, row: Row, line: int) -> LineOutcome:
        """Return the events of the conversation that stands at `line`, from 1."""
        session_id = session_id_of(row) or text_field(row, "id") or None
        messages = _messages(row)
        outcomes = [self._read_message(each, at) for at, each in enumerate(messages, start=1)]
        events = tuple(
            replace(event, session_id=session_id, parent_session_id=None, conversation=line)
            for outcome in outcomes
            for event in outcome.events
        )
        return LineOutcome(events) if events else METADATA
