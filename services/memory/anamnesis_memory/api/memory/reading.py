"""MemoryService, the part that reads: memories by id and in lists, and what was learned."""

import asyncio
from collections.abc import Sequence

from grpc import aio

from anamnesis.memory.v1 import memory_pb2
from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis_libs.errors.not_found import MemoryNotFound
from anamnesis_memory.api.convert.history import from_copy, from_similar
from anamnesis_memory.api.convert.memory import from_memory, to_filter
from anamnesis_memory.api.convert.segment import from_activity
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.maintenance.usage.buffer import UsageBuffer
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Caller, Memory
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

SIMILAR_MAX = 500
_ALIKE = (EdgeType.SIMILAR_TO, EdgeType.MAY_DUPLICATE)


class ReadingRpcs:
    """Serves reads of memories; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, uses: UsageBuffer) -> None:
        self._calls = calls
        self._uses = uses

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
            self._count(request, found, caller)
            answer = pb.GetMemoryResponse(
                memory=from_memory(found[0], opened.namespace, None, self._calls.now_us())
            )
            if request.include_history:
                copies = await opened.store.copies_of(request.memory_id)
                answer.copies.extend(
                    from_copy(copy, opened.namespace)
                    for copy in copies
                    if caller.sees(
                        copy.memory.visibility, copy.memory.agent_id, copy.memory.user_id
                    )
                )
                edges = await _edges(opened, [request.memory_id])
                answer.similar.extend(await _similar(opened, [request.memory_id], edges, caller))
            return answer

    async def BatchGetMemories(
        self,
        request: pb.BatchGetMemoriesRequest,
        context: aio.ServicerContext[pb.BatchGetMemoriesRequest, pb.BatchGetMemoriesResponse],
    ) -> pb.BatchGetMemoriesResponse:
        """Read several memories in full, in the order asked for."""
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            caller = None if request.all_visibilities else to_caller(request.caller)
            found, edges = await asyncio.gather(
                opened.store.memories(request.memory_ids, caller),
                _edges(opened, request.memory_ids if request.include_similar else ()),
            )
            if caller is not None:
                self._count(request, found, caller)
            ids = [memory.memory_id for memory in found]
            rows = await opened.store.embeddings(ids) if request.include_embeddings else {}
            there, now_us = set(ids), self._calls.now_us()
            return pb.BatchGetMemoriesResponse(
                memories=[
                    from_memory(memory, opened.namespace, rows.get(memory.memory_id), now_us)
                    for memory in found
                ],
                missing_memory_ids=[asked for asked in request.memory_ids if asked not in there],
                similar=await _similar(opened, ids, edges, caller),
            )

    async def ListMemories(
        self,
        request: pb.ListMemoriesRequest,
        context: aio.ServicerContext[pb.ListMemoriesRequest, pb.ListMemoriesResponse],
    ) -> pb.ListMemoriesResponse:
        """List memories in the order in which they were stored."""
        page = page_of(request, (int,))
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            after = int(page.after[0]) if page.after else 0
            caller = None if request.all_visibilities else to_caller(request.caller)
            listing = await opened.store.list_memories(
                to_filter(request.filter), caller, after, page.size
            )
            last, now_us = listing.next_after, self._calls.now_us()
            return pb.ListMemoriesResponse(
                memories=[
                    from_memory(memory, opened.namespace, None, now_us) for memory in listing.items
                ],
                next_page_token="" if last is None else page.next_token((last,)),
            )

    async def ListActivity(
        self,
        request: pb.ListActivityRequest,
        context: aio.ServicerContext[pb.ListActivityRequest, pb.ListActivityResponse],
    ) -> pb.ListActivityResponse:
        """List what was learned, the newest first."""
        page = page_of(request, (int, str))
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

    def _count(
        self,
        request: pb.GetMemoryRequest | pb.BatchGetMemoriesRequest,
        found: Sequence[Memory],
        caller: Caller,
    ) -> None:
        """Note what was read, as its purpose says; it is counted behind the answer."""
        ids = [memory.memory_id for memory in found]
        match request.purpose:
            case pb.READ_PURPOSE_INTERNAL:
                return
            case pb.READ_PURPOSE_SEARCH:
                self._uses.shown(request.namespace, ids, caller, self._calls.now_us())
            case _:
                self._uses.fetched(request.namespace, ids)


async def _edges(opened: OpenNamespace, memory_ids: Sequence[str]) -> Sequence[Edge]:
    """Edges to what is nearly the same; no read where no id is given."""
    return await opened.store.edges_of(memory_ids, _ALIKE, SIMILAR_MAX) if memory_ids else ()


async def _similar(
    opened: OpenNamespace,
    memory_ids: Sequence[str],
    edges: Sequence[Edge],
    caller: Caller | None,
) -> list[memory_pb2.SimilarPair]:
    """Pairs with these memories that were kept apart; of each the caller sees both ends."""
    asked = set(memory_ids)
    others = {end for edge in edges for end in (edge.source_id, edge.target_id)} - asked
    found = await opened.store.memories(sorted(others), caller) if others else []
    seen = asked | {memory.memory_id for memory in found}
    return [
        from_similar(edge, end)
        for edge in edges
        if {edge.source_id, edge.target_id} <= seen
        for end in (edge.source_id, edge.target_id)
        if end in asked
    ]
