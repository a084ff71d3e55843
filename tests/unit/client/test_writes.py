"""Writes: one request id for each, the scope on it, its revision kept."""

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import (
    AppendEventsRequest,
    AppendEventsResponse,
    EndSessionResponse,
)
from anamnesis.memory.v1.event_pb2 import Role, Session, Visibility
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.palace_service_pb2 import SaveNoteRequest, SaveNoteResponse
from anamnesis_client.errors import InvalidArgument, PermissionDenied, Unavailable
from anamnesis_client.revisions import Revisions
from tests.unit.client.flows import driven, operations

HELLO = [{"role": "user", "content": "Hello"}]


def appended(number: int, revision: str = "a-1") -> AppendEventsResponse:
    session = Session(session_id="s-1", event_count=number)
    return AppendEventsResponse(appended=number, session=session, revision=revision)


def test_messages_are_added_for_the_scope_of_the_client() -> None:
    revisions = Revisions()
    flow = operations(revisions=revisions).add(HELLO, visibility="shared", project="apollo")
    added, (call,), _ = driven(flow, [appended(1)])
    request = call.request
    assert isinstance(request, AppendEventsRequest)
    assert (request.namespace, request.session_id) == ("app", "s-1")
    assert (request.user_id, request.agent_id, request.project) == ("mara", "juno", "apollo")
    assert request.visibility == Visibility.VISIBILITY_SHARED
    assert request.use_server_time
    assert (request.events[0].role, request.events[0].content) == (Role.ROLE_USER, "Hello")
    assert (added.session, added.appended, added.revision) == ("s-1", 1, "a-1")
    assert revisions.of("app") == "a-1"


def test_a_write_that_is_sent_again_has_the_same_id_and_the_next_write_another() -> None:
    client = operations(retries=2)
    gone = Unavailable("connection reset", reason="UNREACHABLE")
    _, tries, pauses = driven(client.add(HELLO), [gone, gone, appended(1)])
    _, (other,), _ = driven(client.add(HELLO), [appended(1)])
    ids = [
        call.request.request_id for call in tries if isinstance(call.request, AppendEventsRequest)
    ]
    assert len(ids) == 3
    assert len({*ids}) == 1
    assert isinstance(other.request, AppendEventsRequest)
    assert other.request.request_id not in ids
    assert pauses == [0.1, 0.2]


def test_many_messages_are_sent_in_batches_and_the_last_one_ends_the_session() -> None:
    many = HELLO * 1200
    added, calls, _ = driven(
        operations().add(many, end=True), [appended(1000, "a-1"), appended(200, "a-2")]
    )
    requests = [call.request for call in calls]
    assert [len(r.events) for r in requests if isinstance(r, AppendEventsRequest)] == [1000, 200]
    assert [r.end_session for r in requests if isinstance(r, AppendEventsRequest)] == [False, True]
    assert (added.appended, added.revision) == (1200, "a-2")


def test_no_messages_are_no_call() -> None:
    added, calls, _ = driven(operations().add([]), [])
    assert (added.appended, calls) == (0, [])


def test_a_message_that_is_none_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(InvalidArgument, match=r"messages\[1\].role"):
        driven(operations().add([*HELLO, {"content": "who says so?"}]), [])


def test_a_refusal_is_not_tried_again() -> None:
    with pytest.raises(PermissionDenied):
        driven(operations(retries=5).add(HELLO), [PermissionDenied("it is somebody else's")])


def test_a_session_is_ended() -> None:
    revisions = Revisions()
    flow = operations(revisions=revisions).end_session("s-2")
    _, (call,), _ = driven(flow, [EndSessionResponse(revision="a-3")])
    assert 'session_id: "s-2"' in str(call.request)
    assert revisions.of("app") == "a-3"


def test_a_note_tells_where_it_is() -> None:
    there = Memory(memory_id="m-1", content="The key", pointer="§ W-001/R-01/D-001")
    flow = operations().note("The key", time="2026-03-14", expires="2026-04-01T08:00+02:00")
    note, (call,), _ = driven(flow, [SaveNoteResponse(memory=there, revision="a-1")])
    assert isinstance(call.request, SaveNoteRequest)
    assert call.request.event_time.ToJsonString() == "2026-03-14T00:00:00Z"
    assert call.request.expire_time.ToJsonString() == "2026-04-01T06:00:00Z"
    assert (note.id, note.text, note.pointer) == ("m-1", "The key", "§ W-001/R-01/D-001")
