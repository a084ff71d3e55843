"""The candidates for forgetting, read from the records of memories."""

from collections.abc import Iterable, Mapping

from anamnesis_memory.domain.lifecycle.forgetting import ForgettingCandidate
from anamnesis_memory.domain.lifecycle.memory_vitals import vitals_of
from anamnesis_memory.model.memory import Kind, Memory, Work
from anamnesis_memory.model.memory_details import Fact, Lesson, Procedure, ProcedureStatus
from anamnesis_memory.model.session import Session
from anamnesis_memory.model.work import WorkItem, WorkKey, WorkState
from anamnesis_memory.ports import NamespaceStore, ReadView
from anamnesis_memory.ports.pipeline import WorkFilter

Ledger = tuple[Session | None, WorkItem | None]
"""A session, and the work that will delete its ledger."""


def candidate_of(memory: Memory, retention_end_us: int | None, now_us: int) -> ForgettingCandidate:
    """A memory as the rules see it at a time."""
    part = memory.part
    active = isinstance(part, Procedure) and part.status is ProcedureStatus.ACTIVE
    return ForgettingCandidate(
        kind=memory.kind,
        vitals=vitals_of(memory),
        status=memory.status,
        confidence=memory.confidence,
        pinned=memory.pinned,
        procedure_active=active,
        success_rate=part.success_rate if isinstance(part, Procedure) else 0.0,
        validated=isinstance(part, Lesson) and part.validated,
        holds_now=isinstance(part, Fact) and _holds(part, now_us),
        retention_end_us=retention_end_us,
    )


def retention_end_us(memory: Memory, ledger: Ledger, *, ledgers_kept: bool) -> int | None:
    """The time when a drawer's event expires; 0: it is gone or never was; None: unknown yet."""
    session, item = ledger
    if memory.kind is not Kind.EPISODIC or session is None:
        return 0
    if memory.event_index is None or memory.event_index < session.expired_before_index:
        return 0
    if ledgers_kept or item is None or item.state is WorkState.DONE:
        return None
    return item.due_us


def _holds(fact: Fact, now_us: int) -> bool:
    """True if a fact holds now or will hold, with the end that a later fact gave it."""
    return not fact.retracted and (fact.valid_to_us is None or fact.valid_to_us > now_us)


def sessions_of(memories: Iterable[Memory]) -> tuple[str, ...]:
    """The sessions of drawers, each once."""
    named = (one.session_id for one in memories if one.kind is Kind.EPISODIC and one.session_id)
    return tuple(dict.fromkeys(named))


def ledger_keys(session_ids: Iterable[str]) -> tuple[WorkKey, ...]:
    """The work that deletes the ledgers of sessions."""
    return tuple((Work.RETAIN, session_id) for session_id in session_ids)


def ledger_seen(seen: ReadView, session_id: str) -> Ledger:
    """A session and its ledger's end, as a write sees them."""
    return seen.sessions.get(session_id), seen.work.get((Work.RETAIN, session_id))


def ledger_of(known: Mapping[str, Ledger], memory: Memory) -> Ledger:
    """The ledger of a memory's session, as far as it is known."""
    return known.get(memory.session_id, (None, None))


class Ledgers:
    """Sessions and their ledgers' ends, each read once."""

    def __init__(self, store: NamespaceStore) -> None:
        self._store = store
        self._known: dict[str, Ledger] = {}

    async def of(self, memories: Iterable[Memory]) -> Mapping[str, Ledger]:
        """The ledgers of the drawers among memories, with all that were read before."""
        for session_id in sessions_of(memories):
            if session_id not in self._known:
                self._known[session_id] = await self._read(session_id)
        return self._known

    async def _read(self, session_id: str) -> Ledger:
        where = WorkFilter(kinds=(Work.RETAIN,), session_id=session_id)
        items = await self._store.list_work(where, None, 1)
        return await self._store.session(session_id), items[0] if items else None
