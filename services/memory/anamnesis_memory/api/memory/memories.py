"""MemoryService: what is stored and removed, candidates, vectors."""

import asyncio
from collections.abc import AsyncIterator, Callable

import numpy as np
from grpc import aio

from anamnesis.memory.v1 import memory_pb2
from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis_libs.chunking import embedding_texts
from anamnesis_libs.errors.not_found import NamespaceNotFound
from anamnesis_libs.models.ports import Embedder
from anamnesis_libs.redaction.policy import DEFAULT_POLICY, RedactionPolicy
from anamnesis_libs.rpc.peers import remaining_s
from anamnesis_memory.api.convert.memory import from_memory, from_outcome
from anamnesis_memory.api.convert.policy import from_context_policy
from anamnesis_memory.api.convert.search import from_hit, from_hits, from_statistics, to_query
from anamnesis_memory.api.convert.values import mean_row, to_rows
from anamnesis_memory.api.creating import Creator
from anamnesis_memory.api.memory.watch import Watcher
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder, sources_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token

WAIT_S_MAX = 30.0


class MemoryRpcs:
    """Serves memories; see the proto for what each rpc promises."""

    def __init__(
        self,
        calls: Calls,
        prepare: Preparer,
        creator: Creator,
        finder: CandidateFinder,
        embedder: Embedder,
        watcher: Watcher,
    ) -> None:
        self._calls = calls
        self._prepare = prepare
        self._creator = creator
        self._finder = finder
        self._embedder = embedder
        self._watcher = watcher

    async def CreateMemory(
        self,
        request: pb.CreateMemoryRequest,
        context: aio.ServicerContext[pb.CreateMemoryRequest, pb.CreateMemoryResponse],
    ) -> pb.CreateMemoryResponse:
        """Store one memory."""
        async with self._calls.writing(request.namespace) as opened:
            write = await self._creator.ready(opened, [request.memory], "memory")
            async with self._calls.work_due(opened, self._calls.lessons_due(write.kinds)):
                return await self._calls.commit(
                    opened, request, write, _created(opened), pb.CreateMemoryResponse
                )

    async def BatchCreateMemories(
        self,
        request: pb.BatchCreateMemoriesRequest,
        context: aio.ServicerContext[pb.BatchCreateMemoriesRequest, pb.BatchCreateMemoriesResponse],
    ) -> pb.BatchCreateMemoriesResponse:
        """Store several memories, all or none."""
        async with self._calls.writing(request.namespace) as opened:
            write = await self._creator.ready(opened, request.memories, "memories[{}]")
            async with self._calls.work_due(opened, self._calls.lessons_due(write.kinds)):
                return await self._calls.commit(
                    opened, request, write, _batch_created(opened), pb.BatchCreateMemoriesResponse
                )

    async def Embed(
        self,
        request: pb.EmbedRequest,
        context: aio.ServicerContext[pb.EmbedRequest, pb.EmbedResponse],
    ) -> pb.EmbedResponse:
        """Make vectors of texts; a long text is embedded in pieces and averaged."""
        prepare = self._prepare.asking(await self._redaction_of(request.namespace))
        clean = await asyncio.to_thread(lambda: [prepare.clean(text) for text in request.texts])
        texts = [embedding_texts(text, "") for text in clean]
        embedder = await self._embedder_of(request.namespace)
        rows = await embedder.embed([piece for pieces in texts for piece in pieces])
        parts = np.split(rows, np.cumsum([len(pieces) for pieces in texts])[:-1])
        return pb.EmbedResponse(
            embeddings=[
                memory_pb2.Embedding(model=self._embedder.model, vector=mean_row(part).tolist())
                for part in parts
            ]
        )

    async def FindCandidates(
        self,
        request: pb.FindCandidatesRequest,
        context: aio.ServicerContext[pb.FindCandidatesRequest, pb.FindCandidatesResponse],
    ) -> pb.FindCandidatesResponse:
        """Score a scope against a query."""
        async with self._calls.reading(request.namespace) as opened:
            space = opened.namespace
            rows = to_rows(request.query_embedding, space.embedding_dimension, "query_embedding")
            if not opened.policy.recalls(request.caller.agent_id):
                return _nothing_recalled(opened)
            prepare = self._prepare.asking(opened.policy.redaction)
            text = await prepare.clean_query(request.query)
            meaning = await prepare.clean_query(request.meaning) if request.meaning else ""
            candidates = await self._finder.find(
                opened,
                to_query(request, text, meaning, None if rows is None else rows[0]),
                await self._calls.check_revision(opened, request.at_least_revision),
                remaining_s(context, WAIT_S_MAX),
            )
            hits = candidates.found.hits
            sources = await sources_of(opened, hits)
            return pb.FindCandidatesResponse(
                candidates=()
                if request.in_columns
                else [from_hit(hit, sources.get(hit.memory_id, ())) for hit in hits],
                columns=from_hits(hits, sources) if request.in_columns else None,
                scope=from_statistics(candidates.found.scope, candidates.model),
                revision=revision_token(space, candidates.revision),
                degraded=candidates.degraded,
                query=text,
                context=from_context_policy(opened.policy),
            )

    async def _redaction_of(self, name: str) -> RedactionPolicy:
        """The redaction policy of a namespace; the default where there is none of this name."""
        try:
            async with self._calls.reading(name) as opened:
                return opened.policy.redaction
        except NamespaceNotFound:
            return DEFAULT_POLICY

    async def _embedder_of(self, name: str) -> Embedder:
        """The embedder of a namespace; where there is none of this name, the one of all."""
        try:
            async with self._calls.reading(name) as opened:
                return opened.follower.embedder
        except NamespaceNotFound:
            return self._embedder

    def WatchMemories(
        self,
        request: pb.WatchMemoriesRequest,
        context: aio.ServicerContext[pb.WatchMemoriesRequest, pb.WatchMemoriesResponse],
    ) -> AsyncIterator[pb.WatchMemoriesResponse]:
        """Stream changes after a revision, then as they happen."""
        return self._watcher.stream(request)


def _nothing_recalled(opened: OpenNamespace) -> pb.FindCandidatesResponse:
    return pb.FindCandidatesResponse(
        revision=revision_token(opened.namespace, opened.follower.watermark),
        degraded=["the namespace's policy has recall switched off for this agent"],
    )


def _batch_created(
    opened: OpenNamespace,
) -> Callable[[tuple[Created, ...], int], pb.BatchCreateMemoriesResponse]:
    return lambda made, revision: pb.BatchCreateMemoriesResponse(
        memories=[from_memory(one.memory, opened.namespace) for one in made],
        revision=revision_token(opened.namespace, revision),
        outcomes=[from_outcome(one.outcome) for one in made],
    )


def _created(
    opened: OpenNamespace,
) -> Callable[[tuple[Created, ...], int], pb.CreateMemoryResponse]:
    return lambda made, revision: pb.CreateMemoryResponse(
        memory=from_memory(made[0].memory, opened.namespace),
        revision=revision_token(opened.namespace, revision),
        outcome=from_outcome(made[0].outcome),
    )
