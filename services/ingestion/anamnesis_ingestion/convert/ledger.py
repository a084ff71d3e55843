"""The ledger's nouns between the wire and ingestion's own, towards callers and towards memory."""

from datetime import UTC, datetime
from typing import Literal

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1 import caller_pb2
from anamnesis.memory.v1 import event_pb2, ledger_service_pb2
from anamnesis_ingestion.convert.enums import ROLE, SESSION_STATE, VISIBILITY
from anamnesis_ingestion.ledger import (
    Append,
    Appended,
    Caller,
    LedgerEvent,
    Session,
    Stored,
    Visibility,
)
from anamnesis_ingestion.model import ToolCall
from anamnesis_libs.errors import invalid_field

_SessionTime = Literal["start_time", "end_time", "create_time", "update_time"]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_time(moment: Timestamp, path: str) -> datetime:
    """The moment as an aware UTC datetime, in whole microseconds.

    Raises:
        InvalidArgument: it is outside the years 1 to 9999, or its nanoseconds are no fraction.
    """
    try:
        return moment.ToDatetime(tzinfo=UTC)
    except ValueError as error:
        raise invalid_field(path, "must be a time between the years 1 and 9999") from error


def from_time(time: datetime | None) -> Timestamp | None:
    """A timestamp; None stays unset."""
    if time is None:
        return None
    since = time - _EPOCH
    return Timestamp(seconds=since.days * 86_400 + since.seconds, nanos=since.microseconds * 1_000)


def to_offset(message: Message) -> int | None:
    """The clock beside UTC that a message states; None where it states none."""
    if not message.HasField("utc_offset_minutes"):
        return None
    stated: int = getattr(message, "utc_offset_minutes")  # noqa: B009 any message that has one
    return stated


def to_event(event: event_pb2.Event, path: str) -> LedgerEvent:
    """An event that a caller states; `path` is its field in the request."""
    has_time = event.HasField("event_time")
    return LedgerEvent(
        role=ROLE.from_pb(event.role),
        content=event.content,
        index=event.index if event.HasField("index") else None,
        name=event.name,
        event_time=to_time(event.event_time, f"{path}.event_time") if has_time else None,
        tool_calls=tuple(
            ToolCall(call.call_id, call.name, call.arguments) for call in event.tool_calls
        ),
        tool_call_id=event.tool_call_id,
        reasoning=event.reasoning,
        modality=event.modality,
        source_line=event.source_line,
        embedding=event.embedding,
        memory_id=event.memory_id,
        utc_offset_minutes=to_offset(event),
    )


def from_event(event: LedgerEvent) -> event_pb2.Event:
    """An event for the ledger."""
    return event_pb2.Event(
        role=ROLE.to_pb(event.role),
        content=event.content,
        index=event.index,
        name=event.name,
        event_time=from_time(event.event_time),
        tool_calls=[
            event_pb2.ToolCall(call_id=call.call_id, name=call.name, arguments=call.arguments)
            for call in event.tool_calls
        ],
        tool_call_id=event.tool_call_id,
        reasoning=event.reasoning,
        modality=event.modality,
        source_line=event.source_line,
        embedding=event.embedding,
        utc_offset_minutes=event.utc_offset_minutes,
    )


def from_append(write: Append) -> ledger_service_pb2.AppendEventsRequest:
    """A write for the ledger."""
    return ledger_service_pb2.AppendEventsRequest(
        namespace=write.namespace,
        session_id=write.session_id,
        agent_id=write.agent_id,
        user_id=write.user_id,
        label=write.label,
        events=map(from_event, write.events),
        end_session=write.end_session,
        allow_unknown_time=write.unknown_time,
        use_server_time=write.server_time,
        request_id=write.request_id,
        parent_session_id=write.parent_session_id,
        visibility=from_visibility(write.visibility),
        importances=write.importances,
        scored=bool(write.importances),
        caller=None if write.caller is None else from_caller(write.caller),
        project=write.project,
        participants=write.participants,
        expire_time=from_time(write.expire_time),
    )


def to_appended(response: ledger_service_pb2.AppendEventsResponse) -> Appended:
    """The result of an append, from the ledger's answer."""
    return Appended(
        appended=response.appended,
        replaced=response.replaced,
        unchanged=response.unchanged,
        session=to_session(response.session),
        revision=response.revision,
        stored=tuple(Stored(each.index, each.memory_id) for each in response.results),
    )


def to_session(session: event_pb2.Session) -> Session:
    """A session as the ledger tells it."""
    return Session(
        session_id=session.session_id,
        agent_id=session.agent_id,
        user_id=session.user_id,
        label=session.label,
        parent_session_id=session.parent_session_id,
        state=SESSION_STATE.from_pb(session.state),
        event_count=session.event_count,
        start_time=_time_of(session, "start_time"),
        end_time=_time_of(session, "end_time"),
        create_time=_time_of(session, "create_time"),
        update_time=_time_of(session, "update_time"),
        revision=session.revision,
        etag=session.etag,
        visibility=to_visibility(session.visibility),
        expired_before_index=session.expired_before_index,
        project=session.project,
        participants=tuple(session.participants),
    )


def from_session(session: Session) -> event_pb2.Session:
    """A session for a caller."""
    return event_pb2.Session(
        session_id=session.session_id,
        agent_id=session.agent_id,
        user_id=session.user_id,
        label=session.label,
        parent_session_id=session.parent_session_id,
        state=SESSION_STATE.to_pb(session.state),
        event_count=session.event_count,
        start_time=from_time(session.start_time),
        end_time=from_time(session.end_time),
        create_time=from_time(session.create_time),
        update_time=from_time(session.update_time),
        revision=session.revision,
        etag=session.etag,
        visibility=from_visibility(session.visibility),
        expired_before_index=session.expired_before_index,
        project=session.project,
        participants=session.participants,
    )


def to_visibility(visibility: "event_pb2.Visibility.ValueType") -> Visibility | None:
    """The visibility on the wire as ours; None leaves it to the namespace's policy."""
    if visibility == event_pb2.VISIBILITY_UNSPECIFIED:
        return None
    return VISIBILITY.from_pb(visibility)


def from_visibility(visibility: Visibility | None) -> "event_pb2.Visibility.ValueType":
    """A visibility, for the wire."""
    if visibility is None:
        return event_pb2.VISIBILITY_UNSPECIFIED
    return VISIBILITY.to_pb(visibility)


def to_caller(caller: caller_pb2.Caller) -> Caller:
    """The caller of a request: agent, user and session."""
    return Caller(caller.agent_id, caller.user_id, caller.session_id)


def from_caller(caller: Caller) -> caller_pb2.Caller:
    """A caller, for the wire."""
    return caller_pb2.Caller(
        agent_id=caller.agent_id, user_id=caller.user_id, session_id=caller.session_id
    )


def _time_of(session: event_pb2.Session, field: _SessionTime) -> datetime | None:
    return to_time(getattr(session, field), field) if session.HasField(field) else None
