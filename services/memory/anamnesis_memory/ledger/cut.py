"""Cutting a session into segments, and measuring one: writes under a lease."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors import Conflict, invalid_field
from anamnesis_libs.errors.not_found import SegmentNotFound, SessionNotFound
from anamnesis_memory.knowledge.withdraw import PriorTellings, Untold, untell
from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.segments import Segment, SegmentState, segment_id_of
from anamnesis_memory.model.session import Session
from anamnesis_memory.model.work import Lease, WorkItem, completed, made_due, superseded
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet


@dataclass(frozen=True, slots=True)
class SegmentPiece:
    """A segment as its cutter states it."""

    first_index: int
    last_index: int
    fingerprint: str
    topic: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class CutResult:
    """The outcome of a cut."""

    segments: tuple[Segment, ...]
    kept: int
    removed: int
    archived: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReplaceSegments:
    """The write behind `LedgerService.ReplaceSegments`; it completes the SEGMENT work.

    `told` is what the segments that go have told; None where no facts were told.
    """

    lease: Lease
    session_etag: str
    pieces: Sequence[SegmentPiece]
    segmenter: str
    told: PriorTellings | None = None

    def wanted(self) -> ReadSet:
        """The session, its work, its segments and what was learned from them."""
        session_id = self.lease.session_id
        told = self.told or PriorTellings()
        return ReadSet(
            sessions=(session_id,),
            work=((Work.SEGMENT, session_id), (Work.LABEL, session_id), (Work.EXTRACT, session_id)),
            segments_of=(session_id,),
            memories=told.memory_ids,
            copies_of=told.memory_ids,
            lines=told.lines,
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[CutResult]:
        """Keep what is the same, add what is new, remove and archive what is gone.

        A fact that others tell too stays, without what was told by what is gone.

        Raises:
            LeaseLost: the work is no longer held.
            Conflict: the session has changed since it was cut.
            SegmentsTaught: what is gone has told more than `told` knows of.
            InvalidArgument: the pieces do not cover the session's events in order.
        """
        item = self.lease.check(seen.work.get(self.lease.key))
        session = seen.sessions.get(self.lease.session_id)
        if session is None:
            raise SessionNotFound(self.lease.session_id)
        self._check(session)
        there = {one.segment_id: one for one in seen.segments.get(session.session_id, ())}
        after = tuple(self._placed(session, there, stamp))
        kept = {one.segment_id for one in after} & there.keys()
        gone = tuple(key for key in there if key not in kept)
        untold = self._untold([there[key] for key in gone], seen, stamp)
        tagged = [memory for key in gone for memory in seen.learned.get(key, ())]
        archived = tuple(one for one in tagged if one not in untold.facts)
        edits = replace(
            untold.edits,
            segments=tuple(one for one in after if there.get(one.segment_id) != one),
            removed_segments=gone,
            archived_memories=archived,
            work=(completed(item, stamp.now_us), *self._stages_after(seen, stamp.now_us)),
        )
        return Decision(
            CutResult(after, len(kept), len(gone), (*archived, *untold.archived)), edits
        )

    def segment_ids(self, session: Session) -> frozenset[str]:
        """The ids of the segments that a session has after the cut."""
        return frozenset(segment_id for _, segment_id, _ in self._named(session))

    def _untold(self, gone: Sequence[Segment], seen: ReadView, stamp: CommitStamp) -> Untold:
        return Untold() if self.told is None else untell(self.told, gone, seen, stamp)

    def _check(self, session: Session) -> None:
        """Raises Conflict or InvalidArgument."""
        if self.session_etag != session.etag:
            raise Conflict(
                f"session {session.session_id!r} has changed since it was cut; cut it again",
                metadata={"resource": "session"},
            )
        following = session.expired_before_index
        for place, piece in enumerate(self.pieces):
            if piece.first_index != following or piece.last_index < piece.first_index:
                raise invalid_field(
                    f"segments[{place}].first_event_index",
                    f"is {piece.first_index} to {piece.last_index} where {following} must follow; "
                    "segments are in order, disjoint and without gaps",
                )
            following = piece.last_index + 1
        if following != session.next_index:
            raise invalid_field(
                "segments", f"end at {following - 1}; the last event is {session.next_index - 1}"
            )

    def _placed(
        self, session: Session, there: dict[str, Segment], stamp: CommitStamp
    ) -> Iterator[Segment]:
        for piece, segment_id, repeated in self._named(session):
            known = there.get(segment_id)
            if known is None:
                yield self._new(session, piece, segment_id, repeated, stamp)
            elif (known.first_index, known.last_index) != (piece.first_index, piece.last_index):
                yield replace(
                    known,
                    first_index=piece.first_index,
                    last_index=piece.last_index,
                    update_time_us=stamp.now_us,
                    revision=stamp.revision,
                )
            else:
                yield known

    def _named(self, session: Session) -> Iterator[tuple[SegmentPiece, str, bool]]:
        """Each piece with the id of its segment, and whether its text has occurred before."""
        occurrences: Counter[str] = Counter()
        for piece in self.pieces:
            again = occurrences[piece.fingerprint]
            occurrences[piece.fingerprint] += 1
            yield piece, segment_id_of(session, piece.fingerprint, again), again > 0

    def _new(
        self,
        session: Session,
        piece: SegmentPiece,
        segment_id: str,
        repeated: bool,
        stamp: CommitStamp,
    ) -> Segment:
        return Segment(
            segment_id=segment_id,
            session_id=session.session_id,
            first_index=piece.first_index,
            last_index=piece.last_index,
            fingerprint=piece.fingerprint,
            topic=piece.topic,
            summary=piece.summary,
            segmenter=self.segmenter,
            create_time_us=stamp.now_us,
            update_time_us=stamp.now_us,
            revision=stamp.revision,
            state=SegmentState.EXTRACTED if repeated else SegmentState.NEW,
        )

    def _stages_after(self, seen: ReadView, now_us: int) -> Iterator[WorkItem]:
        """LABEL follows; an EXTRACT that is under way for the old cut is refused."""
        label, extract = ((kind, self.lease.session_id) for kind in (Work.LABEL, Work.EXTRACT))
        yield made_due(seen.work.get(label), label, now_us, now_us, seen.next_token)
        if (item := seen.work.get(extract)) is not None:
            yield superseded(item, now_us, seen.next_token + 1)


@dataclass(frozen=True, slots=True)
class UpdateSegment:
    """The write behind `LedgerService.UpdateSegment`: the measures of one segment."""

    lease: Lease
    segment_id: str
    task_type: str
    score: float
    metrics_json: str
    labeller: str

    def wanted(self) -> ReadSet:
        """The work and the segments of its session."""
        return ReadSet(work=(self.lease.key,), segments_of=(self.lease.session_id,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Segment]:
        """Store the measures.

        Raises:
            LeaseLost: the work is no longer held.
            SegmentNotFound: the session has no such segment.
        """
        self.lease.check(seen.work.get(self.lease.key))
        segment = segment_of(seen, self.lease.session_id, self.segment_id)
        state = SegmentState.LABELLED if segment.state is SegmentState.NEW else segment.state
        after = replace(
            segment,
            state=state,
            task_type=self.task_type,
            score=self.score,
            metrics_json=self.metrics_json,
            labeller=self.labeller,
            update_time_us=stamp.now_us,
            revision=stamp.revision,
        )
        return Decision(after, WriteSet(segments=(after,)))


def segment_of(seen: ReadView, session_id: str, segment_id: str) -> Segment:
    """One of the segments that were loaded.

    Raises:
        SegmentNotFound: the segment is not among them.
    """
    found = (one for one in seen.segments.get(session_id, ()) if one.segment_id == segment_id)
    segment = next(found, None)
    if segment is None:
        raise SegmentNotFound(segment_id)
    return segment
