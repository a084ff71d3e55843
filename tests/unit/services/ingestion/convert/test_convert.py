"""Between the wire and ingestion's nouns: nothing is lost, and bad times are named."""

from datetime import UTC, datetime

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1 import ingestion_service_pb2 as pb
from anamnesis.memory.v1 import event_pb2
from anamnesis_ingestion.convert.ledger import (
    from_append,
    from_event,
    from_session,
    from_time,
    from_visibility,
    to_event,
    to_session,
    to_time,
    to_visibility,
)
from anamnesis_ingestion.convert.values import to_header
from anamnesis_ingestion.ledger import Append, Caller, Visibility
from anamnesis_ingestion.model import Shape
from anamnesis_libs.errors import InvalidArgument

MOMENT = Timestamp(seconds=1_700_000_000, nanos=123_456_000)


def test_an_event_comes_out_as_it_went_in() -> None:
    event = event_pb2.Event(
        index=0,
        role=event_pb2.ROLE_ASSISTANT,
        name="Ada",
        content="你好",
        event_time=MOMENT,
        tool_calls=[event_pb2.ToolCall(call_id="c", name="ls", arguments="{}")],
        tool_call_id="t",
        reasoning="hm",
        modality="image",
        source_line=7,
        embedding=[0.5, -0.25],
    )
    assert from_event(to_event(event, "events[0]")) == event


def test_an_event_without_index_and_time_stays_without() -> None:
    event = from_event(
        to_event(event_pb2.Event(role=event_pb2.ROLE_FILE, content="x"), "events[0]")
    )
    assert not event.HasField("index")
    assert not event.HasField("event_time")


def test_a_session_comes_out_as_it_went_in() -> None:
    session = event_pb2.Session(
        session_id="s",
        agent_id="a",
        user_id="u",
        label="l",
        parent_session_id="p",
        state=event_pb2.SESSION_STATE_ENDED,
        event_count=3,
        start_time=MOMENT,
        create_time=MOMENT,
        update_time=MOMENT,
        revision="r",
        etag="e",
        visibility=event_pb2.VISIBILITY_PRIVATE_TO_USER,
        expired_before_index=2,
        project="apollo",
    )
    assert from_session(to_session(session)) == session


@pytest.mark.parametrize(
    "time",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ],
)
def test_times_keep_their_microseconds(time: datetime) -> None:
    stamp = from_time(time)
    assert stamp is not None
    assert to_time(stamp, "t") == time


@pytest.mark.parametrize(
    "moment",
    [
        Timestamp(seconds=-62_135_596_801),
        Timestamp(seconds=253_402_300_800),
        Timestamp(seconds=2**62),
        Timestamp(nanos=-1),
    ],
)
def test_a_time_that_is_none_is_named(moment: Timestamp) -> None:
    event = event_pb2.Event(role=event_pb2.ROLE_USER, content="x", event_time=moment)
    with pytest.raises(InvalidArgument) as refused:
        to_event(event, "events[3]")
    assert [violation.field for violation in refused.value.violations] == ["events[3].event_time"]


def test_a_visibility_that_is_not_stated_is_left_to_the_policy() -> None:
    for visibility in (None, *Visibility):
        assert to_visibility(from_visibility(visibility)) is visibility


def test_every_shape_of_the_wire_is_known() -> None:
    shapes = {
        to_header(pb.IngestFileHeader(namespace="n", shape=number)).shape
        for number in pb.FileShape.values()
    }
    assert shapes == {Shape.AUTO, Shape.OPENAI, Shape.ANTHROPIC}


def test_a_write_carries_everything() -> None:
    request = from_append(
        Append(
            namespace="n",
            session_id="s",
            agent_id="a",
            user_id="u",
            label="l",
            parent_session_id="p",
            visibility=Visibility.PRIVATE_TO_AGENT,
            end_session=True,
            server_time=True,
            unknown_time=True,
            request_id="r",
            importances=(0.25,),
            caller=Caller("a", "u"),
            project="apollo",
            participants=("u", "v"),
            expire_time=datetime(2027, 1, 1, tzinfo=UTC),
        )
    )
    assert {name.name for name, _ in request.ListFields()} == set(
        request.DESCRIPTOR.fields_by_name
    ) - {"events"}
