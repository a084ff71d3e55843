"""AppendEvents and EndSession, over real channels, with a ledger in memory behind them."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import StatusCode, aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest, EndSessionRequest
from anamnesis.memory.v1 import event_pb2
from anamnesis.memory.v1.event_pb2 import Event, ToolCall
from anamnesis.memory.v1.ledger_service_pb2 import AppendEventsRequest as LedgerWrite
from anamnesis_libs import errors
from anamnesis_libs.errors import not_found
from tests.support.ingestion_suite import TIMEOUT_S, IngestionSuite, error_of, ingestion_suite

AT = Timestamp(seconds=1_700_000_000)


@pytest.fixture
async def suite() -> AsyncIterator[IngestionSuite]:
    async with ingestion_suite() as running:
        yield running


def event(content: str = "hi", **fields: object) -> Event:
    return Event(**{"role": event_pb2.ROLE_USER, "content": content, "event_time": AT, **fields})  # type: ignore[arg-type]


def request(*events: Event, **fields: object) -> AppendEventsRequest:
    asked = AppendEventsRequest(namespace="team", session_id="s", events=events)
    asked.MergeFrom(AppendEventsRequest(**fields))  # type: ignore[arg-type]
    return asked


async def violations(suite: IngestionSuite, asked: AppendEventsRequest) -> list[str]:
    error = await error_of(suite.stub.AppendEvents(asked, timeout=TIMEOUT_S))
    assert isinstance(error, errors.InvalidArgument)
    assert suite.ledger.writes == []
    return [violation.field for violation in error.violations]


async def test_events_are_stored_once_however_often_they_are_sent(suite: IngestionSuite) -> None:
    asked = request(event("one", index=0), event("two", index=1))
    first = await suite.stub.AppendEvents(asked, timeout=TIMEOUT_S)
    again = await suite.stub.AppendEvents(asked, timeout=TIMEOUT_S)
    assert (first.appended, first.replaced, first.unchanged) == (2, 0, 0)
    assert (again.appended, again.replaced, again.unchanged) == (0, 0, 2)
    assert again.revision == first.revision != ""
    assert suite.ledger.texts("s") == ["one", "two"]


async def test_everything_the_caller_said_reaches_the_ledger(suite: IngestionSuite) -> None:
    said = event("x", index=0, name="Ada", modality="image", embedding=[1.0], source_line=4)
    asked = request(
        said,
        agent_id="a",
        user_id="u",
        label="mail",
        end_session=True,
        request_id="r-1",
        project="apollo",
        visibility=event_pb2.VISIBILITY_PRIVATE_TO_USER,
    )
    answer = await suite.stub.AppendEvents(asked, timeout=TIMEOUT_S)
    (write,) = suite.ledger.writes
    assert list(write.events) == [said]
    assert (write.agent_id, write.user_id, write.label) == ("a", "u", "mail")
    assert write.project == answer.session.project == "apollo"
    assert (write.request_id, write.end_session) == ("r-1", True)
    assert not write.allow_unknown_time
    assert answer.session.visibility == event_pb2.VISIBILITY_PRIVATE_TO_USER
    assert answer.session.state == event_pb2.SESSION_STATE_ENDED


async def test_a_missing_time_is_named_by_position(suite: IngestionSuite) -> None:
    timeless = Event(role=event_pb2.ROLE_USER, content="x")
    asked = request(event(), timeless, event(), timeless)
    assert await violations(suite, asked) == ["events[1].event_time", "events[3].event_time"]


async def test_the_servers_time_fills_only_what_is_missing(suite: IngestionSuite) -> None:
    timeless = Event(role=event_pb2.ROLE_USER, content="x")
    asked = request(event(), timeless, use_server_time=True)
    await suite.stub.AppendEvents(asked, timeout=TIMEOUT_S)
    assert [each.event_time for each in suite.ledger.events("s")] == [AT, suite.ledger.now]


async def test_a_request_id_answers_twice_although_the_clock_went_on(
    suite: IngestionSuite,
) -> None:
    timeless = Event(role=event_pb2.ROLE_USER, content="x")
    asked = request(timeless, use_server_time=True, request_id="r-1")
    first = await suite.stub.AppendEvents(asked, timeout=TIMEOUT_S)
    suite.ledger.now = Timestamp(seconds=1_900_000_000)
    assert await suite.stub.AppendEvents(asked, timeout=TIMEOUT_S) == first
    assert suite.ledger.texts("s") == ["x"]


@pytest.mark.parametrize(
    "silent",
    [
        event("", role=event_pb2.ROLE_USER),
        event("", role=event_pb2.ROLE_SYSTEM),
        event("", role=event_pb2.ROLE_FILE),
        event("", role=event_pb2.ROLE_ASSISTANT),
        event("", tool_calls=[ToolCall(name="ls")]),
    ],
)
async def test_who_says_nothing_is_refused(suite: IngestionSuite, silent: Event) -> None:
    assert await violations(suite, request(event(), silent)) == ["events[1].content"]


async def test_tool_rows_and_thinking_assistants_may_be_silent(suite: IngestionSuite) -> None:
    assistant = event_pb2.ROLE_ASSISTANT
    answer = await suite.stub.AppendEvents(
        request(
            event("", role=event_pb2.ROLE_TOOL),
            event("", role=assistant, tool_calls=[ToolCall(name="ls")]),
            event("", role=assistant, reasoning="hm"),
        ),
        timeout=TIMEOUT_S,
    )
    assert answer.appended == 3


@pytest.mark.parametrize(
    ("indices", "fields"),
    [
        ((1, 2, 1), ["events[2].index"]),
        ((0, 0, 0), ["events[1].index", "events[2].index"]),
        ((None, 3), ["events[0].index"]),
        ((3, None), ["events[1].index"]),
    ],
)
async def test_indices_are_all_different_or_all_unset(
    suite: IngestionSuite, indices: tuple[int | None, ...], fields: list[str]
) -> None:
    assert await violations(suite, request(*(event(index=index) for index in indices))) == fields


async def test_rules_of_the_proto_come_first(suite: IngestionSuite) -> None:
    assert await violations(suite, request(event(role=99))) == ["events[0].role"]
    assert await violations(suite, request(event(), namespace="No")) == ["namespace"]
    assert await violations(suite, request(*[event()] * 1001)) == ["events"]


async def test_a_write_that_the_channel_repeats_is_stored_once() -> None:
    failures = [errors.StoreUnavailable("the disk is busy", retry_after_s=0.01)]

    async def break_down_once(_: LedgerWrite) -> None:
        if failures:
            raise failures.pop()

    async with ingestion_suite() as suite:
        suite.ledger.after = break_down_once
        answer = await suite.stub.AppendEvents(request(event("once")), timeout=TIMEOUT_S)
        assert len(suite.ledger.writes) == 2
        assert answer.appended == 1
        assert suite.ledger.texts("s") == ["once"]


async def test_the_ledgers_errors_arrive_as_they_are(suite: IngestionSuite) -> None:
    async def refuse(_: LedgerWrite) -> None:
        raise errors.EmbeddingModelMismatch("a", "b")

    suite.ledger.before = refuse
    error = await error_of(suite.stub.AppendEvents(request(event()), timeout=TIMEOUT_S))
    assert isinstance(error, errors.EmbeddingModelMismatch)
    assert error.metadata["namespace_model"] == "a"


async def test_the_ledger_gets_the_time_that_the_caller_has_left(suite: IngestionSuite) -> None:
    await suite.stub.AppendEvents(request(event()), timeout=3.0)
    (left_s,) = suite.ledger.time_left_s
    assert left_s is not None
    assert 2 < left_s < 3.1  # the two ends round a little differently


async def test_a_ledger_that_hangs_ends_with_the_callers_deadline(suite: IngestionSuite) -> None:
    async def hang(_: LedgerWrite) -> None:
        await asyncio.Event().wait()

    suite.ledger.before = hang
    with pytest.raises(aio.AioRpcError) as failed:
        await suite.stub.AppendEvents(request(event()), timeout=0.3)
    assert failed.value.code() is StatusCode.DEADLINE_EXCEEDED


async def test_a_session_that_is_there_ends_and_may_end_again(suite: IngestionSuite) -> None:
    await suite.stub.AppendEvents(request(event()), timeout=TIMEOUT_S)
    ending = EndSessionRequest(namespace="team", session_id="s", request_id="end-1")
    first = await suite.stub.EndSession(ending, timeout=TIMEOUT_S)
    assert first.session.state == event_pb2.SESSION_STATE_ENDED
    assert suite.ledger.writes[-1].request_id == "end-1"
    assert await suite.stub.EndSession(ending, timeout=TIMEOUT_S) == first


async def test_a_session_that_is_not_there_is_not_made(suite: IngestionSuite) -> None:
    ending = EndSessionRequest(namespace="team", session_id="s")
    error = await error_of(suite.stub.EndSession(ending, timeout=TIMEOUT_S))
    assert isinstance(error, not_found.NamespaceNotFound)
    await suite.stub.AppendEvents(request(event(), session_id="other"), timeout=TIMEOUT_S)
    error = await error_of(suite.stub.EndSession(ending, timeout=TIMEOUT_S))
    assert isinstance(error, not_found.SessionNotFound)
    assert list(suite.ledger.sessions) == [("team", "other")]


async def test_a_private_session_is_ended_by_its_owner_only(suite: IngestionSuite) -> None:
    private = event_pb2.VISIBILITY_PRIVATE_TO_USER
    await suite.stub.AppendEvents(
        request(event(), user_id="mara", visibility=private), timeout=TIMEOUT_S
    )
    ending = EndSessionRequest(namespace="team", session_id="s")
    error = await error_of(suite.stub.EndSession(ending, timeout=TIMEOUT_S))
    assert isinstance(error, not_found.SessionNotFound)
    ending.caller.CopyFrom(Caller(user_id="mara"))
    ended = await suite.stub.EndSession(ending, timeout=TIMEOUT_S)
    assert ended.session.state == event_pb2.SESSION_STATE_ENDED
