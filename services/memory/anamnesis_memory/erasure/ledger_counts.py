"""Counting what goes with a session, before it goes."""

from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.session import Session
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.pipeline import SegmentFilter, WorkFilter

_MANY = 1_000_000


async def count_ledger(store: NamespaceStore, session: Session) -> dict[str, int]:
    """Counts of the records of a session's ledger, by what they are, as receipts name them.

    Of what retention left, `stubs` counts the indices before which the ledger had expired.
    """
    session_id = session.session_id
    owner = Caller(session.agent_id, session.user_id)
    segments = await store.list_segments(SegmentFilter(session_id), None, None, _MANY)
    activities = await store.list_activities(session_id, owner, None, _MANY)
    uploads = await store.list_uploads(session_id, owner, None, _MANY)
    work = await store.list_work(WorkFilter(session_id=session_id), None, _MANY)
    return {
        "events": session.event_count,
        "stubs": session.expired_before_index,
        "segments": len(segments),
        "activities": len(activities),
        "uploads": len(uploads),
        "work": len(work),
    }
