"""MemoryService, the part that removes: one memory, or all that fit a filter."""

from collections.abc import AsyncIterator

from grpc import aio

from anamnesis.memory.v1 import filter_pb2
from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.rpc.peers import remaining_s
from anamnesis_memory.api.convert.memory import to_filter
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.erasure.batch import BATCH_MAX, Erasing
from anamnesis_memory.erasure.delete_memories import deleted
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.model.memory import Caller, Kind, MemoryFilter
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token

WAIT_S_MAX = 30.0


class DeletingRpcs:
    """Serves removals of memories; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def DeleteMemories(
        self,
        request: pb.DeleteMemoriesRequest,
        context: aio.ServicerContext[pb.DeleteMemoriesRequest, pb.DeleteMemoriesResponse],
    ) -> pb.DeleteMemoriesResponse:
        """Remove what fits a filter, batch by batch, or count it."""
        _check_narrow(request.filter)
        wait_s = remaining_s(context, WAIT_S_MAX)
        return await self._calls.deleting(lambda: self._delete_all(request, wait_s))

    async def _delete_all(
        self, request: pb.DeleteMemoriesRequest, wait_s: float
    ) -> pb.DeleteMemoriesResponse:
        where, caller = to_filter(request.filter), to_caller(request.caller)
        async with self._calls.reading(request.namespace) as opened:
            if request.dry_run:
                return pb.DeleteMemoriesResponse(memories=await _count(opened, where, caller))
            try:
                return await self._delete_fitting(opened, where, caller)
            finally:
                self._calls.changed(opened)
                await opened.follower.wait_for_text(opened.store.revision, wait_s)

    async def _delete_fitting(
        self, opened: OpenNamespace, where: MemoryFilter, caller: Caller
    ) -> pb.DeleteMemoriesResponse:
        erasing = Erasing(opened.store, ledger_stays=True, tombstones=True)
        asked = 0
        async with self._calls.work_due(opened, self._calls.lessons_due((Kind.LEARNING,))):
            async for ids in _fitting(opened, where, caller):
                left = [one for one in ids if one not in erasing.gone]
                asked += len(ids)
                await erasing.memories(left)
        return pb.DeleteMemoriesResponse(
            memories=asked,
            derived_memories=len(erasing.gone) - asked,
            revision=revision_token(opened.namespace, opened.store.revision),
        )

    async def DeleteMemory(
        self,
        request: pb.DeleteMemoryRequest,
        context: aio.ServicerContext[pb.DeleteMemoryRequest, pb.DeleteMemoryResponse],
    ) -> pb.DeleteMemoryResponse:
        """Remove one memory for good."""
        wait_s = remaining_s(context, WAIT_S_MAX)
        return await self._calls.deleting(lambda: self._delete_one(request, wait_s))

    async def _delete_one(
        self, request: pb.DeleteMemoryRequest, wait_s: float
    ) -> pb.DeleteMemoryResponse:
        async with self._calls.reading(request.namespace) as opened:
            try:
                return await self._delete(opened, request)
            finally:
                # also where it is gone already: the answer to who removed it may be lost
                self._calls.changed(opened)
                await opened.follower.wait_for_text(opened.store.revision, wait_s)

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


def _check_narrow(where: filter_pb2.MemoryFilter) -> None:
    """A filter that lets everything through is refused: DeleteNamespace is for that."""
    narrowing = where.ListFields()
    if all(field.name == "include_archived" for field, _ in narrowing):
        raise invalid_field(
            "filter", "must set a field that narrows it; AdminService.DeleteNamespace removes all"
        )


async def _fitting(
    opened: OpenNamespace, where: MemoryFilter, caller: Caller
) -> AsyncIterator[list[str]]:
    after: int | str | None = 0
    while isinstance(after, int):
        page = await opened.store.list_memories(where, caller, after, BATCH_MAX)
        yield [memory.memory_id for memory in page.items]
        after = page.next_after


async def _count(opened: OpenNamespace, where: MemoryFilter, caller: Caller) -> int:
    return sum([len(ids) async for ids in _fitting(opened, where, caller)])
