"""Stubs: remains of events when the ledger of a session has expired, as plain values.

A stub says where an event was, which memory holds its text, and, as a digest under a key of the
namespace, what the event was: enough to know the same event again, and nothing that could be read.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from anamnesis_memory.model.session import Session

MARK_BYTES = 16


@dataclass(frozen=True, slots=True)
class Stub:
    """The stub of an event; `same` says whether it was the one that was asked for."""

    memory_id: str
    same: bool


@dataclass(frozen=True, slots=True)
class EventStub:
    """A stub as it is kept; `memory_id` is empty where the drawer was deleted, or none was."""

    session_id: str
    index: int
    memory_id: str
    mark: bytes


@dataclass(frozen=True, slots=True)
class Expiry:
    """The events of a session before an index become stubs."""

    session_id: str
    before_index: int


def stub_mark(secret: bytes, session_id: str, index: int, digest: bytes) -> bytes:
    """The mark of an event's digest in a stub: HMAC-SHA256 with its place, first 16 bytes."""
    said = f"event\x00{session_id}\x00{index}\x00".encode() + digest
    return hmac.new(secret, said, hashlib.sha256).digest()[:MARK_BYTES]


def expired_places(
    asked: tuple[tuple[str, int, bytes], ...], sessions: Mapping[str, Session]
) -> Iterator[tuple[str, int, bytes]]:
    """Return those of the places with digests where the ledger of the session has expired."""
    for session_id, index, digest in asked:
        session = sessions.get(session_id)
        if session is not None and index < session.expired_before_index:
            yield session_id, index, digest
