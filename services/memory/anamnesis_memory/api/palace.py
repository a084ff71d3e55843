"""PalaceService: wings, rooms, closets, drawers, and the pointers that lead there."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from grpc import aio

from anamnesis.memory.v1 import palace_service_pb2 as pb
from anamnesis.memory.v1 import palace_service_pb2_grpc
from anamnesis_libs.paging import Page, page_token_refused
from anamnesis_memory.api.convert.memory import from_memory
from anamnesis_memory.api.convert.palace import (
    from_closet,
    from_resolved,
    from_room,
    from_wing,
    to_drawers_of,
    to_note,
    to_wing_kinds,
)
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.knowledge.palace.drawers import (
    GIVEN_MAX,
    DrawerPlace,
    list_drawers,
    place_of,
    visible_session,
)
from anamnesis_memory.knowledge.palace.pointers import read_pointer
from anamnesis_memory.knowledge.palace.resolving import resolve
from anamnesis_memory.knowledge.palace.wings import (
    WING_FORMS,
    list_wings,
    room_form,
    room_place,
    rooms_of,
)
from anamnesis_memory.ledger.notes import WriteNote, in_notes
from anamnesis_memory.model.memory import Memory, Work
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token


class PalaceServicer(palace_service_pb2_grpc.PalaceServiceServicer):
    """Serves the palace; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, prepare: Preparer, idle_us: int) -> None:
        self._calls = calls
        self._prepare = prepare
        self._idle_us = idle_us

    async def ListWings(
        self,
        request: pb.ListWingsRequest,
        context: aio.ServicerContext[pb.ListWingsRequest, pb.ListWingsResponse],
    ) -> pb.ListWingsResponse:
        """List homes by number, then wings of entities."""
        page = page_of(request, *WING_FORMS)
        async with self._calls.reading(request.namespace) as opened:
            revision = await self._revision(opened, request.at_least_revision)
            found = await list_wings(
                opened.store,
                to_caller(request.caller),
                to_wing_kinds(request),
                page.after,
                page.size + 1,
            )
            wings, token = page.take(found, lambda wing: wing.place)
            return pb.ListWingsResponse(
                wings=map(from_wing, wings), next_page_token=token, revision=revision
            )

    async def ListRooms(
        self,
        request: pb.ListRoomsRequest,
        context: aio.ServicerContext[pb.ListRoomsRequest, pb.ListRoomsResponse],
    ) -> pb.ListRoomsResponse:
        """List the rooms of a wing."""
        page = page_of(request, room_form(request.wing_id))
        wing_id = request.wing_id
        async with self._calls.reading(request.namespace) as opened:
            revision = await self._revision(opened, request.at_least_revision)
            found = await rooms_of(
                opened.store, wing_id, to_caller(request.caller), page.after, page.size + 1
            )
            rooms, token = page.take(found, lambda room: room_place(wing_id, room))
            return pb.ListRoomsResponse(
                rooms=map(from_room, rooms), next_page_token=token, revision=revision
            )

    async def ListClosets(
        self,
        request: pb.ListClosetsRequest,
        context: aio.ServicerContext[pb.ListClosetsRequest, pb.ListClosetsResponse],
    ) -> pb.ListClosetsResponse:
        """List the segments of a session in order."""
        page = page_of(request, (int,))
        after = int(page.after[0]) if page.after else -1
        async with self._calls.reading(request.namespace) as opened:
            revision = await self._revision(opened, request.at_least_revision)
            await visible_session(opened.store, request.session_id, to_caller(request.caller))
            found = await opened.store.closets_of(request.session_id, after, page.size + 1)
            closets, token = page.take(found, lambda closet: (closet.segment.first_index,))
            return pb.ListClosetsResponse(
                closets=map(from_closet, closets), next_page_token=token, revision=revision
            )

    async def ListDrawers(
        self,
        request: pb.ListDrawersRequest,
        context: aio.ServicerContext[pb.ListDrawersRequest, pb.ListDrawersResponse],
    ) -> pb.ListDrawersResponse:
        """List the drawers of a session or of a segment in order."""
        page = page_of(request, (int, str, int))
        after = _drawer_place(page)
        async with self._calls.reading(request.namespace) as opened:
            revision = await self._revision(opened, request.at_least_revision)
            found = await list_drawers(
                opened.store,
                to_drawers_of(request),
                to_caller(request.caller),
                after,
                page.size + 1,
            )
            shown, token = found[: page.size], ""
            if len(found) > page.size:
                last = place_of(shown, after)
                token = page.next_token((last.index, last.memory_id, last.given))
            now_us = self._calls.now_us()
            return pb.ListDrawersResponse(
                memories=[from_memory(one, opened.namespace, None, now_us) for one in shown],
                next_page_token=token,
                revision=revision,
            )

    async def ResolvePointer(
        self,
        request: pb.ResolvePointerRequest,
        context: aio.ServicerContext[pb.ResolvePointerRequest, pb.ResolvePointerResponse],
    ) -> pb.ResolvePointerResponse:
        """Follow a pointer."""
        pointer = read_pointer(request.pointer)
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            revision = opened.store.revision
            found = await resolve(opened.store, pointer, to_caller(request.caller))
            return from_resolved(found, opened.namespace, revision, self._calls.now_us())

    async def SaveNote(
        self,
        request: pb.SaveNoteRequest,
        context: aio.ServicerContext[pb.SaveNoteRequest, pb.SaveNoteResponse],
    ) -> pb.SaveNoteResponse:
        """Put a text into a drawer, with wing and room where they are missing."""
        async with self._calls.writing(request.namespace) as opened:
            write = await self._note(opened, request)
            due_us = self._calls.now_us() + self._idle_us
            async with self._calls.work_due(opened, ((Work.SEGMENT, due_us),)):
                return await self._calls.commit(
                    opened, request, write, self._saved(opened), pb.SaveNoteResponse
                )

    async def _note(self, opened: OpenNamespace, request: pb.SaveNoteRequest) -> WriteNote:
        """The write that a request asks for, as it will be stored."""
        policy = opened.policy
        stated = to_note(request, self._calls.now_us(), policy)
        prepare = self._prepare.under(policy.redaction)
        ready = in_notes(await asyncio.to_thread(prepare.append, stated))
        return WriteNote(replace(ready, idle_us=self._idle_us, unmined=policy.unmined))

    def _saved(self, opened: OpenNamespace) -> Callable[[Memory, int], pb.SaveNoteResponse]:
        return lambda memory, revision: pb.SaveNoteResponse(
            memory=from_memory(memory, opened.namespace, None, self._calls.now_us()),
            revision=revision_token(opened.namespace, revision),
        )

    async def _revision(self, opened: OpenNamespace, at_least: str) -> str:
        """Wait for what was asked for; the token of what is read at least."""
        await self._calls.check_revision(opened, at_least)
        return revision_token(opened.namespace, opened.store.revision)


def _drawer_place(page: Page) -> DrawerPlace:
    """The place where a page of drawers goes on."""
    if page.after is None:
        return DrawerPlace()
    index, memory_id, given = page.after
    if not 0 <= int(given) <= GIVEN_MAX:
        raise page_token_refused()
    return DrawerPlace(int(index), str(memory_id), int(given))
