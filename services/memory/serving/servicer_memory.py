"""MemoryService: writes and reads of memories, candidates, vectors."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

import numpy as np
from grpc import aio

from anamnesis.memory.v1 import memory_pb2, memory_service_pb2_grpc
from anamnesis.memory.v1 import memory_service_pb2 as pb
from libs.absent import MemoryNotFound
from libs.models.ports import Embedder
from libs.paging import read_page
from libs.pieces import embedding_texts
from libs.rpc.peers import remaining_s
from services.memory.create import CreateMemories
from services.memory.delete import DeleteMemory
from services.memory.erasure.deleting import deleted
from services.memory.ids import new_id
from services.memory.indexing.candidates import CandidateFinder, sources_of
from services.memory.indexing.open_namespaces import OpenNamespace
from services.memory.model import Kind, Memory
from services.memory.prepare import Preparer
from services.memory.serving.calls import Calls, page_query
from services.memory.serving.convert_memory import from_memory, to_draft, to_filter
from services.memory.serving.convert_search import (
    CANDIDATES_DEFAULT,
    from_hit,
    from_statistics,
    to_request_scope,
    to_weights,
)
from services.memory.serving.convert_segment import from_activity
from services.memory.serving.convert_values import mean_row, to_caller, to_rows
from services.memory.serving.revisions import revision_token
from services.memory.serving.servicer_watch import Watcher

WAIT_S_MAX = 30.0


class MemoryServicer(memory_service_pb2_grpc.MemoryServiceServicer):
    """Serves memories; see the proto for what each rpc promises."""

    def __init__(
        self,
        calls: Calls,
        prepare: Preparer,
        finder: CandidateFinder,
        embedder: Embedder,
        watcher: Watcher,
    ) -> None:
        self._calls = calls
        self._prepare = prepare
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
            write = await self._creation(opened, [request.memory], "memory")
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
            write = await self._creation(opened, request.memories, "memories[{}]")
            async with self._calls.work_due(opened, self._calls.lessons_due(write.kinds)):
                return await self._calls.commit(
                    opened, request, write, _batch_created(opened), pb.BatchCreateMemoriesResponse
                )

    async def GetMemory(
        self,
        request: pb.GetMemoryRequest,
        context: aio.ServicerContext[pb.GetMemoryRequest, pb.GetMemoryResponse],
    ) -> pb.GetMemoryResponse:
        """Read one memory in full."""
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            caller = to_caller(request.caller)
            found = await opened.store.memories([request.memory_id], caller)
            if not found:
                raise MemoryNotFound(request.memory_id)
            return pb.GetMemoryResponse(memory=from_memory(found[0], opened.namespace))

    async def BatchGetMemories(
        self,
        request: pb.BatchGetMemoriesRequest,
        context: aio.ServicerContext[pb.BatchGetMemoriesRequest, pb.BatchGetMemoriesResponse],
    ) -> pb.BatchGetMemoriesResponse:
        """Read several memories in full, in the order asked for."""
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            caller = None if request.all_visibilities else to_caller(request.caller)
            found = await opened.store.memories(request.memory_ids, caller)
            ids = [memory.memory_id for memory in found]
            rows = await opened.store.embeddings(ids) if request.include_embeddings else {}
            there = set(ids)
            return pb.BatchGetMemoriesResponse(
                memories=[
                    from_memory(memory, opened.namespace, rows.get(memory.memory_id))
                    for memory in found
                ],
                missing_memory_ids=[asked for asked in request.memory_ids if asked not in there],
            )

    async def ListMemories(
        self,
        request: pb.ListMemoriesRequest,
        context: aio.ServicerContext[pb.ListMemoriesRequest, pb.ListMemoriesResponse],
    ) -> pb.ListMemoriesResponse:
        """List memories in the order in which they were stored."""
        page = read_page(request.page_size, request.page_token, page_query(request))
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            after = int(page.after[0]) if page.after else 0
            caller = None if request.all_visibilities else to_caller(request.caller)
            listing = await opened.store.list_memories(
                to_filter(request.filter), caller, after, page.size
            )
            last = listing.next_after
            return pb.ListMemoriesResponse(
                memories=[from_memory(memory, opened.namespace) for memory in listing.items],
                next_page_token="" if last is None else page.next_token((last,)),
            )

    async def ListActivity(
        self,
        request: pb.ListActivityRequest,
        context: aio.ServicerContext[pb.ListActivityRequest, pb.ListActivityResponse],
    ) -> pb.ListActivityResponse:
        """List what was learned, the newest first."""
        page = read_page(request.page_size, request.page_token, page_query(request))
        before = (int(page.after[0]), str(page.after[1])) if page.after else None
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            found = await opened.store.list_activities(
                request.session_id, to_caller(request.caller), before, page.size + 1
            )
            activities, token = page.take(found, lambda one: (one.revision, one.segment_id))
            return pb.ListActivityResponse(
                activities=[from_activity(one, opened.namespace) for one in activities],
                next_page_token=token,
            )

    async def DeleteMemory(
        self,
        request: pb.DeleteMemoryRequest,
        context: aio.ServicerContext[pb.DeleteMemoryRequest, pb.DeleteMemoryResponse],
    ) -> pb.DeleteMemoryResponse:
        """Remove one memory for good."""
        async with self._calls.reading(request.namespace) as opened:
            try:
                return await self._delete(opened, request)
            finally:
                # also where it is gone already: the answer to who removed it may be lost
                self._calls.changed(opened)
                await opened.follower.wait_for_text(
                    opened.store.revision, remaining_s(context, WAIT_S_MAX)
                )

    async def _delete(
        self, opened: OpenNamespace, request: pb.DeleteMemoryRequest
    ) -> pb.DeleteMemoryResponse:
        write = DeleteMemory(request.memory_id, to_caller(request.caller), request.etag)
        async with self._calls.work_due(opened, self._calls.lessons_due((Kind.LEARNING,))):
            return await deleted(
                opened.store,
                write,
                lambda ready: self._calls.commit(
                    opened,
                    request,
                    ready,
                    lambda _, revision: pb.DeleteMemoryResponse(
                        revision=revision_token(opened.namespace, revision)
                    ),
                    pb.DeleteMemoryResponse,
                ),
            )

    async def Embed(
        self,
        request: pb.EmbedRequest,
        context: aio.ServicerContext[pb.EmbedRequest, pb.EmbedResponse],
    ) -> pb.EmbedResponse:
        """Make vectors of texts; a long text is embedded in pieces and averaged."""
        texts = [embedding_texts(self._prepare.clean(text), "") for text in request.texts]
        rows = await self._embedder.embed([piece for pieces in texts for piece in pieces])
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
            candidates = await self._finder.find(
                opened,
                self._prepare.clean(request.query),
                None if rows is None else rows[0],
                to_request_scope(request),
                to_weights(request),
                request.limit or CANDIDATES_DEFAULT,
                await self._calls.check_revision(opened, request.at_least_revision),
                remaining_s(context, WAIT_S_MAX),
            )
            hits = candidates.found.hits
            sources = await sources_of(opened, hits)
            return pb.FindCandidatesResponse(
                candidates=[from_hit(hit, sources.get(hit.memory_id, ())) for hit in hits],
                scope=from_statistics(candidates.found.scope),
                revision=revision_token(space, candidates.revision),
                degraded=candidates.degraded,
            )

    def WatchMemories(
        self,
        request: pb.WatchMemoriesRequest,
        context: aio.ServicerContext[pb.WatchMemoriesRequest, pb.WatchMemoriesResponse],
    ) -> AsyncIterator[pb.WatchMemoriesResponse]:
        """Stream changes after a revision, then as they happen."""
        return self._watcher.stream(request)

    async def _creation(
        self, opened: OpenNamespace, stated: Sequence[pb.NewMemory], path: str
    ) -> CreateMemories:
        """Make stated memories ready on a thread."""
        space, now_us = opened.namespace, self._calls.now_us()
        drafts = [
            to_draft(new, new_id(now_us), space.embedding_dimension, path.format(position))
            for position, new in enumerate(stated)
        ]
        ready = await asyncio.to_thread(self._prepare.memories, drafts)
        return CreateMemories([memory for memory, _ in ready], [rows for _, rows in ready])


def _created(
    opened: OpenNamespace,
) -> Callable[[tuple[Memory, ...], int], pb.CreateMemoryResponse]:
    return lambda made, revision: pb.CreateMemoryResponse(
        memory=from_memory(made[0], opened.namespace),
        revision=revision_token(opened.namespace, revision),
    )


def _batch_created(
    opened: OpenNamespace,
) -> Callable[[tuple[Memory, ...], int], pb.BatchCreateMemoriesResponse]:
    return lambda made, revision: pb.BatchCreateMemoriesResponse(
        memories=[from_memory(memory, opened.namespace) for memory in made],
        revision=revision_token(opened.namespace, revision),
    )
