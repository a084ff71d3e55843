"""Sessions and events between the wire and the model."""

from collections.abc import Mapping
from dataclasses import replace

from anamnesis.memory.v1 import event_pb2, ledger_service_pb2
from anamnesis_libs.errors import FieldViolation, InvalidArgument
from anamnesis_libs.participants import only_user, several, together
from anamnesis_memory.api.convert.enums import APPEND_OUTCOME, ROLE, SESSION_STATE, VISIBILITY
from anamnesis_memory.api.convert.values import (
    offset_minutes,
    optional_micros,
    stated_visibility,
    to_caller,
    to_rows,
    to_timestamp,
)
from anamnesis_memory.ledger.append import Appended, AppendEvents, AppendOutcome, NewEvent
from anamnesis_memory.memories.policy import Policy
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Caller, Namespace
from anamnesis_memory.model.session import Event, Session, ToolCall
from anamnesis_memory.runtime.revisions import revision_token

_OWNERS: Mapping[int, str] = {
    event_pb2.VISIBILITY_PRIVATE_TO_AGENT: "agent_id",
    event_pb2.VISIBILITY_PRIVATE_TO_USER: "user_id",
}
"""The field that names the owner of a private session, by visibility."""


def to_append(
    request: ledger_service_pb2.AppendEventsRequest, dimension: int, now_us: int, policy: Policy
) -> AppendEvents:
    """The write that a request asks for, not yet prepared; `policy` has a word on who may see it.

    Raises:
        InvalidArgument: an event lacks its time or its text, or an index comes twice.
    """
    violations = list(_violations(request))
    if violations:
        first = violations[0]
        raise InvalidArgument(f"{first.field}: {first.description}", tuple(violations))
    importances = list(request.importances) or [0.5] * len(request.events)
    owner = _owner(request)
    default_time_us = now_us if request.use_server_time else None
    return AppendEvents(
        session_id=request.session_id,
        events=tuple(
            replace(
                _to_new_event(
                    event, position, importance, dimension, now_us, default_time_us, policy
                ),
                scored=request.scored and bool(request.importances),
            )
            for position, (event, importance) in enumerate(
                zip(request.events, importances, strict=True)
            )
        ),
        agent_id=request.agent_id,
        user_id=owner,
        label=request.label,
        parent_session_id=request.parent_session_id,
        visibility=policy.visibility_of(stated_visibility(request.visibility), owner),
        end_session=request.end_session,
        project=request.project,
        expire_time_us=optional_micros(request, "expire_time"),
        writer=to_caller(request.caller)
        if request.HasField("caller")
        else Caller(request.agent_id, request.user_id or owner),
    )


def _owner(request: ledger_service_pb2.AppendEventsRequest) -> str:
    """The owners of the session: its user, together with those who take part."""
    return together((request.user_id, *request.participants))


def _violations(request: ledger_service_pb2.AppendEventsRequest) -> list[FieldViolation]:
    """Rules that need more than one field."""
    found = _ownerless(request)
    if request.importances and len(request.importances) != len(request.events):
        found.append(FieldViolation("importances", "must be empty or one for each event"))
    timeless = request.allow_unknown_time or request.use_server_time
    taken: set[int] = set()
    some_at = any(event.HasField("index") for event in request.events)
    for position, event in enumerate(request.events):
        path = f"events[{position}]"
        if not (event.HasField("event_time") or timeless):
            found.append(FieldViolation(f"{path}.event_time", "is required; say when it happened"))
        if not event.content and not _may_be_empty(event):
            found.append(FieldViolation(f"{path}.content", "must not be empty for this role"))
        if event.HasField("index"):
            if event.index in taken:
                found.append(FieldViolation(f"{path}.index", f"{event.index} comes twice"))
            taken.add(event.index)
        elif some_at:
            found.append(FieldViolation(f"{path}.index", "set it for every event or for none"))
    return found


def _ownerless(request: ledger_service_pb2.AppendEventsRequest) -> list[FieldViolation]:
    """The violation of a private session that has nobody who may see it."""
    owner = _OWNERS.get(request.visibility)
    if owner is None or getattr(request, owner) or (owner == "user_id" and request.participants):
        return []
    return [FieldViolation(owner, "is required where nobody else may see the session")]


def _may_be_empty(event: event_pb2.Event) -> bool:
    """Tool rows keep their place; an assistant may hold only calls or reasoning."""
    if event.role == event_pb2.ROLE_TOOL:
        return True
    return event.role == event_pb2.ROLE_ASSISTANT and bool(event.tool_calls or event.reasoning)


def _to_new_event(
    event: event_pb2.Event,
    position: int,
    importance: float,
    dimension: int,
    now_us: int,
    default_time_us: int | None,
    policy: Policy,
) -> NewEvent:
    stated_us = optional_micros(event, "event_time")
    time_us = default_time_us if stated_us is None else stated_us
    return NewEvent(
        memory_id=new_id(now_us),
        role=ROLE.from_pb(event.role),
        content=event.content,
        digest=b"",
        summary="",
        overview="",
        token_count=0,
        index=event.index if event.HasField("index") else None,
        name=event.name,
        event_time_us=time_us,
        utc_offset_minutes=offset_minutes(event, time_us, policy.zone),
        tool_calls=tuple(
            ToolCall(call.call_id, call.name, call.arguments) for call in event.tool_calls
        ),
        tool_call_id=event.tool_call_id,
        reasoning=event.reasoning,
        modality=event.modality or "text",
        source_line=event.source_line,
        importance=importance,
        vectors=to_rows(event.embedding, dimension, f"events[{position}].embedding"),
    )


def from_session(session: Session, namespace: Namespace) -> event_pb2.Session:
    """A session for the wire."""
    return event_pb2.Session(
        session_id=session.session_id,
        agent_id=session.agent_id,
        user_id=only_user(session.user_id),
        participants=several(session.user_id),
        label=session.label,
        parent_session_id=session.parent_session_id,
        state=SESSION_STATE.to_pb(session.state),
        event_count=session.event_count,
        start_time=to_timestamp(session.start_time_us),
        end_time=to_timestamp(session.end_time_us),
        create_time=to_timestamp(session.create_time_us),
        update_time=to_timestamp(session.update_time_us),
        revision=revision_token(namespace, session.revision),
        etag=session.etag,
        visibility=VISIBILITY.to_pb(session.visibility),
        expired_before_index=session.expired_before_index,
        project=session.project,
    )


def from_event(event: Event) -> event_pb2.Event:
    """An event for the wire."""
    return event_pb2.Event(
        index=event.index,
        role=ROLE.to_pb(event.role),
        name=event.name,
        content=event.content,
        event_time=to_timestamp(event.event_time_us),
        tool_calls=[
            event_pb2.ToolCall(call_id=call.call_id, name=call.name, arguments=call.arguments)
            for call in event.tool_calls
        ],
        tool_call_id=event.tool_call_id,
        reasoning=event.reasoning,
        modality=event.modality,
        source_line=event.source_line,
        memory_id=event.memory_id,
        token_count=event.token_count,
        utc_offset_minutes=event.utc_offset_minutes,
    )


def from_appended(
    appended: Appended, revision: int, namespace: Namespace
) -> ledger_service_pb2.AppendEventsResponse:
    """The outcome of an append."""
    return ledger_service_pb2.AppendEventsResponse(
        appended=appended.count(AppendOutcome.APPENDED),
        replaced=appended.count(AppendOutcome.REPLACED),
        unchanged=appended.count(AppendOutcome.UNCHANGED),
        session=from_session(appended.session, namespace),
        revision=revision_token(namespace, revision),
        results=[
            ledger_service_pb2.AppendedEvent(
                index=index,
                memory_id=memory_id,
                outcome=APPEND_OUTCOME.to_pb(outcome),
            )
            for index, memory_id, outcome in appended.results
        ],
    )
