"""WorkingMemoryService: what an agent has in mind during a session."""

import asyncio
from dataclasses import replace

from grpc import aio

from anamnesis.memory.v1 import working_memory_service_pb2 as pb
from anamnesis.memory.v1 import working_memory_service_pb2_grpc
from anamnesis_libs.errors.not_found import ItemNotFound
from anamnesis_memory.api.convert.enums import ZONE
from anamnesis_memory.api.convert.working import from_item, to_item, to_owner, to_zones
from anamnesis_memory.domain.lifecycle.working import (
    DEFAULT_BUDGETS,
    WorkingBoard,
    Zone,
    in_order,
    rendered,
    zone_tokens,
)
from anamnesis_memory.memories.working_memory import (
    ClearZones,
    Owner,
    PutItems,
    StartSession,
    TouchItem,
    board_of,
    without,
    without_recalled,
)
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.recall_staging import Staging


class WorkingMemoryServicer(working_memory_service_pb2_grpc.WorkingMemoryServiceServicer):
    """Serves working memories; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, prepare: Preparer, staging: Staging) -> None:
        self._calls = calls
        self._prepare = prepare
        self._staging = staging

    async def StartSession(
        self,
        request: pb.StartSessionRequest,
        context: aio.ServicerContext[pb.StartSessionRequest, pb.StartSessionResponse],
    ) -> pb.StartSessionResponse:
        """Begin a session."""
        async with self._calls.writing(request.key.namespace) as opened:
            write = StartSession(to_owner(request.key), request.session_id)
            changed, _ = await self._calls.apply(opened, write)
            if changed.before.session_id not in ("", request.session_id):
                await self._calls.wake(opened)
            return pb.StartSessionResponse(
                cleared=len(changed.before.items) - len(changed.after.items),
                previous_session_id=changed.before.session_id,
            )

    async def PutItem(
        self,
        request: pb.PutItemRequest,
        context: aio.ServicerContext[pb.PutItemRequest, pb.PutItemResponse],
    ) -> pb.PutItemResponse:
        """Put an item into its zone."""
        async with self._calls.writing(request.key.namespace) as opened:
            prepare = self._prepare.under(opened.policy.redaction)
            content = await asyncio.to_thread(prepare.clean, request.item.content)
            item_id = new_id(self._calls.now_us())
            item = to_item(request.item, item_id, content, self._prepare.tokens)
            changed, _ = await self._calls.apply(opened, PutItems(to_owner(request.key), (item,)))
            kept = [one for one in changed.after.items if one.item_id == item.item_id]
            left = DEFAULT_BUDGETS.of(item.zone) - zone_tokens(changed.after, item.zone)
            return pb.PutItemResponse(
                item=from_item(kept[0] if kept else replace(item, create_us=self._calls.now_us())),
                evicted=[from_item(one) for one in changed.gone],
                tokens_left=left,
            )

    async def GetItem(
        self,
        request: pb.GetItemRequest,
        context: aio.ServicerContext[pb.GetItemRequest, pb.GetItemResponse],
    ) -> pb.GetItemResponse:
        """Read one item."""
        async with self._calls.reading(request.key.namespace) as opened:
            write = TouchItem(to_owner(request.key), request.item_id)
            changed, _ = await self._calls.apply(opened, write)
            for item in changed.after.items:
                if item.item_id == request.item_id:
                    return pb.GetItemResponse(item=from_item(item))
            raise ItemNotFound(request.item_id)

    async def ClearZone(
        self,
        request: pb.ClearZoneRequest,
        context: aio.ServicerContext[pb.ClearZoneRequest, pb.ClearZoneResponse],
    ) -> pb.ClearZoneResponse:
        """Empty a zone."""
        async with self._calls.reading(request.key.namespace) as opened:
            write = ClearZones(to_owner(request.key), to_zones(request.zone))
            changed, _ = await self._calls.apply(opened, write)
            return pb.ClearZoneResponse(
                cleared=len(changed.before.items) - len(changed.after.items)
            )

    async def RenderContext(
        self,
        request: pb.RenderContextRequest,
        context: aio.ServicerContext[pb.RenderContextRequest, pb.RenderContextResponse],
    ) -> pb.RenderContextResponse:
        """Write what is in mind as one text."""
        owner = to_owner(request.key)
        async with self._calls.reading(request.key.namespace) as opened:
            degraded: tuple[str, ...] = ()
            if request.query.strip() and opened.policy.recalls(owner.agent_id):
                degraded = await self._recall(opened, owner, request.query)
            board = await _board(opened, owner)
        if request.zones:
            shown = {ZONE.from_pb(zone) for zone in request.zones}
            board = without(board, [zone for zone in Zone if zone not in shown])
        text = rendered(board)
        return pb.RenderContextResponse(
            text=text,
            token_count=await asyncio.to_thread(self._prepare.tokens.count, text),
            items=map(from_item, in_order(board)),
            degraded=degraded,
            zones=[
                _use(board, zone)
                for zone in Zone
                if not request.zones or ZONE.to_pb(zone) in request.zones
            ],
        )

    async def _recall(self, opened: OpenNamespace, owner: Owner, query: str) -> tuple[str, ...]:
        """Fill STAGING; what could not take part."""
        prepare = self._prepare.asking(opened.policy.redaction)
        clean = await asyncio.to_thread(prepare.clean, query)
        staged = await self._staging.recall(opened, owner, clean)
        await self._calls.apply(opened, PutItems(owner, staged.items, instead_of=Zone.STAGING))
        return staged.degraded


def _use(board: WorkingBoard, zone: Zone) -> pb.ZoneUse:
    return pb.ZoneUse(
        zone=ZONE.to_pb(zone),
        items=sum(one.zone is zone for one in board.items),
        tokens=zone_tokens(board, zone),
        tokens_max=DEFAULT_BUDGETS.of(zone),
    )


async def _board(opened: OpenNamespace, owner: Owner) -> WorkingBoard:
    """The working memory of an owner, without recalled memories that the owner may not see now."""
    board = board_of(owner, await opened.store.document(owner.key))
    staged = (one.memory_id for one in board.items if one.zone is Zone.STAGING and one.memory_id)
    recalled = frozenset(staged)
    if not recalled:
        return board
    caller = Caller(owner.agent_id, owner.user_id)
    found = await opened.store.memories(sorted(recalled), caller)
    return without_recalled(board, recalled - {memory.memory_id for memory in found})
