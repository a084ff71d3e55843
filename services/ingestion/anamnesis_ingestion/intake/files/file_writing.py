"""From placed events to writes: batches, as large as the ledger likes them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from anamnesis_ingestion.intake.files.file_reading import FileLimits, Placed
from anamnesis_ingestion.intake.files.file_sessions import FileHeader, FileSession
from anamnesis_ingestion.ledger import Append, Appended, Session
from anamnesis_ingestion.ports import Ledger


@dataclass(slots=True)
class LedgerTally:
    """The ledger's answers so far, added up."""

    appended: int = 0
    replaced: int = 0
    unchanged: int = 0
    revision: str = ""
    sessions: dict[str, Session] = field(default_factory=dict)

    @property
    def committed(self) -> int:
        """Events that are durable."""
        return self.appended + self.replaced + self.unchanged

    def add(self, done: Appended) -> None:
        """Count one write."""
        self.appended += done.appended
        self.replaced += done.replaced
        self.unchanged += done.unchanged
        self.revision = done.revision
        self.sessions[done.session.session_id] = done.session


class FileWriting:
    """From placed events to writes; holds one batch at most, whichever sessions it is of."""

    def __init__(self, header: FileHeader, limits: FileLimits, ledger: Ledger) -> None:
        self.tally = LedgerTally()
        self._header = header
        self._limits = limits
        self._ledger = ledger
        self._held: dict[str, list[Placed]] = {}
        self._held_events = self._held_bytes = 0

    async def take(self, events: Iterable[Placed]) -> None:
        """Hold events, and commit what is held whenever it is a batch."""
        for placed in events:
            if not self._has_room(placed):
                await self._commit_held()
            self._held.setdefault(placed.session.session_id, []).append(placed)
            self._held_events += 1
            self._held_bytes += placed.size_bytes

    async def finish(self, sessions: Iterable[FileSession]) -> None:
        """Commit the rest and, if the sender said so, end every session of the file."""
        for session in sessions:
            rest = self._held.get(session.session_id, [])
            if rest or self._header.end_session:
                await self._commit(session, rest, end_session=self._header.end_session)

    def _has_room(self, placed: Placed) -> bool:
        within = self._held_bytes + placed.size_bytes <= self._limits.batch_bytes_max
        return not self._held or (within and self._held_events < self._limits.batch_events_max)

    async def _commit_held(self) -> None:
        for batch in self._held.values():
            await self._commit(batch[0].session, batch, end_session=False)
        self._held.clear()
        self._held_events = self._held_bytes = 0

    async def _commit(
        self, session: FileSession, batch: list[Placed], *, end_session: bool
    ) -> None:
        header = self._header
        write = Append(
            namespace=header.namespace,
            session_id=session.session_id,
            events=[placed.event for placed in batch],
            agent_id=header.agent_id,
            user_id=header.user_id,
            label=header.label,
            parent_session_id=session.parent_session_id,
            visibility=header.visibility,
            project=header.project,
            participants=header.participants,
            end_session=end_session,
            unknown_time=True,
        )
        self.tally.add(await self._ledger.append(write))
