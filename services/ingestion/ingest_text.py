"""Taking in a text: notes or a document become a session whose events are its paragraphs.

The session is named after its agent and its text, so that the same text again is the same
session. Paragraphs are kept whole as far as they fit an event; lines that are short and stand
alone (headings) go with the paragraph that follows them.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from libs.errors import invalid_field
from services.ingestion.fingerprints import SESSION_ID_DIGITS
from services.ingestion.ledger import Append, Appended, Caller, LedgerEvent, Visibility
from services.ingestion.model import Role
from services.ingestion.ports import Ledger

EVENT_CHARS_MAX = 2000
EVENTS_IN_A_WRITE_MAX = 256
HEADING_CHARS_MAX = 80
SENTENCE_CHARS_MAX = 100_000
"""A longer one is parted anywhere: an event takes 1 MiB."""

_PARAGRAPH_END = re.compile(r"\n[ \t\r]*\n")
# A dot inside a word ends nothing: an address or a key stays whole, or it would not be known.
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text, who read it, and when it was written."""

    namespace: str
    text: str
    agent_id: str = ""
    user_id: str = ""
    label: str = ""
    event_time: datetime | None = None
    server_time: bool = False
    visibility: Visibility = Visibility.SHARED
    project: str = ""

    @property
    def writer(self) -> Caller:
        """Who reads it to us, and so may ask about it."""
        return Caller(self.agent_id, self.user_id)

    @property
    def session_id(self) -> str:
        """SHA-256 over agent and text, first 32 hex digits; a user's private text has its own."""
        owner = self.user_id if self.visibility is Visibility.PRIVATE_TO_USER else ""
        named = f"{self.agent_id}\x00text\x00{owner and owner + chr(0)}{self.text}"
        return hashlib.sha256(named.encode()).hexdigest()[:SESSION_ID_DIGITS]


@dataclass(frozen=True, slots=True)
class IngestedText:
    """Where a text went."""

    session_id: str
    appended: int
    unchanged: int
    revision: str


async def ingest_text(text: Text, ledger: Ledger) -> IngestedText:
    """Store a text as a session and end it.

    Raises:
        InvalidArgument: it has no time, or says nothing.
    """
    if text.event_time is None and not text.server_time:
        raise invalid_field("event_time", "is required; or set use_server_time if it is now")
    pieces = list(paragraphs(text.text))
    if not pieces:
        raise invalid_field("text", "says nothing")
    writes = [await ledger.append(write) for write in _writes(text, pieces)]
    return IngestedText(
        text.session_id,
        sum(write.appended for write in writes),
        sum(write.unchanged for write in writes),
        _last(writes).revision,
    )


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a text, each of at most 2,000 characters unless one sentence is longer."""
    heading = ""
    blocks = map(str.strip, _PARAGRAPH_END.split(text.replace("\r\n", "\n")))
    for block in filter(None, blocks):
        if _is_heading(block):
            heading = f"{heading}\n{block}".strip()
            continue
        yield from _parts(f"{heading}\n{block}".strip())
        heading = ""
    if heading:
        yield heading


def _is_heading(block: str) -> bool:
    return (
        "\n" not in block and len(block) <= HEADING_CHARS_MAX and block[-1] not in ".!?。！？…:："
    )


def _parts(paragraph: str) -> Iterator[str]:
    """Whole sentences, as many as fit."""
    held = ""
    for sentence in _sentences(paragraph):
        if held and len(held) + len(sentence) > EVENT_CHARS_MAX:
            yield held.strip()
            held = ""
        held += sentence
    if held.strip():
        yield held.strip()


def _sentences(paragraph: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE_END.finditer(paragraph):
        yield from _short(paragraph[start : end.end()])
        start = end.end()
    yield from _short(paragraph[start:])


def _short(sentence: str) -> Iterator[str]:
    for start in range(0, len(sentence), SENTENCE_CHARS_MAX):
        yield sentence[start : start + SENTENCE_CHARS_MAX]


def _writes(text: Text, pieces: list[str]) -> Iterator[Append]:
    """Batches of events; the last one ends the session."""
    for start in range(0, len(pieces), EVENTS_IN_A_WRITE_MAX):
        batch = pieces[start : start + EVENTS_IN_A_WRITE_MAX]
        yield Append(
            namespace=text.namespace,
            session_id=text.session_id,
            events=[
                LedgerEvent(
                    role=Role.FILE, content=piece, index=start + place, event_time=text.event_time
                )
                for place, piece in enumerate(batch)
            ],
            agent_id=text.agent_id,
            user_id=text.user_id,
            label=text.label,
            visibility=text.visibility,
            project=text.project,
            server_time=text.server_time,
            end_session=start + EVENTS_IN_A_WRITE_MAX >= len(pieces),
        )


def _last(writes: list[Appended]) -> Appended:
    return writes[-1]
