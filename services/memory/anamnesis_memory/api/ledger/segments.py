"""The part of LedgerService that keeps segments, and what they teach."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from grpc import aio

from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis_libs.participants import participants
from anamnesis_memory.api.convert.entity import to_named
from anamnesis_memory.api.convert.graph import to_shown_edges
from anamnesis_memory.api.convert.memory import to_draft
from anamnesis_memory.api.convert.segment import (
    from_cut,
    from_segment,
    from_task_type,
    to_pieces,
    to_segment_filter,
    to_summaries,
    to_update,
)
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.api.convert.work import to_lease
from anamnesis_memory.api.ledger.work import PipelineRules
from anamnesis_memory.dedup.check import Check
from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.knowledge.intake import KnowledgeRules
from anamnesis_memory.ledger.cut import ReplaceSegments
from anamnesis_memory.ledger.recutting import cut_anew
from anamnesis_memory.memories.learn import PromoteEpisodes, RecordLearned, owned
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Vectors, Work
from anamnesis_memory.ports import IndexRecord
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.checked import LessonGate
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token


class SegmentRpcs:
    """Serves segments; see the proto for what each rpc promises."""

    def __init__(
        self, calls: Calls, prepare: Preparer, rules: PipelineRules, gate: LessonGate
    ) -> None:
        self._calls = calls
        self._prepare = prepare
        self._rules = rules
        self._gate = gate

    async def ListSegments(
        self,
        request: pb.ListSegmentsRequest,
        context: aio.ServicerContext[pb.ListSegmentsRequest, pb.ListSegmentsResponse],
    ) -> pb.ListSegmentsResponse:
        """List segments by session and place in it."""
        page = page_of(request, (str, int))
        after = (str(page.after[0]), int(page.after[1])) if page.after else None
        caller = None if request.all_visibilities else to_caller(request.caller)
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            found = await opened.store.list_segments(
                to_segment_filter(request), caller, after, page.size + 1
            )
            segments, token = page.take(found, lambda one: (one.session_id, one.first_index))
            return pb.ListSegmentsResponse(
                segments=[from_segment(one, opened.namespace) for one in segments],
                next_page_token=token,
            )

    async def ReplaceSegments(
        self,
        request: pb.ReplaceSegmentsRequest,
        context: aio.ServicerContext[pb.ReplaceSegmentsRequest, pb.ReplaceSegmentsResponse],
    ) -> pb.ReplaceSegmentsResponse:
        """Store how a session is cut; its segments are to be measured then."""
        lease = to_lease(request.lease, kind=Work.SEGMENT)
        async with self._calls.changing(request.namespace) as opened:
            prepare = self._prepare.asking(opened.policy.redaction)
            pieces = await asyncio.to_thread(prepare.pieces, to_pieces(request.segments))
            write = ReplaceSegments(lease, request.session_etag, pieces, request.segmenter)
            async with self._calls.work_due(opened, ((Work.LABEL, self._calls.now_us()),)):
                cut, revision = await cut_anew(
                    opened.store,
                    write,
                    opened.policy.predicates,
                    lambda ready: self._calls.apply(opened, ready),
                )
            return from_cut(cut, revision, opened.namespace)

    async def UpdateSegment(
        self,
        request: pb.UpdateSegmentRequest,
        context: aio.ServicerContext[pb.UpdateSegmentRequest, pb.UpdateSegmentResponse],
    ) -> pb.UpdateSegmentResponse:
        """Store the measures of one segment."""
        async with self._calls.changing(request.namespace) as opened:
            prepare = self._prepare.asking(opened.policy.redaction)
            write = await asyncio.to_thread(to_update, request, prepare.document)
            segment, revision = await self._calls.apply(opened, write)
            return pb.UpdateSegmentResponse(
                segment=from_segment(segment, opened.namespace),
                revision=revision_token(opened.namespace, revision),
            )

    async def RecordLearned(
        self,
        request: pb.RecordLearnedRequest,
        context: aio.ServicerContext[pb.RecordLearnedRequest, pb.RecordLearnedResponse],
    ) -> pb.RecordLearnedResponse:
        """Store what one segment teaches, once."""
        async with self._calls.changing(request.namespace) as opened:
            self._calls.check_model(opened)
            ready = await self._ready(opened, request)
            write = _learned(
                request,
                ready,
                *await self._gate.passed(opened, ready),
                self._knowledge(opened, request, ready),
            )
            write = replace(
                write,
                mentions=await self._mentions(opened, request),
                edges=to_shown_edges(request.edges),
            )
            async with self._calls.work_due(opened, self._calls.lessons_due(write.kinds)):
                learned, revision = await self._calls.apply(opened, write)
            return pb.RecordLearnedResponse(
                memory_ids=learned.memory_ids,
                forgotten=learned.forgotten,
                revision=revision_token(opened.namespace, revision),
            )

    async def PromoteEpisodes(
        self,
        request: pb.PromoteEpisodesRequest,
        context: aio.ServicerContext[pb.PromoteEpisodesRequest, pb.PromoteEpisodesResponse],
    ) -> pb.PromoteEpisodesResponse:
        """Give drawers their consolidated summaries."""
        lease = to_lease(request.lease, kind=Work.COMPRESS)
        retain_us = self._rules.retain_us
        due = ((Work.RETAIN, self._calls.now_us() + retain_us),)
        async with self._calls.changing(request.namespace) as opened:
            prepare = self._prepare.asking(opened.policy.redaction)
            summaries = await asyncio.to_thread(prepare.summaries, to_summaries(request.episodes))
            write = PromoteEpisodes(lease, summaries, retain_us)
            async with self._calls.work_due(opened, due):
                promoted, revision = await self._calls.apply(opened, write)
            return pb.PromoteEpisodesResponse(
                promoted=promoted, revision=revision_token(opened.namespace, revision)
            )

    async def GetTrajectoryStats(
        self,
        request: pb.GetTrajectoryStatsRequest,
        context: aio.ServicerContext[pb.GetTrajectoryStatsRequest, pb.GetTrajectoryStatsResponse],
    ) -> pb.GetTrajectoryStatsResponse:
        """Count segments by task type and score."""
        rules = self._rules
        async with self._calls.reading(request.namespace) as opened:
            found = await opened.store.task_types(
                to_caller(request.caller), rules.lesson_score_min, rules.sft_score_min
            )
            return pb.GetTrajectoryStatsResponse(task_types=map(from_task_type, found))

    async def _ready(
        self, opened: OpenNamespace, request: pb.RecordLearnedRequest
    ) -> list[IndexRecord]:
        """The learned memories, redacted and summarised on a thread, as the session's owners'."""
        space, now_us = opened.namespace, self._calls.now_us()
        drafts = [
            to_draft(new, new_id(now_us), space.embedding_dimension, f"memories[{position}]")
            for position, new in enumerate(request.memories)
        ]
        prepare = self._prepare.asking(opened.policy.redaction)
        session = await opened.store.session(request.lease.session_id)
        owners = () if session is None else (*participants(session.user_id), session.agent_id)
        clean = await asyncio.to_thread(prepare.memories, drafts, owners)
        return [
            IndexRecord(memory if session is None else owned(memory, session), rows)
            for memory, rows in clean
        ]

    def _knowledge(
        self,
        opened: OpenNamespace,
        request: pb.RecordLearnedRequest,
        ready: Sequence[IndexRecord],
    ) -> KnowledgeRules:
        """The rules by which learned facts settle, and the entities that each memory names."""
        prepare = self._prepare.asking(opened.policy.redaction)
        named = {
            one.memory.memory_id: prepare.named(
                to_named(new.named_entities),
                (*participants(one.memory.user_id), one.memory.agent_id),
            )
            for one, new in zip(ready, request.memories, strict=True)
            if new.named_entities
        }
        return KnowledgeRules(opened.policy.predicates, named, learned=True)

    async def _mentions(
        self, opened: OpenNamespace, request: pb.RecordLearnedRequest
    ) -> Mapping[str, tuple[Named, ...]]:
        """The entities that drawers name, by the drawers' ids, redacted on a thread."""
        prepare = self._prepare.asking(opened.policy.redaction)
        clean = await asyncio.to_thread(
            prepare.named, to_named(one.entity for one in request.mentions)
        )
        named: defaultdict[str, list[Named]] = defaultdict(list)
        for asked, one in zip(request.mentions, clean, strict=True):
            named[asked.memory_id].append(one)
        return {memory_id: tuple(each) for memory_id, each in named.items()}


def _learned(
    request: pb.RecordLearnedRequest,
    ready: Sequence[IndexRecord],
    vectors: Sequence[Vectors | None],
    check: Check,
    knowledge: KnowledgeRules,
) -> RecordLearned:
    """The write that a request asks for."""
    refusals: Counter[str] = Counter()
    for refusal in request.refusals:
        refusals[refusal.reason] += refusal.count
    memories = [one.memory for one in ready]
    return RecordLearned(
        lease=to_lease(request.lease, kind=Work.EXTRACT),
        segment_id=request.segment_id,
        memories=memories,
        vectors={
            memory.memory_id: rows
            for memory, rows in zip(memories, vectors, strict=True)
            if rows is not None
        },
        refusals=refusals,
        extractor=request.extractor,
        check=check,
        knowledge=knowledge,
    )
