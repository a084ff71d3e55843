"""Stored answers to requests: what they speak of, so that they go with it; for all databases."""

from dataclasses import dataclass

from anamnesis_memory.ports import ReadView, WriteSet

REQUEST_LIFETIME_US = 24 * 3600 * 1_000_000


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer as it is kept."""

    answer: bytes
    revision: int
    create_time_us: int


@dataclass(frozen=True, slots=True)
class Mentioned:
    """The memories and sessions that an answer may speak of."""

    memory_ids: tuple[str, ...]
    session_ids: tuple[str, ...]


def mentioned(seen: ReadView, edits: WriteSet, *, tells_memories: bool = True) -> Mentioned:
    """The records that an answer may speak of: memories its write put, sessions it saw or put."""
    put = (session.session_id for session in edits.sessions)
    return Mentioned(
        tuple(memory.memory_id for memory in edits.memories if tells_memories),
        tuple(dict.fromkeys((*seen.sessions, *put))),
    )
