"""What a namespace must know of segments and what they taught: lists, and rules said plainly.

Part of `store_model`: written from what the writes promise, sharing no code with them.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from anamnesis_libs.errors import Conflict, FailedPrecondition, InvalidArgument
from anamnesis_libs.errors.not_found import SegmentNotFound, SessionNotFound
from anamnesis_memory.ledger.cut import ReplaceSegments, UpdateSegment
from anamnesis_memory.ledger.work import CompleteWork
from anamnesis_memory.memories.learn import RecordLearned
from anamnesis_memory.model.memory import Kind, Memory, Status, Work
from anamnesis_memory.model.segments import Activity, Segment, SegmentState, TaskTypeStats
from anamnesis_memory.model.session import Session
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem
from tests.support.work_model import WorkModel


@dataclass(slots=True)
class PipelineModel:
    """`graves` is what deleted memories said, `reports` each usage ever reported."""

    work: WorkModel = field(default_factory=WorkModel)
    segments: list[Segment] = field(default_factory=list)
    activities: list[Activity] = field(default_factory=list)
    graves: list[tuple[Kind, str]] = field(default_factory=list)
    reports: list[HourUsage] = field(default_factory=list)

    def segments_of(self, session_id: str) -> list[Segment]:
        """The segments of a session in order."""
        found = [one for one in self.segments if one.session_id == session_id]
        return sorted(found, key=lambda one: one.first_index)

    def cut_away(self, session_id: str) -> None:
        """No segment of a session is left."""
        self.segments = [one for one in self.segments if one.session_id != session_id]

    def segment(self, session_id: str, segment_id: str) -> Segment:
        """One segment of a session.

        Raises:
            SegmentNotFound: it has no such segment.
        """
        found = [one for one in self.segments_of(session_id) if one.segment_id == segment_id]
        if not found:
            raise SegmentNotFound(segment_id)
        return found[0]

    def complete(self, write: CompleteWork, now_us: int) -> WorkItem:
        """A stage is done when it is done for every segment; what follows is due."""
        item = self.work.held(write.lease)
        states = {one.state for one in self.segments_of(item.session_id)}
        short = {
            Work.LABEL: {SegmentState.NEW},
            Work.EXTRACT: {SegmentState.NEW, SegmentState.LABELLED},
        }
        if states & short.get(item.kind, set()):
            raise FailedPrecondition("a segment is left", reason="CONFLICT")
        done = self.work.complete(write.lease, now_us)
        self.work.follow(item.kind, item.session_id, now_us)
        return done

    def cut(
        self, write: ReplaceSegments, session: Session | None, revision: int, now_us: int
    ) -> tuple[list[Segment], list[Segment], list[Segment]]:
        """What there is after a cut, what of it is changed or new, and what is gone."""
        self.work.held(write.lease)
        name = write.lease.session_id
        if session is None:
            raise SessionNotFound(name)
        if write.session_etag != session.etag:
            raise Conflict("the session has changed")
        covered = [
            index for one in write.pieces for index in range(one.first_index, one.last_index + 1)
        ]
        empty = [one for one in write.pieces if one.last_index < one.first_index]
        if covered != list(range(session.expired_before_index, session.next_index)) or empty:
            raise InvalidArgument("the pieces do not cover the session")
        before = self.segments_of(name)
        after = _cut(write, session, before, revision, now_us)
        ids = [one.segment_id for one in after]
        gone = [one for one in before if one.segment_id not in ids]
        self.segments = [one for one in self.segments if one.session_id != name] + after
        self.work.complete(write.lease, now_us)
        label = self.work.highest + 1
        self.work.pend(Work.LABEL, name, now_us, now_us)
        self.work.wait_for_turn(Work.EXTRACT, name, now_us, label + 1)
        return after, [one for one in after if one not in before], gone

    def measure(self, write: UpdateSegment, revision: int, now_us: int) -> Segment:
        """The measures replace those before; what has taught stays so."""
        self.work.held(write.lease)
        segment = self.segment(write.lease.session_id, write.segment_id)
        new = segment.state is SegmentState.NEW
        after = replace(
            segment,
            state=SegmentState.LABELLED if new else segment.state,
            task_type=write.task_type,
            score=write.score,
            metrics_json=write.metrics_json,
            labeller=write.labeller,
            update_time_us=now_us,
            revision=revision,
        )
        self._put(after)
        return after

    def learned(
        self, write: RecordLearned, session: Session, revision: int, now_us: int
    ) -> list[Memory]:
        """What comes in of what a segment teaches: nothing that was deleted once."""
        segment = self.segment(session.session_id, write.segment_id)
        return [
            _learned(memory, session, segment, revision, now_us)
            for memory in write.memories
            if _said(memory) not in self.graves
        ]

    def teach(
        self, write: RecordLearned, stored: Sequence[Memory], revision: int, now_us: int
    ) -> None:
        """A segment has taught what these hold."""
        segment = self.segment(write.lease.session_id, write.segment_id)
        taught = replace(
            segment, state=SegmentState.EXTRACTED, update_time_us=now_us, revision=revision
        )
        self._put(taught)
        kinds = [memory.kind for memory in stored]
        self.activities.append(
            Activity(
                now_us,
                segment.session_id,
                segment.segment_id,
                segment.topic,
                tuple(memory.memory_id for memory in stored),
                kinds.count(Kind.SEMANTIC),
                kinds.count(Kind.LEARNING),
                kinds.count(Kind.PROCEDURAL),
                tuple(sorted(write.refusals.items())),
                write.extractor,
                revision,
            )
        )

    def forget(self, memory: Memory) -> None:
        """A deleted memory is in no list; what was learned is not learned again."""
        gone = memory.memory_id
        self.activities = [
            replace(one, memory_ids=tuple(each for each in one.memory_ids if each != gone))
            for one in self.activities
        ]
        if memory.kind is not Kind.EPISODIC:
            self.graves.append(_said(memory))

    def usage(self) -> list[HourUsage]:
        """The sum of all reports by hour and purpose, the newest first."""
        keys = {(one.hour_us, one.purpose) for one in self.reports}
        sums = []
        for hour_us, purpose in sorted(keys, key=lambda key: (-key[0], key[1])):
            ours = [one for one in self.reports if (one.hour_us, one.purpose) == (hour_us, purpose)]
            calls = sum(one.calls for one in ours)
            inputs = sum(one.input_tokens for one in ours)
            outputs = sum(one.output_tokens for one in ours)
            sums.append(HourUsage(hour_us, purpose, calls, inputs, outputs))
        return sums

    def _put(self, segment: Segment) -> None:
        others = [one for one in self.segments if one.segment_id != segment.segment_id]
        self.segments = [*others, segment]


def tagged(segment: Segment, memories: Sequence[Memory]) -> tuple[str, ...]:
    """The active memories with a segment's tag."""
    tag = f"segment:{segment.segment_id[:8]}"
    return tuple(
        memory.memory_id
        for memory in memories
        if memory.status is Status.ACTIVE and tag in [each.casefold() for each in memory.tags]
    )


def stats(segments: Sequence[Segment], lessons_from: float, sft_from: float) -> list[TaskTypeStats]:
    """How the tasks of each type went."""
    told = []
    for task_type in sorted({one.task_type for one in segments}):
        ours = [one for one in segments if one.task_type == task_type]
        scores = [one.score for one in ours if one.score is not None]
        told.append(
            TaskTypeStats(
                task_type,
                len(ours),
                sum(scores) / len(scores) if scores else 0.0,
                len([score for score in scores if score >= lessons_from]),
                len([score for score in scores if score >= sft_from]),
                labelled=len([one for one in ours if one.state is not SegmentState.NEW]),
                extracted=len([one for one in ours if one.state is SegmentState.EXTRACTED]),
            )
        )
    return told


def _cut(
    write: ReplaceSegments, session: Session, before: list[Segment], revision: int, now_us: int
) -> list[Segment]:
    """The same text of the same session is the same segment, wherever it is by now."""
    after: list[Segment] = []
    prints: list[str] = []
    for piece in write.pieces:
        earlier = prints.count(piece.fingerprint)
        prints.append(piece.fingerprint)
        named = f"{session.agent_id}\0{session.session_id}\0{piece.fingerprint}"
        named += f"\0{earlier}" if earlier else ""
        segment_id = hashlib.sha256(named.encode()).hexdigest()[:32]
        place = (piece.first_index, piece.last_index)
        known = [one for one in before if one.segment_id == segment_id]
        if known and (known[0].first_index, known[0].last_index) == place:
            after.append(known[0])
        elif known:
            moved = replace(known[0], first_index=place[0], last_index=place[1])
            after.append(replace(moved, update_time_us=now_us, revision=revision))
        else:
            texts = (piece.fingerprint, piece.topic, piece.summary, write.segmenter)
            state = SegmentState.EXTRACTED if earlier else SegmentState.NEW
            times = (now_us, now_us, revision)
            name = session.session_id
            after.append(Segment(segment_id, name, *place, *texts, *times, state))
    return after


def _learned(
    memory: Memory, session: Session, segment: Segment, revision: int, now_us: int
) -> Memory:
    """Owners, visibility and source are the session's and the segment's."""
    tag = f"segment:{segment.segment_id[:8]}"
    source = replace(
        memory.provenance,
        session_id=session.session_id,
        segment_id=segment.segment_id,
        first_event_index=segment.first_index,
        last_event_index=segment.last_index,
    )
    return replace(
        memory,
        create_time_us=now_us,
        update_time_us=now_us,
        revision=revision,
        visibility=session.visibility,
        agent_id=session.agent_id,
        user_id=session.user_id,
        session_id=session.session_id,
        tags=(tag, *memory.tags),
        provenance=source,
    )


def _said(memory: Memory) -> tuple[Kind, str]:
    return memory.kind, " ".join(memory.content.casefold().split())
