"""Ingestion's ports to the rest of the suite."""

from typing import Protocol

from anamnesis_ingestion.ledger import Append, Appended, Caller, Session
from anamnesis_ingestion.raw import Raw


class Ledger(Protocol):
    """The sessions and events of the memory service, within the time of one call."""

    async def append(self, write: Append) -> Appended:
        """Store the events; when this returns they are durable.

        Raises:
            InvalidArgument: an event breaks a rule of the ledger.
            Unavailable: the memory service does not answer.
            DeadlineExceeded: it did not answer in time; whether it stored them is not known.
        """
        ...

    async def session(self, namespace: str, session_id: str, caller: Caller) -> Session:
        """Return a session.

        Raises:
            NotFound: there is no such namespace or session that the caller may see.
        """
        ...


class Archive(Protocol):
    """The raw archive of the memory service, within a part of the time of one call."""

    async def put(self, raw: Raw) -> str:
        """Archive what came, redacted; answers its upload id.

        Raises:
            AnamnesisError: it is not archived, or may not be.
        """
        ...
