"""References to drawers in a ledger that stays: archive, lessons taken, working memories.

An upload holds the line a drawer came from among others, and after redaction nothing tells those
lines apart: the kept content of the session's uploads goes whole. Digests of the uploads stay, so
that the same file sent again is known.
"""

import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from anamnesis_memory.erasure.erase_traces import EmptyActivities
from anamnesis_memory.erasure.working_memory import forget_in_documents
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.ports import (
    CommitStamp,
    Decision,
    NamespaceStore,
    ReadSet,
    ReadView,
    WriteSet,
)
from anamnesis_memory.ports.pipeline import SegmentFilter

_MANY = 1_000_000
_EMPTY = zlib.compress(b"")


@dataclass(frozen=True, slots=True)
class EmptyUploads:
    """Empties uploads: their content goes, their records stay."""

    upload_ids: tuple[str, ...]

    def wanted(self) -> ReadSet:
        """The uploads."""
        return ReadSet(uploads=self.upload_ids)

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """The result is how many."""
        emptied = tuple(NewUpload(upload, _EMPTY) for upload in seen.uploads.values())
        return Decision(len(emptied), WriteSet(uploads=emptied))


async def forget_beside(
    store: NamespaceStore, places: Sequence[tuple[str, int]], memory_ids: Collection[str]
) -> dict[str, int]:
    """Take memories and the drawers at these places out of all that speaks of them.

    `memory_ids` are those that go, or say something else afterwards.

    To be done before they go, for afterwards nothing leads there. How many records were changed,
    by what they are.
    """
    uploads = 0
    for session_id in dict.fromkeys(session_id for session_id, _ in places):
        indices = {index for name, index in places if name == session_id}
        uploads += await _in_session(store, session_id, indices)
    return {"uploads": uploads, "documents": await forget_in_documents(store, memory_ids)}


async def _in_session(store: NamespaceStore, session_id: str, indices: Collection[int]) -> int:
    session = await store.session(session_id)
    if session is None:
        return 0
    owner = Caller(session.agent_id, session.user_id)
    segments = await store.list_segments(SegmentFilter(session_id), None, None, _MANY)
    quoting = {
        one.segment_id
        for one in segments
        if any(one.first_index <= index <= one.last_index for index in indices)
    }
    activities = await store.list_activities(session_id, owner, None, _MANY)
    topics = [one for one in activities if one.topic and one.segment_id in quoting]
    if topics:
        await store.commit(EmptyActivities(topics))
    uploads = await store.list_uploads(session_id, owner, None, _MANY)
    emptied = await store.commit(EmptyUploads(tuple(one.upload_id for one in uploads)))
    return emptied.result or 0
