"""Erasing every record of a user, an agent or a session, wherever one is kept."""

from collections.abc import AsyncIterator, Sequence

from anamnesis_libs.participants import is_of_several
from anamnesis_memory.erasure.batch import Erasing
from anamnesis_memory.erasure.erase_traces import (
    EraseDocuments,
    EraseSessions,
    EraseWing,
    ForgetReaders,
)
from anamnesis_memory.erasure.ledger_counts import count_ledger
from anamnesis_memory.erasure.unmerging import unmerge
from anamnesis_memory.ledger.append import wing_key
from anamnesis_memory.memories.working_memory import Owner
from anamnesis_memory.model.documents import Document
from anamnesis_memory.model.memory import Caller, MemoryFilter
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.model.scopes import scopes_of
from anamnesis_memory.model.session import Session
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.life import ErasureSubject

SESSIONS_MAX = 50
COPIES_MAX = 200
DOCUMENTS_MAX = 100


class SubjectErasure:
    """Erases a subject: what was merged first, then sessions with their memories, then the rest.

    With a `caller`, the erasure looks only for what that caller may see, and tells only of that. Of
    what others wrote about the same session, only what rests on erased memories alone goes too.
    """

    def __init__(
        self, store: NamespaceStore, subject: ErasureSubject, caller: Caller | None = None
    ) -> None:
        self._store = store
        self._subject = subject
        self._caller = caller
        self.erasing = Erasing(store, subject, caller=caller)

    async def run(self) -> None:
        """Erase; what is gone already is passed over, so that it can be run again."""
        await self._copies(self._subject)
        async for session in self._sessions():
            await self._session(session)
        if not self._subject.session_id:
            await self.erasing.fitting(self._theirs())
        await self._documents()
        if not self._subject.session_id:
            key = wing_key(self._subject.user_id, "", self._subject.agent_id)
            self.erasing.receipt.count(wings=await self.erasing.commit(EraseWing(key)))
            named = scopes_of(Caller(self._subject.agent_id, self._subject.user_id))
            own = tuple(one for one in named if one not in scopes_of(Caller()))
            await self.erasing.commit(ForgetReaders(own))

    def _theirs(self) -> MemoryFilter:
        subject = self._subject
        return MemoryFilter(
            agent_id=subject.agent_id, user_id=subject.user_id, include_archived=True
        )

    async def _sessions(self) -> AsyncIterator[Session]:
        if self._subject.session_id:
            session = await self._store.session(self._subject.session_id)
            # what only names a session that never was, or is gone, goes as well
            yield session or Session(self._subject.session_id, 0, 0, 0, 0, 0)
            return
        after: int | str | None = ""
        agent_id, user_id = self._subject.agent_id, self._subject.user_id
        while isinstance(after, str):
            page = await self._store.list_sessions(None, agent_id, user_id, after, SESSIONS_MAX)
            for session in page.items:
                yield session
            after = page.next_after

    async def _session(self, session: Session) -> None:
        """Erase what was learned and said in a session, then the session itself."""
        session_id = session.session_id
        await self._copies(ErasureSubject(session_id=session_id))
        await self.erasing.fitting(MemoryFilter(session_ids=(session_id,), include_archived=True))
        counts = await count_ledger(self._store, session)
        await self._project(session)
        erased = await self.erasing.commit(EraseSessions((session_id,)))
        if erased:
            self.erasing.receipt.count(sessions=erased, **counts)
        if self._subject.user_id and is_of_several(session.user_id):
            # all that is theirs together goes with any of them, so that nothing keeps this wing
            together = wing_key(session.user_id, "", "")
            self.erasing.receipt.count(wings=await self.erasing.commit(EraseWing(together)))

    async def _project(self, session: Session) -> None:
        """Erase the name of the session's project if no other session has it; first, so both go."""
        given = await self._store.given(session.wing, 0) if session.project else None
        key = wing_key("", session.project, "")
        if given is None or given.key != key:
            return
        rooms = await self._store.rooms_of_wing(session.wing, None, 0, 2)
        if all(room.session_id == session.session_id for room in rooms):
            wings = await self.erasing.commit(EraseWing(key, given.rooms))
            self.erasing.receipt.count(wings=wings)

    async def _copies(self, subject: ErasureSubject) -> None:
        """Erase the subject's contributions to memories of others."""
        for role in CopyRole:
            while copies := await self._store.list_copies(role, subject, "", COPIES_MAX):
                await unmerge(self.erasing, copies, subject)

    async def _documents(self) -> None:
        """Working memories of the subject."""
        receipt = self.erasing.receipt
        while documents := await self._their_documents():
            keys = tuple(document.key for document in documents)
            receipt.count(documents=await self.erasing.commit(EraseDocuments(keys)))

    async def _their_documents(self) -> Sequence[Document]:
        """Some of the subject's documents that are still there; with a caller, the caller's own."""
        caller = self._caller
        if caller is None:
            return await self._store.documents_of(self._subject, DOCUMENTS_MAX)
        key = Owner(caller.agent_id, caller.user_id).key
        document = await self._store.document(key)
        there = document is not None and document.session_id == self._subject.session_id
        return [document] if document is not None and there else []
