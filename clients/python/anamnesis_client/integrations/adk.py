"""Google ADK: a memory service, for `Runner(memory_service=...)`.

An application is a namespace, a user of it a user there: neither sees another's memories. Of
sessions what was said is kept, by users and agents; calls of tools and their answers are not, since
among these are the memories that were recalled. A session that is added again changes nothing.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai.types import Content, Part

from anamnesis_client.aio import AsyncAnamnesis
from anamnesis_client.answers import Memory
from anamnesis_client.integrations.conversations import session_of
from anamnesis_client.integrations.going_on import going_on

_NAMESPACE = re.compile(r"[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?")
_USER = "user"
_DELTAS = "deltas"


class AnamnesisMemoryService(BaseMemoryService):
    """The memories of applications, users and sessions of ADK."""

    def __init__(self, memory: AsyncAnamnesis, *, budget: int = 1000) -> None:
        """Takes its connection from a client.

        Args:
            memory: the client; its namespace and user are those of ADK at each call.
            budget: tokens that the memories of one search may have.
        """
        self._memory = memory
        self._budget = budget

    async def add_session_to_memory(self, session: Session) -> None:
        """Remembers what was said in a session, as far as it is not remembered yet."""
        memory = self._of(session.app_name, session.user_id, session.id)
        with going_on("add_session_to_memory"):
            await memory.add(_messages(session.events), first=0)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Remembers what was said in events; the same events again, within a day, change nothing.

        They are a session of their own beside the one that `add_session_to_memory` keeps.
        """
        memory = self._of(app_name, user_id, f"{session_id or ''}/{_DELTAS}")
        named = _digest(event.id for event in events)
        with going_on("add_events_to_memory"):
            await memory.add(_messages(events), request_id=named)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keeps each memory as a note of the user's."""
        memory = self._of(app_name, user_id, "")
        with going_on("add_memory"):
            for entry in memories:
                await memory.note(_text(entry.content), time=entry.timestamp)

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """The memories that concern a query; none where nothing does."""
        memory = self._of(app_name, user_id, "")
        entries: list[MemoryEntry] = []
        with going_on("search_memory"):
            context = await memory.context(query, budget=self._budget)
            found = await memory.get(citation.memory_id for citation in context.citations)
            entries = [_entry(each) for each in found]
        return SearchMemoryResponse(memories=entries)

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Deletes a memory for good; raises where it cannot, so that it does not seem deleted."""
        if memory_id is not None:
            await self._of(app_name, user_id, "").forget(memory_id, dry_run=False)

    def _of(self, app_name: str, user_id: str, session_id: str) -> AsyncAnamnesis:
        return self._memory.on_behalf(
            namespace=namespace_of(app_name),
            user=user_id,
            session=session_of(user_id, session_id),
        )


def namespace_of(app_name: str) -> str:
    """The namespace of an application: its name, or where that is none, one that is its alone."""
    if _NAMESPACE.fullmatch(app_name):
        return app_name
    slug = re.sub(r"[^a-z0-9]+", "-", app_name.lower()).strip("-")[:40]
    return f"{slug or 'app'}-{_digest([app_name])[:12]}"


def _digest(names: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(names).encode()).hexdigest()


def _messages(events: Sequence[Event]) -> list[dict[str, object]]:
    """The messages of events that say something."""
    return [
        {
            "role": "user" if event.author == _USER else "assistant",
            "name": "" if event.author == _USER else event.author,
            "content": text,
            "time": event.timestamp,
        }
        for event in events
        if not event.partial and (text := _text(event.content))
    ]


def _text(content: Content | None) -> str:
    """The text of a content, without what a model thought to itself."""
    parts = (content.parts if content else None) or ()
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _entry(memory: Memory) -> MemoryEntry:
    role = "user" if memory.role == "user" else "model"
    return MemoryEntry(
        id=memory.id,
        content=Content(role=role, parts=[Part(text=memory.text)]),
        author=memory.name or memory.role or None,
        timestamp=memory.time.isoformat() if memory.time else None,
        custom_metadata={"kind": memory.kind, "session": memory.session, "pointer": memory.pointer},
    )
