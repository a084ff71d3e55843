"""Making a namespace in which everybody saw everything one in which each user sees their own.

Sessions go one at a time, memories in small batches, each in a write of its own: what was done
stays done, and another call goes on from there. What comes in meanwhile is private already.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field

from anamnesis_libs.clock import Clock, micros
from anamnesis_libs.errors import Conflict, InvalidArgument
from anamnesis_memory.memories.editing.owning import NOBODY, OwnSession, is_shared_of_a_user, owning
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Caller, Memory, MemoryFilter
from anamnesis_memory.model.progress import Progress
from anamnesis_memory.model.session import Session
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

SESSIONS_MAX = 100
BATCH_MAX = 100
"""Memories in one write, those taken from them not counted."""
TRIES_MAX = 5
EVERYBODY = Caller()
"""Sees what is shared, and nothing else."""


@dataclass(slots=True)
class Privatised:
    """Counts of what got an owner; `nobodys` are ids of memories that mix several users' words."""

    sessions: int = 0
    memories: int = 0
    nobodys: list[str] = field(default_factory=list)


class Privatising:
    """One run over one namespace."""

    def __init__(self, opened: OpenNamespace, clock: Clock) -> None:
        self._opened = opened
        self._store = opened.store
        self._clock = clock
        self.done = Privatised()

    async def run(self) -> AsyncGenerator[Progress, None]:
        """Go through the sessions, then through what is in none."""
        counts = await self._store.counts()
        seen = 0
        after: int | str | None = ""
        while isinstance(after, str):
            page = await self._store.list_sessions(None, "", "", after, SESSIONS_MAX)
            for session in page.items:
                seen += 1
                if session.user_id:
                    await self._session(session)
            yield Progress("sessions", seen, max(seen, counts.sessions))
            after = page.next_after
        async for progress in self._memories(sum(counts.by_kind.values())):
            yield progress

    async def _session(self, session: Session) -> None:
        """Make a session private first, so that nothing shared comes into it, then its memories."""
        if is_shared_of_a_user(session):
            committed = await self._store.commit(OwnSession(session.session_id))
            self.done.sessions += committed.result or 0
        where = MemoryFilter(session_ids=(session.session_id,), include_archived=True)
        while page := (await self._store.list_memories(where, EVERYBODY, 0, BATCH_MAX)).items:
            await self._own({one.memory_id: one.user_id or session.user_id for one in page})

    async def _memories(self, total: int) -> AsyncGenerator[Progress, None]:
        """Make the memories private that name a user and are in no session of one."""
        seen = 0
        after: int | str | None = 0
        where = MemoryFilter(include_archived=True)
        while isinstance(after, int):
            page = await self._store.list_memories(where, EVERYBODY, after, BATCH_MAX)
            shared = {one.memory_id: one.user_id for one in page.items if is_shared_of_a_user(one)}
            if shared:
                await self._own(shared)
            seen += len(page.items)
            yield Progress("memories", seen, max(seen, total))
            after = page.next_after

    async def _own(self, users: Mapping[str, str]) -> None:
        """Make memories their users'; one whose fact the user has already goes to nobody."""
        try:
            await self._commit(users)
        except InvalidArgument:
            if len(users) > 1:
                for memory_id, user_id in users.items():
                    await self._own({memory_id: user_id})
            elif NOBODY not in users.values():
                await self._own(dict.fromkeys(users, NOBODY))
            else:
                raise

    async def _commit(self, users: Mapping[str, str]) -> None:
        for tries in range(1, TRIES_MAX + 1):
            topic_id = new_id(micros(self._clock.now()))
            try:
                write = await owning(self._store, users, topic_id)
                committed = await self._store.commit(write)
            except Conflict:
                if tries == TRIES_MAX:
                    raise
                continue
            self._note(committed.result or ())
            return

    def _note(self, owned: Sequence[Memory]) -> None:
        self.done.memories += len(owned)
        self.done.nobodys += [one.memory_id for one in owned if one.user_id == NOBODY]
