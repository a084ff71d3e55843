"""What workers of the pipeline send, for tests: claims and results, and sessions to begin with."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.ledger.cut import CutResult, ReplaceSegments, SegmentPiece, UpdateSegment
from anamnesis_memory.ledger.recutting import cut_anew
from anamnesis_memory.ledger.work import Claims, ClaimWork, CompleteWork
from anamnesis_memory.memories.learn import LearnedSegment, PromoteEpisodes, RecordLearned
from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance, Vectors, Work
from anamnesis_memory.model.segments import Segment
from anamnesis_memory.model.work import Claimable, Lease, WorkItem
from anamnesis_memory.ports import NamespaceStore
from tests.support.clock import SetClock
from tests.support.records import append, lesson

SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US
LEASE_US = MINUTE_US


def now_us(clock: SetClock) -> int:
    """The time of a clock that stands still."""
    return int(clock.now().timestamp() * SECOND_US)


async def claims(
    store: NamespaceStore,
    clock: SetClock,
    kind: Work,
    *,
    limit: int = 10,
    holder: str = "worker",
    session_id: str = "",
    even_if_early: bool = False,
) -> Claims:
    """Claim what is ready by now."""
    asked = Claimable(kind, now_us(clock), limit, session_id, even_if_early)
    done = await store.commit(ClaimWork(asked, holder, LEASE_US))
    assert done.result is not None
    return done.result


async def claim(store: NamespaceStore, clock: SetClock, kind: Work) -> WorkItem:
    """Claim the one piece of work of a kind that is ready."""
    ((item, _),) = (await claims(store, clock, kind)).items
    return item


def lease_of(item: WorkItem) -> Lease:
    """The lease of a claim."""
    return Lease(item.kind, item.session_id, item.token)


async def cut(
    store: NamespaceStore, item: WorkItem, *pieces: tuple[int, int, str], etag: str | None = None
) -> CutResult:
    """Cut a session; pieces are first and last event, and what stands for their text."""
    session = await store.session(item.session_id)
    assert session is not None
    write = ReplaceSegments(
        lease_of(item),
        session.etag if etag is None else etag,
        [SegmentPiece(first, last, text, f"on {text}") for first, last, text in pieces],
        "local",
    )
    done = await cut_anew(store, write, SingleValued(), store.commit)
    assert done.result is not None
    return done.result


async def label(
    store: NamespaceStore, item: WorkItem, segment_id: str, score: float, task_type: str = "coding"
) -> Segment:
    """Measure a segment."""
    write = UpdateSegment(lease_of(item), segment_id, task_type, score, "{}", "local")
    done = await store.commit(write)
    assert done.result is not None
    return done.result


async def learn(
    store: NamespaceStore,
    item: WorkItem,
    segment_id: str,
    *memories: Memory,
    vectors: Mapping[str, Vectors] | None = None,
    refusals: Mapping[str, int] | None = None,
) -> LearnedSegment:
    """Store what a segment teaches."""
    write = RecordLearned(
        lease_of(item), segment_id, memories, vectors or {}, refusals or {}, "local"
    )
    done = await store.commit(write)
    assert done.result is not None
    return done.result


async def complete(store: NamespaceStore, item: WorkItem) -> WorkItem:
    """Complete a piece of work."""
    done = await store.commit(CompleteWork(lease_of(item)))
    assert done.result is not None
    return done.result


async def promote(store: NamespaceStore, item: WorkItem, summaries: Mapping[str, str]) -> int:
    """Promote the episodes of a session."""
    done = await store.commit(PromoteEpisodes(lease_of(item), summaries))
    assert done.result is not None
    return done.result


def taught(content: str, kind: Kind = Kind.SEMANTIC) -> Memory:
    """A memory as an extractor states it."""
    return replace(lesson(content), kind=kind, provenance=Provenance(Origin.GENERATED, model="m"))


async def cut_session(
    store: NamespaceStore, clock: SetClock, *texts: str, session_id: str = "s-1"
) -> Sequence[Segment]:
    """End a session and cut it: a segment an event, made from its text."""
    await store.commit(append(*texts, session_id=session_id, end_session=True))
    ((item, _),) = (await claims(store, clock, Work.SEGMENT, session_id=session_id)).items
    pieces = [(place, place, text) for place, text in enumerate(texts)]
    return (await cut(store, item, *pieces)).segments


async def measured_session(
    store: NamespaceStore, clock: SetClock, *texts: str, session_id: str = "s-1"
) -> tuple[WorkItem, Sequence[Segment]]:
    """Cut a session, measure each segment, and claim its EXTRACT work."""
    segments = await cut_session(store, clock, *texts, session_id=session_id)
    ((item, _),) = (await claims(store, clock, Work.LABEL, session_id=session_id)).items
    for segment in segments:
        await label(store, item, segment.segment_id, 0.9)
    await complete(store, item)
    ((extract, _),) = (await claims(store, clock, Work.EXTRACT, session_id=session_id)).items
    return extract, segments
