"""A LedgerService in memory: the contract of the ledger, small, for tests of those who call it.

It keeps the promises of `ledger_service.proto` that callers rely on: all or nothing, the same
events change nothing, another event at an index replaces, request ids, visibility. A test may
have it fail or wait before a write, or break down after one.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import event_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1.event_pb2 import Event, Session
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceServicer
from anamnesis.memory.v1.upload_pb2 import Upload
from anamnesis_libs.errors import InvalidArgument, invalid_field
from anamnesis_libs.errors.not_found import NamespaceNotFound, SessionNotFound

Context = aio.ServicerContext[Message, Message]
Key = tuple[str, str]


async def nothing(_: pb.AppendEventsRequest) -> None:
    """Lets a write pass."""


async def archived(_: pb.PutUploadRequest) -> None:
    """Lets an upload pass."""


@dataclass
class LedgerServer(LedgerServiceServicer):
    """Holds sessions and events; `writes` are the requests that it was asked to store."""

    before: Callable[[pb.AppendEventsRequest], Awaitable[None]] = nothing
    after: Callable[[pb.AppendEventsRequest], Awaitable[None]] = nothing
    now: Timestamp = field(default_factory=lambda: Timestamp(seconds=1_800_000_000))
    writes: list[pb.AppendEventsRequest] = field(default_factory=list)
    sessions: dict[Key, Session] = field(default_factory=dict)
    time_left_s: list[float | None] = field(default_factory=list)
    before_upload: Callable[[pb.PutUploadRequest], Awaitable[None]] = archived
    uploads: list[pb.PutUploadRequest] = field(default_factory=list)
    _events: dict[Key, dict[int, Event]] = field(default_factory=dict)
    _answers: dict[str, tuple[bytes, pb.AppendEventsResponse]] = field(default_factory=dict)
    _revision: int = 0

    def events(self, session_id: str, namespace: str = "team") -> list[Event]:
        """The events of a session by index; the test fails where there is a gap."""
        held = self._events.get((namespace, session_id), {})
        assert sorted(held) == list(range(len(held)))
        return [held[index] for index in sorted(held)]

    def texts(self, session_id: str) -> list[str]:
        """What was said in a session of the namespace "team"."""
        return [event.content for event in self.events(session_id)]

    async def AppendEvents(  # noqa: N802 - the proto names it
        self, request: pb.AppendEventsRequest, context: Context
    ) -> pb.AppendEventsResponse:
        """Stores events."""
        self.time_left_s.append(context.time_remaining())
        self.writes.append(request)
        await self.before(request)
        answer = self._known(request) or self._stored(request)
        await self.after(request)
        return answer

    async def GetSession(  # noqa: N802
        self, request: pb.GetSessionRequest, context: Context
    ) -> pb.GetSessionResponse:
        """Reads one session."""
        self.time_left_s.append(context.time_remaining())
        if not any(namespace == request.namespace for namespace, _ in self.sessions):
            raise NamespaceNotFound(request.namespace)
        session = self.sessions.get((request.namespace, request.session_id))
        if session is None or not _sees(request.caller, session):
            raise SessionNotFound(request.session_id)
        return pb.GetSessionResponse(session=session)

    async def ListSessions(  # noqa: N802
        self, request: pb.ListSessionsRequest, context: Context
    ) -> pb.ListSessionsResponse:
        """Not asked for by ingestion."""
        raise NotImplementedError

    async def ListEvents(  # noqa: N802
        self, request: pb.ListEventsRequest, context: Context
    ) -> pb.ListEventsResponse:
        """Not asked for by ingestion."""
        raise NotImplementedError

    async def PutUpload(  # noqa: N802
        self, request: pb.PutUploadRequest, context: Context
    ) -> pb.PutUploadResponse:
        """Keeps what was sent, as it was sent."""
        self.time_left_s.append(context.time_remaining())
        await self.before_upload(request)
        self.uploads.append(request)
        session = self.sessions[request.namespace, request.session_id]
        upload = Upload(upload_id=f"u-{len(self.uploads)}", session_id=session.session_id)
        return pb.PutUploadResponse(upload=upload)

    def _known(self, request: pb.AppendEventsRequest) -> pb.AppendEventsResponse | None:
        if request.request_id not in self._answers:
            return None
        asked, answer = self._answers[request.request_id]
        if asked != request.SerializeToString(deterministic=True):
            raise InvalidArgument("used for another request", reason="REQUEST_ID_REUSED")
        return answer

    def _stored(self, request: pb.AppendEventsRequest) -> pb.AppendEventsResponse:
        _check(request)
        key = (request.namespace, request.session_id)
        held = self._events.setdefault(key, {})
        results = [self._place(event, held, request) for event in request.events]
        outcomes = [result.outcome for result in results]
        changed = set(outcomes) - {pb.APPEND_OUTCOME_UNCHANGED}
        session = self._session(request, len(held), changed=bool(changed))
        answer = pb.AppendEventsResponse(
            appended=outcomes.count(pb.APPEND_OUTCOME_APPENDED),
            replaced=outcomes.count(pb.APPEND_OUTCOME_REPLACED),
            unchanged=outcomes.count(pb.APPEND_OUTCOME_UNCHANGED),
            session=session,
            revision=session.revision,
            results=results,
        )
        if request.request_id:
            asked = request.SerializeToString(deterministic=True)
            self._answers[request.request_id] = (asked, answer)
        return answer

    def _place(
        self, event: Event, held: dict[int, Event], request: pb.AppendEventsRequest
    ) -> pb.AppendedEvent:
        index = event.index if event.HasField("index") else max(held, default=-1) + 1
        there = held.get(index)
        if there is not None and _content(there) == _content(event):
            outcome = pb.APPEND_OUTCOME_UNCHANGED
            return pb.AppendedEvent(index=index, memory_id=there.memory_id, outcome=outcome)
        kept = Event(index=index, memory_id=f"m-{request.session_id}-{index}")
        kept.MergeFrom(event)
        if request.use_server_time and not event.HasField("event_time"):
            kept.event_time.CopyFrom(self.now)
        held[index] = kept
        outcome = pb.APPEND_OUTCOME_APPENDED if there is None else pb.APPEND_OUTCOME_REPLACED
        return pb.AppendedEvent(index=index, memory_id=kept.memory_id, outcome=outcome)

    def _session(
        self, request: pb.AppendEventsRequest, event_count: int, *, changed: bool
    ) -> Session:
        key = (request.namespace, request.session_id)
        session = self.sessions.get(key) or Session(
            session_id=request.session_id,
            agent_id=request.agent_id,
            user_id=request.user_id,
            label=request.label,
            parent_session_id=request.parent_session_id,
            visibility=request.visibility or event_pb2.VISIBILITY_SHARED,
            state=event_pb2.SESSION_STATE_OPEN,
            create_time=self.now,
            project=request.project,
        )
        state = event_pb2.SESSION_STATE_OPEN if changed else session.state
        session.state = event_pb2.SESSION_STATE_ENDED if request.end_session else state
        session.event_count = event_count
        self._revision += changed
        session.revision = f"r{self._revision}"
        self.sessions[key] = session
        return session


def _check(request: pb.AppendEventsRequest) -> None:
    """The rules of the ledger that need more than one field."""
    timeless = request.allow_unknown_time or request.use_server_time
    for position, event in enumerate(request.events):
        if not (timeless or event.HasField("event_time")):
            raise invalid_field(f"events[{position}].event_time", "is required")
        silent = event.role == event_pb2.ROLE_ASSISTANT and (event.tool_calls or event.reasoning)
        if not (event.content or silent or event.role == event_pb2.ROLE_TOOL):
            raise invalid_field(f"events[{position}].content", "must not be empty")


def _content(event: Event) -> bytes:
    """What makes two events the same; their time and line do not."""
    kept = Event(
        role=event.role,
        name=event.name,
        content=event.content,
        tool_calls=event.tool_calls,
        tool_call_id=event.tool_call_id,
        reasoning=event.reasoning,
        modality=event.modality,
    )
    return kept.SerializeToString(deterministic=True)


def _sees(caller: Caller, session: Session) -> bool:
    match session.visibility:
        case event_pb2.VISIBILITY_PRIVATE_TO_AGENT:
            return bool(caller.agent_id) and caller.agent_id == session.agent_id
        case event_pb2.VISIBILITY_PRIVATE_TO_USER:
            return bool(caller.user_id) and caller.user_id == session.user_id
        case _:
            return True
