"""The part of `store_model` that works on sessions: claims, cuts, measures, lessons, promotions."""

from collections.abc import Collection
from dataclasses import replace

from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.ledger.cut import CutResult, ReplaceSegments, UpdateSegment
from anamnesis_memory.ledger.retention import ExpireSession
from anamnesis_memory.ledger.work import ClaimWork, CompleteWork, FailWork, RenewWork, RetryWork
from anamnesis_memory.memories.learn import LearnedSegment, PromoteEpisodes, RecordLearned
from anamnesis_memory.memories.report_usage import ReportUsage
from anamnesis_memory.model.memory import Kind, Memory, Status, Vectors, Work
from anamnesis_memory.model.memory_details import Episode, EpisodeStage
from anamnesis_memory.model.segments import SegmentState
from tests.support.ledger_model import LedgerModel
from tests.support.pipeline_model import PipelineModel, tagged
from tests.support.store_writes import LearningWrite, Result, WorkWrite


class LearningModel:
    """Writes on the pipeline and on the memories that come of it."""

    ledger: LedgerModel
    pipeline: PipelineModel
    revision: int
    memories: list[Memory]
    vectors: list[tuple[str, Vectors]]
    _put: list[str]

    def _take_in(
        self, memory: Memory, vectors: Vectors | None, revision: int, now_us: int
    ) -> Created:
        raise NotImplementedError

    def _learning_write(
        self, write: WorkWrite | LearningWrite | ReportUsage, revision: int, now_us: int
    ) -> Result:
        """Do what a write says; work and reports take no revision."""
        match write:
            case ReportUsage():
                self.pipeline.reports += write.usages
                return None
            case ClaimWork() | RenewWork() | CompleteWork() | FailWork() | RetryWork():
                return self._work_write(write, now_us)
            case _:
                return self._session_write(write, revision, now_us)

    def _work_write(self, write: WorkWrite, now_us: int) -> Result:
        work = self.pipeline.work
        match write:
            case ClaimWork():
                return work.claim(write, self.ledger.sessions, now_us)
            case RenewWork():
                return work.renew(write, now_us)
            case CompleteWork():
                return self.pipeline.complete(write, now_us)
            case FailWork():
                return work.fail(write, now_us)
            case RetryWork():
                return work.retry(write, now_us)

    def _session_write(self, write: LearningWrite, revision: int, now_us: int) -> Result:
        match write:
            case ReplaceSegments():
                return self._cut(write, revision, now_us)
            case UpdateSegment():
                segment = self.pipeline.measure(write, revision, now_us)
                self.revision = revision
                return segment
            case RecordLearned():
                return self._learn(write, revision, now_us)
            case PromoteEpisodes():
                return self._promote(write, revision, now_us)
            case ExpireSession():
                return self._expire(write, revision, now_us)

    def _cut(self, write: ReplaceSegments, revision: int, now_us: int) -> CutResult:
        """What was learned from segments that are gone is archived."""
        name = write.lease.session_id
        before = self.pipeline.segments_of(name)
        session = self.ledger.session(name)
        after, changed, gone = self.pipeline.cut(write, session, revision, now_us)
        archived = tuple(one for segment in gone for one in tagged(segment, self.memories))
        self._archive(archived, revision, now_us)
        self.revision = revision if changed or gone else self.revision
        return CutResult(tuple(after), len(before) - len(gone), len(gone), archived)

    def _archive(self, memory_ids: Collection[str], revision: int, now_us: int) -> None:
        self.memories = [
            replace(
                memory,
                status=Status.ARCHIVED,
                archive_time_us=now_us,
                update_time_us=now_us,
                revision=revision,
            )
            if memory.memory_id in memory_ids
            else memory
            for memory in self.memories
        ]

    def _learn(self, write: RecordLearned, revision: int, now_us: int) -> LearnedSegment:
        """Once; who asks again is told what it was, as far as it is active."""
        self.pipeline.work.held(write.lease)
        segment = self.pipeline.segment(write.lease.session_id, write.segment_id)
        if segment.state is SegmentState.EXTRACTED:
            return LearnedSegment(tagged(segment, self.memories), 0, frozenset())
        session = self.ledger.session(write.lease.session_id)
        assert session is not None, "it has a segment"
        learned = self.pipeline.learned(write, session, revision, now_us)
        taken = [
            self._take_in(one, write.vectors.get(one.memory_id), revision, now_us).memory
            for one in learned
        ]
        held = list({one.memory_id: one for one in taken}.values())
        self.pipeline.teach(write, held, revision, now_us)
        self._lessons_came(held, now_us)
        self.revision = revision
        kinds = frozenset(memory.kind for memory in held)
        ids = tuple(memory.memory_id for memory in held)
        return LearnedSegment(ids, len(write.memories) - len(learned), kinds)

    def _lessons_came(self, stored: Collection[Memory], now_us: int) -> None:
        if any(memory.kind is Kind.LEARNING for memory in stored):
            self.pipeline.work.pend(Work.CLUSTER, "", now_us, now_us)

    def _promote(self, write: PromoteEpisodes, revision: int, now_us: int) -> int:
        """Drawers of the session get summaries; others are passed over."""
        name = self.pipeline.work.held(write.lease).session_id
        count = 0
        for place, memory in enumerate(self.memories):
            ours = memory.session_id == name and memory.memory_id in write.summaries
            if ours and isinstance(memory.part, Episode):
                self.memories[place] = replace(
                    memory,
                    summary=write.summaries[memory.memory_id],
                    part=replace(memory.part, stage=EpisodeStage.MEDIUM_TERM),
                    update_time_us=now_us,
                    revision=revision,
                )
                self._put.append(memory.memory_id)
                count += 1
        self.pipeline.work.complete(write.lease, now_us)
        self.pipeline.work.follow(Work.COMPRESS, name, now_us)
        self.revision = revision if count else self.revision
        return count

    def _expire(self, write: ExpireSession, revision: int, now_us: int) -> int:
        """Once it is finished long enough; while it is worked on again, the end is waited for."""
        work = self.pipeline.work
        name = work.held(write.lease).session_id
        finished_us = work.finished_us(name)
        if finished_us is not None and finished_us + write.retain_us > now_us:
            work.postpone(write.lease, finished_us + write.retain_us, now_us)
            return 0
        work.complete(write.lease, now_us)
        if finished_us is None:
            return 0
        before = self.ledger.session(name)
        events = self.ledger.expire(name, revision, now_us)
        if self.ledger.session(name) is not before:
            self.pipeline.cut_away(name)
            self.revision = revision
        return events
