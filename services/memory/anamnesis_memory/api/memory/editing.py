"""MemoryService, the part that edits: corrections, and what was of use."""

import asyncio
from dataclasses import replace

from grpc import aio

from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis_memory.api.convert.change import to_change
from anamnesis_memory.api.convert.memory import from_memory
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.maintenance.usage.buffer import UsageBuffer
from anamnesis_memory.memories.editing.relatives import relatives_of
from anamnesis_memory.memories.editing.update import MemoryEdit, Relatives, Text, UpdateMemory
from anamnesis_memory.memories.undo_merge import UndoMerge
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Kind, Visibility
from anamnesis_memory.model.tags import unite_tags
from anamnesis_memory.preparation.levels import summarise
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token


class EditingRpcs:
    """Serves changes of memories; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, prepare: Preparer, uses: UsageBuffer) -> None:
        self._calls = calls
        self._prepare = prepare
        self._uses = uses

    async def UpdateMemory(
        self,
        request: pb.UpdateMemoryRequest,
        context: aio.ServicerContext[pb.UpdateMemoryRequest, pb.UpdateMemoryResponse],
    ) -> pb.UpdateMemoryResponse:
        """Change what the mask names."""
        asked = to_change(request)
        async with self._calls.changing(request.namespace) as opened:
            prepare = self._prepare.under(opened.policy.redaction)
            change = await asyncio.to_thread(_ready, prepare, asked)
            now_us = self._calls.now_us()
            write = UpdateMemory(
                request.memory_id,
                to_caller(request.caller),
                request.etag,
                change,
                new_id(now_us),
                new_id(now_us),
                await _relatives(opened, request, change.visibility),
            )
            due = self._calls.lessons_due((Kind.LEARNING,) if change.is_owners else ())
            async with self._calls.work_due(opened, due):
                return await self._calls.commit(
                    opened,
                    request,
                    write,
                    lambda memory, revision: pb.UpdateMemoryResponse(
                        memory=from_memory(memory, opened.namespace, None, now_us),
                        revision=revision_token(opened.namespace, revision),
                    ),
                    pb.UpdateMemoryResponse,
                )

    async def UndoMerge(
        self,
        request: pb.UndoMergeRequest,
        context: aio.ServicerContext[pb.UndoMergeRequest, pb.UndoMergeResponse],
    ) -> pb.UndoMergeResponse:
        """Give back a memory that was merged into another."""
        async with self._calls.changing(request.namespace) as opened:
            self._calls.check_model(opened)
            write = UndoMerge(request.memory_id, to_caller(request.caller), request.copy_id)
            async with self._calls.work_due(opened, self._calls.lessons_due((Kind.LEARNING,))):
                return await self._calls.commit(
                    opened,
                    request,
                    write,
                    lambda split, revision: pb.UndoMergeResponse(
                        memory=from_memory(split.memory, opened.namespace),
                        restored=from_memory(split.restored, opened.namespace),
                        revision=revision_token(opened.namespace, revision),
                    ),
                    pb.UndoMergeResponse,
                )

    async def ReportUse(
        self,
        request: pb.ReportUseRequest,
        context: aio.ServicerContext[pb.ReportUseRequest, pb.ReportUseResponse],
    ) -> pb.ReportUseResponse:
        """Note what was of use; it is counted behind the answer."""
        async with self._calls.reading(request.namespace) as opened:
            found = await opened.store.memories(request.memory_ids, to_caller(request.caller))
        ids = [memory.memory_id for memory in found]
        if request.kind == pb.USE_KIND_SHOWN:
            caller = to_caller(request.caller)
            self._uses.shown(request.namespace, ids, caller, self._calls.now_us())
        else:
            self._uses.fetched(request.namespace, ids)
        return pb.ReportUseResponse(counted=len(set(ids)))


async def _relatives(
    opened: OpenNamespace, request: pb.UpdateMemoryRequest, wanted: Visibility | None
) -> Relatives:
    """The relatives of a memory, looked for only where its visibility changes."""
    if wanted is None:
        return Relatives()
    found = await opened.store.memories([request.memory_id], to_caller(request.caller))
    return await relatives_of(opened.store, found[0], wanted) if found else Relatives()


def _ready(prepare: Preparer, change: MemoryEdit) -> MemoryEdit:
    """A change redacted, its text with its levels."""
    tags = change.tags
    if tags is not None:
        tags = unite_tags([prepare.clean(tag) for tag in tags])
    text = change.text
    if text is not None:
        content = prepare.clean(text.content)
        text = Text(content, *summarise(content, prepare.tokens))
    return replace(change, tags=tags, text=text)
