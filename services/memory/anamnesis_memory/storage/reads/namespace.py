"""Reads of memories, sessions, events and topics, page by page."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from anamnesis_libs.participants import among
from anamnesis_memory.model.expiry import Expiring
from anamnesis_memory.model.memory import Caller, Memory, MemoryFilter, Topic, Vectors
from anamnesis_memory.model.scopes import scopes_of
from anamnesis_memory.model.session import Event, Session
from anamnesis_memory.ports import Listing
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.pipeline_rows import caller_row, user_row
from anamnesis_memory.storage.reads.source import Parameter, RowSource, listed, some

R = TypeVar("R")
P = TypeVar("P", str, int)


class NamespaceReader(RowSource):
    """Implements the plain lists of `NamespaceStore`."""

    async def list_memories(
        self, where: MemoryFilter, caller: Caller | None, after: int, limit: int
    ) -> Listing[Memory]:
        """See `NamespaceStore.list_memories`."""
        asked = _conditions(where, caller)
        found = await self._rows("list_memories", **asked, after=after, limit=limit + 1)
        page = found[:limit]
        after_last = rows.number(page[-1]["memory_no"]) if len(found) > limit else None
        return Listing([self._memory_of(row) for row in page], after_last)

    async def expiring(self, limit: int) -> Sequence[Expiring]:
        """See `NamespaceStore.expiring`."""
        return [rows.expiring_of(row) for row in await self._rows("list_expiring", limit=limit)]

    async def pending_embeddings(self, limit: int) -> Sequence[str]:
        """See `NamespaceStore.pending_embeddings`."""
        return [
            rows.text(row["memory_id"]) for row in await self._rows("list_pending", limit=limit)
        ]

    async def embeddings(self, memory_ids: Sequence[str]) -> Mapping[str, Vectors]:
        """See `NamespaceStore.embeddings`."""
        found = await self._rows("get_embeddings", ids=listed(memory_ids))
        return {
            rows.text(row["memory_id"]): rows.vectors_of(row["pieces"], row["vectors"])
            for row in found
        }

    async def session(self, session_id: str, caller: Caller | None = None) -> Session | None:
        """See `NamespaceStore.session`."""
        found = await self._rows("get_seen_session", **caller_row(caller), session_id=session_id)
        return rows.session_of(found[0]) if found else None

    async def list_sessions(
        self, caller: Caller | None, agent_id: str, user_id: str, after: str, limit: int
    ) -> Listing[Session]:
        """See `NamespaceStore.list_sessions`."""
        found = await self._rows(
            "list_sessions",
            **caller_row(caller),
            **user_row(user_id),
            agent_id=agent_id,
            after=after,
            limit=limit + 1,
        )
        return _page([rows.session_of(row) for row in found], limit, lambda one: one.session_id)

    async def list_events(self, session_id: str, after: int, limit: int) -> Listing[Event]:
        """See `NamespaceStore.list_events`."""
        found = await self._rows("list_events", session_id=session_id, after=after, limit=limit + 1)
        return _page([rows.event_of(row) for row in found], limit, lambda one: one.index)

    async def topics(
        self, topic_id: str, caller: Caller | None, after: str, limit: int
    ) -> Listing[Topic]:
        """See `NamespaceStore.topics`."""
        found = await self._rows(
            "list_topics",
            topic_id=topic_id,
            after=after,
            limit=limit + 1,
            scopes=None if caller is None else scopes_of(caller),
        )
        return _page([rows.topic_of(row) for row in found], limit, lambda one: one.topic_id)

    async def list_topic_members(self, topic_id: str, after: int, limit: int) -> Listing[str]:
        """See `NamespaceStore.list_topic_members`."""
        found = await self._rows(
            "list_topic_members", topic_id=topic_id, after=after, limit=limit + 1
        )
        after_last = rows.number(found[limit - 1]["memory_no"]) if len(found) > limit else None
        return Listing([rows.text(row["memory_id"]) for row in found[:limit]], after_last)


def _page(found: Sequence[R], limit: int, place: Callable[[R], P]) -> Listing[R]:
    """The first `limit` of what was found, and the place of the last if there is more."""
    return Listing(found[:limit], place(found[limit - 1]) if len(found) > limit else None)


def _conditions(where: MemoryFilter, caller: Caller | None) -> dict[str, Parameter]:
    """A filter and its caller as parameters of `list_memories`."""
    return {
        **caller_row(caller),
        "include_archived": int(where.include_archived),
        "kinds": some(where.kinds),
        "categories": some(where.categories),
        "origins": some(where.origins),
        "session_ids": some(where.session_ids),
        "tags": some([tag.casefold() for tag in where.tags]),
        "triggers": some([word.casefold() for word in where.triggers]),
        "entities": some([entity.casefold() for entity in where.entities]),
        "agent_id": where.agent_id,
        "user_id": where.user_id,
        "of_user": among(where.user_id),
        "min_importance": where.min_importance,
        "start_time_us": where.start_time_us,
        "end_time_us": where.end_time_us,
    }
