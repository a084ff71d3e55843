"""LedgerService: sessions and events."""

from collections.abc import Callable
from dataclasses import replace

from grpc import aio

from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis_libs.errors.not_found import SessionNotFound
from anamnesis_libs.rpc.peers import remaining_s
from anamnesis_memory.api.admin.erasure import WAIT_S_MAX
from anamnesis_memory.api.convert.erasure import from_receipt
from anamnesis_memory.api.convert.ledger import from_appended, from_event, from_session, to_append
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.api.ledger.work import PipelineRules
from anamnesis_memory.erasure.service import Eraser
from anamnesis_memory.erasure.truncate_session import Truncation
from anamnesis_memory.ledger.append import Appended
from anamnesis_memory.model.memory import Caller, Work
from anamnesis_memory.model.session import Session
from anamnesis_memory.model.visibility import check_session_owner
from anamnesis_memory.ports.life import ErasureSubject
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace


class SessionRpcs:
    """Serves the ledger; see the proto for what each rpc promises."""

    def __init__(
        self, calls: Calls, prepare: Preparer, rules: PipelineRules, eraser: Eraser
    ) -> None:
        self._calls = calls
        self._prepare = prepare
        self._rules = rules
        self._eraser = eraser

    async def AppendEvents(
        self,
        request: pb.AppendEventsRequest,
        context: aio.ServicerContext[pb.AppendEventsRequest, pb.AppendEventsResponse],
    ) -> pb.AppendEventsResponse:
        """Store events and their drawers in one transaction."""
        async with self._calls.writing(request.namespace) as opened:
            space = opened.namespace
            write = to_append(
                request, space.embedding_dimension, self._calls.now_us(), opened.policy
            )
            write = replace(write, idle_us=self._rules.idle_us, unmined=opened.policy.unmined)
            prepare = self._prepare.under(opened.policy.redaction)
            ready = await prepare.appended(write)
            due_us = self._calls.now_us() + (0 if write.end_session else write.idle_us)
            async with self._calls.work_due(opened, ((Work.SEGMENT, due_us),)):
                return await self._calls.commit(
                    opened, request, ready, _answer(opened), pb.AppendEventsResponse
                )

    async def DeleteSession(
        self,
        request: pb.DeleteSessionRequest,
        context: aio.ServicerContext[pb.DeleteSessionRequest, pb.DeleteSessionResponse],
    ) -> pb.DeleteSessionResponse:
        """Erase one session of the caller's."""
        wait_s = remaining_s(context, WAIT_S_MAX)
        return await self._calls.deleting(lambda: self._delete_session(request, wait_s))

    async def _delete_session(
        self, request: pb.DeleteSessionRequest, wait_s: float
    ) -> pb.DeleteSessionResponse:
        async with self._calls.reading(request.namespace) as opened:
            caller = to_caller(request.caller)
            await _owned_session(opened, request.session_id, caller)
            subject = ErasureSubject(session_id=request.session_id)
            receipt = await self._eraser.subject(opened, subject, wait_s, caller)
            return pb.DeleteSessionResponse(receipt=from_receipt(receipt, opened.namespace))

    async def TruncateSession(
        self,
        request: pb.TruncateSessionRequest,
        context: aio.ServicerContext[pb.TruncateSessionRequest, pb.TruncateSessionResponse],
    ) -> pb.TruncateSessionResponse:
        """Take back the end of a session of the caller's."""
        wait_s = remaining_s(context, WAIT_S_MAX)
        return await self._calls.deleting(lambda: self._truncate_session(request, wait_s))

    async def _truncate_session(
        self, request: pb.TruncateSessionRequest, wait_s: float
    ) -> pb.TruncateSessionResponse:
        async with self._calls.reading(request.namespace) as opened:
            caller = to_caller(request.caller)
            session = await _owned_session(opened, request.session_id, caller)
            truncation = Truncation(
                opened.store, caller, self._rules.idle_us, opened.policy.unmined
            )
            after, receipt = await self._eraser.end_of_session(
                opened, truncation, session, request.first_event_index, wait_s
            )
            return pb.TruncateSessionResponse(
                session=from_session(after, opened.namespace),
                receipt=from_receipt(receipt, opened.namespace),
            )

    async def GetSession(
        self,
        request: pb.GetSessionRequest,
        context: aio.ServicerContext[pb.GetSessionRequest, pb.GetSessionResponse],
    ) -> pb.GetSessionResponse:
        """Read one session."""
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            session = await _visible(opened, request)
            return pb.GetSessionResponse(session=from_session(session, opened.namespace))

    async def ListSessions(
        self,
        request: pb.ListSessionsRequest,
        context: aio.ServicerContext[pb.ListSessionsRequest, pb.ListSessionsResponse],
    ) -> pb.ListSessionsResponse:
        """List sessions by id."""
        page = page_of(request, (str,))
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            listing = await opened.store.list_sessions(
                to_caller(request.caller),
                request.agent_id,
                request.user_id,
                str(page.after[0]) if page.after else "",
                page.size,
            )
            after = listing.next_after
            return pb.ListSessionsResponse(
                sessions=[from_session(one, opened.namespace) for one in listing.items],
                next_page_token="" if after is None else page.next_token((after,)),
            )

    async def ListEvents(
        self,
        request: pb.ListEventsRequest,
        context: aio.ServicerContext[pb.ListEventsRequest, pb.ListEventsResponse],
    ) -> pb.ListEventsResponse:
        """List the events of one session by index."""
        page = page_of(request, (int,))
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            await _visible(opened, request)
            after = int(page.after[0]) if page.after else request.first_event_index - 1
            listing = await opened.store.list_events(request.session_id, after, page.size)
            last = listing.next_after
            return pb.ListEventsResponse(
                events=[from_event(event) for event in listing.items],
                next_page_token="" if last is None else page.next_token((last,)),
            )


def _answer(opened: OpenNamespace) -> Callable[[Appended, int], pb.AppendEventsResponse]:
    return lambda appended, revision: from_appended(appended, revision, opened.namespace)


async def _owned_session(opened: OpenNamespace, session_id: str, caller: Caller) -> Session:
    """A session that the caller may change.

    Raises:
        SessionNotFound: the caller sees none of this id.
        PermissionDenied: it is somebody else's.
    """
    session = await opened.store.session(session_id, caller)
    if session is None:
        raise SessionNotFound(session_id)
    check_session_owner(session, caller)
    return session


async def _visible(
    opened: OpenNamespace, request: pb.GetSessionRequest | pb.ListEventsRequest
) -> Session:
    """The session of a request, if its caller may see it.

    Raises:
        SessionNotFound: there is no such session that the caller may see.
    """
    caller = None if request.all_visibilities else to_caller(request.caller)
    session = await opened.store.session(request.session_id, caller)
    if session is None:
        raise SessionNotFound(request.session_id)
    return session
