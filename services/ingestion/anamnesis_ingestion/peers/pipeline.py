"""The memory service as the pipeline sees it: every session, whoever may see it."""

import os
import socket
import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, time

import numpy as np

from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis.memory.v1.knowledge_service_pb2 import ListFactsRequest
from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis.memory.v1.memory_pb2 import (
    MEMORY_KIND_LEARNING,
    MEMORY_KIND_PROCEDURAL,
    MEMORY_KIND_SEMANTIC,
    TIME_PRECISION_INSTANT,
    Memory,
)
from anamnesis.memory.v1.memory_service_pb2 import EmbedRequest, ListMemoriesRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_ingestion.convert.ledger import (
    from_caller,
    from_time,
    to_event,
    to_session,
    to_time,
)
from anamnesis_ingestion.convert.pipeline import (
    from_claim,
    from_cut,
    from_knowledge,
    from_measures,
    from_stage,
    from_state,
    to_claim,
    to_item,
    to_segment,
    to_stage,
    to_state,
)
from anamnesis_ingestion.learning.knowledge import Held, Knowledge
from anamnesis_ingestion.learning.links.model import LearnedLink
from anamnesis_ingestion.ledger import Caller, LedgerEvent, Session
from anamnesis_ingestion.pipeline.work import (
    Counts,
    PipelineStage,
    Segment,
    StageClaim,
    StageState,
    Wish,
    WorkItem,
)
from anamnesis_ingestion.segmentation.tasks import PreviousCut
from anamnesis_ingestion.trajectory.measures import Measures
from anamnesis_libs.models.ports import Matrix
from anamnesis_libs.paging import PAGE_SIZE_MAX
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import call
from anamnesis_libs.zones import on_clock

_EMBED_TEXTS_MAX = 32
"""Few enough that a busy machine embeds them within one call's time."""
_RIVALS_MAX = 2000
"""So many facts of one subject and predicate are read to find what ends what."""
_LEARNED = (MEMORY_KIND_SEMANTIC, MEMORY_KIND_LEARNING, MEMORY_KIND_PROCEDURAL)


def _held(memory: Memory) -> Held:
    """A fact with its times as those of whoever told it; midnights are the calendar's."""
    offset = memory.utc_offset_minutes
    dated = memory.HasField("event_time")
    fact = memory.fact
    until = to_time(fact.valid_to, "valid_to") if fact.HasField("valid_to") else None
    since = to_time(fact.valid_from, "valid_from") if fact.HasField("valid_from") else None
    at_moment = fact.time_precision == TIME_PRECISION_INSTANT
    return Held(
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        told_at=on_clock(to_time(memory.event_time, "event_time"), offset) if dated else None,
        ended=until is not None and not fact.superseded,
        since=on_clock(since, offset) if since and at_moment else since,
        until=until if until is None or until.time() == time() else on_clock(until, offset),
    )


class PipelinePeer:
    """Implements `PipelineMemory` over a channel; each call has `timeout_s`."""

    def __init__(self, channels: Channels, timeout_s: float, lease_s: int) -> None:
        channel = channels.to("memory")
        self._ledger = LedgerServiceStub(channel)
        self._memory = MemoryServiceStub(channel)
        self._knowledge = KnowledgeServiceStub(channel)
        self._timeout_s = timeout_s
        self._lease_s = lease_s
        self.holder = f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex[:8]}"

    async def claim(self, wish: Wish) -> Sequence[StageClaim]:
        """See `WorkBoard.claim`."""
        request = pb.ClaimWorkRequest(
            namespace=wish.namespace,
            kinds=map(from_stage, wish.stages),
            holder=self.holder,
            limit=wish.limit,
            lease_seconds=self._lease_s,
            even_if_early=wish.even_if_early,
            session_id=wish.session_id,
        )
        answer = await call(self._ledger.ClaimWork, request, timeout_s=self._timeout_s)
        return [to_claim(item) for item in answer.items]

    async def renew(self, claims: Sequence[StageClaim]) -> Sequence[StageClaim]:
        """See `WorkBoard.renew`."""
        request = pb.RenewWorkRequest(
            namespace=claims[0].namespace,
            leases=map(from_claim, claims),
            lease_seconds=self._lease_s,
        )
        answer = await call(self._ledger.RenewWork, request, timeout_s=self._timeout_s)
        lost = {(lease.kind, lease.session_id) for lease in answer.lost}
        return [one for one in claims if (from_stage(one.stage), one.session_id) in lost]

    async def complete(self, claim: StageClaim) -> None:
        """See `WorkBoard.complete`."""
        request = pb.CompleteWorkRequest(namespace=claim.namespace, lease=from_claim(claim))
        await call(self._ledger.CompleteWork, request, timeout_s=self._timeout_s)

    async def fail(self, claim: StageClaim, reason: str, wait_s: float) -> None:
        """See `WorkBoard.fail`."""
        request = pb.FailWorkRequest(
            namespace=claim.namespace,
            lease=from_claim(claim),
            reason=reason,
            retry_after_seconds=round(wait_s),
        )
        await call(self._ledger.FailWork, request, timeout_s=self._timeout_s)

    async def counts(self, namespace: str, session_id: str = "") -> Counts:
        """See `WorkBoard.counts`."""
        request = pb.ListWorkRequest(
            namespace=namespace,
            kinds=map(from_stage, PipelineStage),
            session_id=session_id,
            page_size=1,
        )
        answer = await call(self._ledger.ListWork, request, timeout_s=self._timeout_s)
        return {(to_stage(one.kind), to_state(one.state)): one.count for one in answer.counts}

    async def items(
        self,
        namespace: str,
        session_id: str,
        states: Sequence[StageState],
        page_size: int,
        page_token: str,
    ) -> tuple[Sequence[WorkItem], str]:
        """See `WorkBoard.items`."""
        request = pb.ListWorkRequest(
            namespace=namespace,
            kinds=map(from_stage, PipelineStage),
            states=map(from_state, states),
            session_id=session_id,
            page_size=page_size,
            page_token=page_token,
        )
        answer = await call(self._ledger.ListWork, request, timeout_s=self._timeout_s)
        return [to_item(item) for item in answer.items], answer.next_page_token

    async def retry(self, namespace: str, session_id: str, stages: Sequence[PipelineStage]) -> int:
        """See `WorkBoard.retry`."""
        request = pb.RetryWorkRequest(
            namespace=namespace,
            kinds=map(from_stage, stages or PipelineStage),
            session_id=session_id,
        )
        answer = await call(self._ledger.RetryWork, request, timeout_s=self._timeout_s)
        return answer.retried

    async def session(self, namespace: str, session_id: str) -> Session:
        """See `Sessions.session`."""
        request = pb.GetSessionRequest(
            namespace=namespace, session_id=session_id, all_visibilities=True
        )
        answer = await call(self._ledger.GetSession, request, timeout_s=self._timeout_s)
        return to_session(answer.session)

    async def events(
        self, namespace: str, session_id: str, first_index: int = 0, last_index: int | None = None
    ) -> Sequence[LedgerEvent]:
        """See `Sessions.events`."""
        request = pb.ListEventsRequest(
            namespace=namespace,
            session_id=session_id,
            page_size=PAGE_SIZE_MAX,
            all_visibilities=True,
            first_event_index=first_index,
        )
        found: list[LedgerEvent] = []
        while True:
            page = await call(self._ledger.ListEvents, request, timeout_s=self._timeout_s)
            for event in page.events:
                if last_index is not None and event.index > last_index:
                    return found
                found.append(to_event(event, "events"))
            request.page_token = page.next_page_token
            if not page.next_page_token:
                return found

    async def segments(self, namespace: str, session_id: str) -> Sequence[Segment]:
        """See `Sessions.segments`."""
        request = pb.ListSegmentsRequest(
            namespace=namespace,
            session_id=session_id,
            page_size=PAGE_SIZE_MAX,
            all_visibilities=True,
        )
        found: list[Segment] = []
        while True:
            page = await call(self._ledger.ListSegments, request, timeout_s=self._timeout_s)
            found += map(to_segment, page.segments)
            request.page_token = page.next_page_token
            if not page.next_page_token:
                return found

    async def segments_seen_by(
        self,
        namespace: str,
        caller: Caller,
        task_type: str,
        min_score: float,
        page_token: str,
    ) -> tuple[Sequence[Segment], str]:
        """See `Sessions.segments_seen_by`."""
        request = pb.ListSegmentsRequest(
            namespace=namespace,
            caller=from_caller(caller),
            task_type=task_type,
            min_score=min_score,
            page_size=PAGE_SIZE_MAX,
            page_token=page_token,
        )
        page = await call(self._ledger.ListSegments, request, timeout_s=self._timeout_s)
        return [to_segment(one) for one in page.segments], page.next_page_token

    async def held(
        self, namespace: str, subjects: Collection[str], user_id: str, as_of: datetime | None
    ) -> Sequence[Held]:
        """See `Sessions.held`."""
        found: list[Held] = []
        for subject in subjects:
            request = ListFactsRequest(
                namespace=namespace,
                caller=from_caller(Caller(user_id=user_id)),
                subject=subject,
                as_of=from_time(as_of),
                page_size=PAGE_SIZE_MAX,
            )
            answer = await call(self._knowledge.ListFacts, request, timeout_s=self._timeout_s)
            found += (_held(one.memory) for one in answer.facts)
        return found

    async def rivals(
        self, namespace: str, asked: Collection[tuple[str, str]], user_id: str
    ) -> Sequence[Held]:
        """See `Sessions.rivals`."""
        found: list[Held] = []
        for subject, predicate in asked:
            request = ListFactsRequest(
                namespace=namespace,
                caller=from_caller(Caller(user_id=user_id)),
                subject=subject,
                predicate=predicate,
                page_size=PAGE_SIZE_MAX,
            )
            for _ in range(_RIVALS_MAX // PAGE_SIZE_MAX):
                answer = await call(self._knowledge.ListFacts, request, timeout_s=self._timeout_s)
                found += (_held(one.memory) for one in answer.facts)
                request.page_token = answer.next_page_token
                if not request.page_token:
                    break
        return found

    async def embed(self, namespace: str, texts: Sequence[str]) -> Matrix:
        """See `Sessions.embed`."""
        found: list[Sequence[float]] = []
        for start in range(0, len(texts), _EMBED_TEXTS_MAX):
            part = texts[start : start + _EMBED_TEXTS_MAX]
            request = EmbedRequest(namespace=namespace, texts=part)
            answer = await call(self._memory.Embed, request, timeout_s=self._timeout_s)
            found += (embedding.vector for embedding in answer.embeddings)
        return np.array(found, dtype=np.float32)

    async def learned_memories(
        self, namespace: str, session_id: str, caller: Caller
    ) -> Sequence[Memory]:
        """The memories that were learned from a session, as far as the caller may see them."""
        request = ListMemoriesRequest(
            namespace=namespace,
            caller=from_caller(caller),
            filter=MemoryFilter(session_ids=[session_id], kinds=_LEARNED),
            page_size=PAGE_SIZE_MAX,
        )
        answer = await call(self._memory.ListMemories, request, timeout_s=self._timeout_s)
        return answer.memories

    async def recut(
        self, claim: StageClaim, segments: Sequence[PreviousCut], segmenter: str
    ) -> int:
        """See `Results.recut`."""
        request = from_cut(claim, segments, segmenter)
        answer = await call(self._ledger.ReplaceSegments, request, timeout_s=self._timeout_s)
        return len(answer.segments)

    async def measured(
        self, claim: StageClaim, segment_id: str, measures: Measures, labeller: str
    ) -> None:
        """See `Results.measured`."""
        request = from_measures(claim, segment_id, measures, labeller)
        await call(self._ledger.UpdateSegment, request, timeout_s=self._timeout_s)

    async def learned(
        self,
        claim: StageClaim,
        segment: Segment,
        knowledge: Knowledge,
        drawers: Mapping[int, str],
        extractor: str,
        links: Sequence[LearnedLink] = (),
    ) -> None:
        """See `Results.learned`."""
        request = from_knowledge(claim, segment, knowledge, drawers, extractor, links)
        await call(self._ledger.RecordLearned, request, timeout_s=self._timeout_s)

    async def promoted(self, claim: StageClaim, summaries: Mapping[str, str]) -> int:
        """See `Results.promoted`."""
        request = pb.PromoteEpisodesRequest(
            namespace=claim.namespace,
            lease=from_claim(claim),
            episodes=[
                pb.PromotedEpisode(memory_id=memory_id, summary=summary)
                for memory_id, summary in summaries.items()
            ],
        )
        answer = await call(self._ledger.PromoteEpisodes, request, timeout_s=self._timeout_s)
        return answer.promoted
