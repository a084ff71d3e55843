"""Ingest a text: notes or a document become a session whose events are its passages.

The session id is made of the agent and the text, so that the same text again is the same session.
A session that has ended holds the whole text. It is left as it is: also if a later version would
split the text differently, or if its ledger has expired.
"""

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from anamnesis_ingestion.intake.fingerprints import SESSION_ID_DIGITS
from anamnesis_ingestion.intake.texts.passages import Passage, passages_of
from anamnesis_ingestion.ledger import (
    Append,
    Caller,
    LedgerEvent,
    Session,
    SessionState,
    Visibility,
)
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.ports import Ledger
from anamnesis_libs.errors import NotFound, invalid_field

EVENTS_IN_A_WRITE_MAX = 256


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
    visibility: Visibility | None = None
    project: str = ""
    utc_offset_minutes: int | None = None

    @property
    def writer(self) -> Caller:
        """The caller who sends the text, and so may ask about it."""
        return Caller(self.agent_id, self.user_id)

    @property
    def session_id(self) -> str:
        """SHA-256 over agent, user and text, first 32 hex digits; who shares a text counts not."""
        owner = "" if self.visibility is Visibility.SHARED else self.user_id
        named = f"{self.agent_id}\x00text\x00{owner and owner + chr(0)}{self.text}"
        return hashlib.sha256(named.encode()).hexdigest()[:SESSION_ID_DIGITS]


@dataclass(frozen=True, slots=True)
class IngestedText:
    """The result of ingesting a text: its session and what was appended to it."""

    session_id: str
    appended: int
    unchanged: int
    revision: str
    visibility: Visibility | None
    user_id: str


async def ingest_text(text: Text, ledger: Ledger) -> IngestedText:
    """Store a text as a session and end it.

    Raises:
        InvalidArgument: it has no time, or says nothing.
    """
    if text.event_time is None and not text.server_time:
        raise invalid_field("event_time", "is required; or set use_server_time if it is now")
    if (stored := await _stored(text, ledger)) is not None:
        return IngestedText(
            text.session_id,
            0,
            stored.event_count,
            stored.revision,
            stored.visibility,
            stored.user_id,
        )
    passages = await asyncio.to_thread(lambda: list(passages_of(text.text, text.label)))
    if not passages:
        raise invalid_field("text", "says nothing")
    writes = [await ledger.append(write) for write in _writes(text, passages)]
    return IngestedText(
        text.session_id,
        sum(write.appended + write.replaced for write in writes),
        sum(write.unchanged for write in writes),
        writes[-1].revision,
        writes[-1].session.visibility,
        writes[-1].session.user_id,
    )


async def _stored(text: Text, ledger: Ledger) -> Session | None:
    """Return the session of a text that was ingested completely before; None if there is none."""
    try:
        session = await ledger.session(text.namespace, text.session_id, text.writer)
    except NotFound:
        return None
    return session if session.state is SessionState.ENDED else None


def _writes(text: Text, passages: Sequence[Passage]) -> Iterator[Append]:
    """Batches of events; the last one ends the session."""
    for start in range(0, len(passages), EVENTS_IN_A_WRITE_MAX):
        batch = passages[start : start + EVENTS_IN_A_WRITE_MAX]
        yield Append(
            namespace=text.namespace,
            session_id=text.session_id,
            events=[
                LedgerEvent(
                    role=Role.FILE,
                    content=passage.content,
                    index=index,
                    name=passage.name,
                    event_time=text.event_time,
                    utc_offset_minutes=text.utc_offset_minutes,
                )
                for index, passage in enumerate(batch, start)
            ],
            agent_id=text.agent_id,
            user_id=text.user_id,
            label=text.label,
            visibility=text.visibility,
            project=text.project,
            server_time=text.server_time,
            end_session=start + EVENTS_IN_A_WRITE_MAX >= len(passages),
        )
