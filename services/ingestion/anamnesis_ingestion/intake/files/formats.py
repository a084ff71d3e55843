"""The formats of rows that tell what they are, and which of them a row is of.

Each has a test of a row and a reader; the first whose test holds reads the row. What no test
knows is read as a message in the OpenAI or Anthropic shape (`jsonl.py`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from anamnesis_ingestion.intake.files.message_lists import MessageLists, is_message_list
from anamnesis_ingestion.intake.files.rows import Row
from anamnesis_ingestion.intake.files.shapes_chatgpt import ChatGptConversations, is_chatgpt
from anamnesis_ingestion.intake.files.shapes_claude_ai import ClaudeAiConversations, is_claude_ai
from anamnesis_ingestion.intake.files.shapes_claude_code import ClaudeCodeLines, is_envelope
from anamnesis_ingestion.intake.files.shapes_codex import CodexLines, is_codex
from anamnesis_ingestion.intake.files.shapes_cursor import CursorLines, is_cursor
from anamnesis_ingestion.intake.files.shapes_langchain import LangChainMessages, is_langchain
from anamnesis_ingestion.intake.files.shapes_pi import PiLines, is_pi
from anamnesis_ingestion.intake.files.shapes_sharegpt import ShareGptConversations, is_sharegpt
from anamnesis_ingestion.intake.files.shapes_slack import SlackMessages, is_slack
from anamnesis_ingestion.intake.outcomes import LineOutcome
from anamnesis_ingestion.model import Shape


class RowReader(Protocol):
    """Reads the rows of one format, in the order of their file."""

    def read(self, row: Row, line: int) -> LineOutcome:
        """Return the events of one row; `line` counts from 1."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its test, and its reader for one file."""

    shape: Shape
    holds: Callable[[Row], bool]
    reader: RowReader


def formats_of_a_file(
    names: Mapping[str, str], read_message: Callable[[Row, int], LineOutcome]
) -> tuple[Format, ...]:
    """Return the formats for one file; `names` are those of people, by the ids in the file."""
    return (
        Format(Shape.PI, is_pi, PiLines()),
        Format(Shape.CODEX, is_codex, CodexLines()),
        Format(Shape.CURSOR, is_cursor, CursorLines()),
        Format(Shape.SLACK, is_slack, SlackMessages(names)),
        Format(Shape.LANGCHAIN, is_langchain, LangChainMessages()),
        Format(Shape.CHATGPT, is_chatgpt, ChatGptConversations()),
        Format(Shape.CLAUDE_AI, is_claude_ai, ClaudeAiConversations()),
        Format(Shape.SHAREGPT, is_sharegpt, ShareGptConversations()),
        Format(Shape.AUTO, is_message_list, MessageLists(read_message)),
        Format(Shape.CLAUDE_CODE, is_envelope, ClaudeCodeLines()),
    )
