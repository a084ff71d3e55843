"""Sessions that have been through the pipeline, and uploads, for tests of what is kept."""

import zlib
from collections.abc import Sequence

from anamnesis_libs.clock import micros
from anamnesis_memory.ledger.cut import ReplaceSegments, SegmentPiece, UpdateSegment
from anamnesis_memory.ledger.work import ClaimWork, CompleteWork
from anamnesis_memory.memories.learn import PromoteEpisodes, RecordLearned
from anamnesis_memory.model.memory import Memory, Work
from anamnesis_memory.model.uploads import NewUpload, Upload, UploadFormat, upload_id_of
from anamnesis_memory.model.work import Claimable, Lease
from anamnesis_memory.ports import NamespaceStore
from tests.support.clock import SetClock

RETAIN_DAYS = 14
RETAIN_US = RETAIN_DAYS * 24 * 3600 * 1_000_000
LEASE_US = 60 * 1_000_000
COMPRESS_HOURS = 49


async def lease_of(
    store: NamespaceStore, clock: SetClock, kind: Work, session_id: str = "s-1"
) -> Lease:
    """Claim one piece of work that is due."""
    claimable = Claimable(kind, micros(clock.now()), 1, session_id)
    claims = (await store.commit(ClaimWork(claimable, "test", LEASE_US))).result
    assert claims is not None
    ((item, _),) = claims.items
    return Lease(item.kind, item.session_id, item.token)


async def cut(store: NamespaceStore, clock: SetClock, session_id: str = "s-1") -> Sequence[str]:
    """Make one segment of what a session's ledger holds; answers its id, if there is any."""
    session = await store.session(session_id)
    assert session is not None
    first, last = session.expired_before_index, session.next_index - 1
    pieces = [SegmentPiece(first, last, f"mark-{first}-{last}")] if first <= last else []
    lease = await lease_of(store, clock, Work.SEGMENT, session_id)
    done = (await store.commit(ReplaceSegments(lease, session.etag, pieces, "local"))).result
    assert done is not None
    return [one.segment_id for one in done.segments]


async def run_pipeline(
    store: NamespaceStore,
    clock: SetClock,
    learned: Sequence[Memory] = (),
    session_id: str = "s-1",
    *,
    last: bool = True,
) -> None:
    """Take a session through every stage as one segment; it teaches these memories.

    Without `last` the last stage is left to be done; it is due.
    """
    segment_ids = await cut(store, clock, session_id)
    lease = await lease_of(store, clock, Work.LABEL, session_id)
    await _label(store, lease, segment_ids)
    lease = await lease_of(store, clock, Work.EXTRACT, session_id)
    for segment_id in segment_ids:
        await store.commit(RecordLearned(lease, segment_id, learned, {}, {}, "local"))
    await store.commit(CompleteWork(lease))
    clock.move(hours=COMPRESS_HOURS)
    if not last:
        return
    lease = await lease_of(store, clock, Work.COMPRESS, session_id)
    await store.commit(PromoteEpisodes(lease, {}, RETAIN_US))


async def _label(store: NamespaceStore, lease: Lease, segment_ids: Sequence[str]) -> None:
    for segment_id in segment_ids:
        await store.commit(UpdateSegment(lease, segment_id, "other", 0.9, "{}", "local"))
    await store.commit(CompleteWork(lease))


def upload(text: str, session_id: str = "s-1", packed: bytes | None = None) -> NewUpload:
    """An upload ready to be kept."""
    sha256 = text.encode().hex()
    kept = Upload(
        upload_id=upload_id_of(session_id, sha256),
        session_id=session_id,
        label="chats/monday.jsonl",
        sha256=sha256,
        size_bytes=len(text),
        format=UploadFormat.TEXT,
        lines_left_out=2,
        create_time_us=0,
    )
    return NewUpload(kept, zlib.compress(text.encode()) if packed is None else packed)
