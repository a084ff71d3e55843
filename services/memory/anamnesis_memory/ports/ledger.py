"""Sessions and their events as a store reads them."""

from typing import Protocol

from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.session import Event, Session
from anamnesis_memory.ports.listing import Listing


class LedgerReads(Protocol):
    """Sessions and events. Reads see committed state only."""

    async def session(self, session_id: str, caller: Caller | None = None) -> Session | None:
        """Read one session; a `caller` reads none that it may not see."""
        ...

    async def list_sessions(
        self, caller: Caller | None, agent_id: str, user_id: str, after: str, limit: int
    ) -> Listing[Session]:
        """List sessions by id; None as caller sees all."""
        ...

    async def list_events(self, session_id: str, after: int, limit: int) -> Listing[Event]:
        """List events by index."""
        ...
