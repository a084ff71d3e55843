"""Observe, over real channels, with a ledger in memory behind it."""

from collections.abc import AsyncIterator

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1.ingestion_service_pb2 import ObserveRequest
from anamnesis.memory.v1 import event_pb2
from anamnesis.memory.v1.ledger_service_pb2 import AppendEventsRequest as LedgerWrite
from anamnesis_libs import errors
from tests.support.ingestion_suite import TIMEOUT_S, IngestionSuite, error_of, ingestion_suite

AT = Timestamp(seconds=1_700_000_000)


@pytest.fixture
async def suite() -> AsyncIterator[IngestionSuite]:
    async with ingestion_suite() as running:
        yield running


def seen(
    content: str = "I moved to Lyon", source: str = "user", **fields: object
) -> ObserveRequest:
    given = {"namespace": "team", "session_id": "s", "event_time": AT, **fields}
    return ObserveRequest(content=content, source=source, **given)  # type: ignore[arg-type]


async def test_what_matters_is_the_next_event_of_its_session(suite: IngestionSuite) -> None:
    first = await suite.stub.Observe(
        seen("trains", agent_id="a", user_id="u", project="p"), timeout=TIMEOUT_S
    )
    second = await suite.stub.Observe(seen("two"), timeout=TIMEOUT_S)
    assert (first.event_id, second.event_id) == ("s/0", "s/1")
    assert first.stored
    assert first.memory_id == suite.ledger.events("s")[0].memory_id != ""
    assert first.revision != ""
    assert suite.ledger.texts("s") == ["trains", "two"]
    assert suite.ledger.events("s")[0].event_time == AT
    session = suite.ledger.sessions["team", "s"]
    assert (session.agent_id, session.user_id, session.project) == ("a", "u", "p")


async def test_its_importance_goes_with_it(suite: IngestionSuite) -> None:
    answer = await suite.stub.Observe(seen("x" * 250), timeout=TIMEOUT_S)
    assert answer.importance == pytest.approx(0.45)
    assert list(suite.ledger.writes[0].importances) == [answer.importance]


async def test_its_expiry_goes_with_it(suite: IngestionSuite) -> None:
    later = Timestamp(seconds=AT.seconds + 60)
    await suite.stub.Observe(seen("x" * 250, expire_time=later), timeout=TIMEOUT_S)
    await suite.stub.Observe(seen("y" * 250), timeout=TIMEOUT_S)
    expiring, lasting = suite.ledger.writes
    assert expiring.expire_time == later
    assert not lasting.HasField("expire_time")


async def test_what_matters_too_little_is_let_go(suite: IngestionSuite) -> None:
    answer = await suite.stub.Observe(seen("a fan hums", "environment"), timeout=TIMEOUT_S)
    assert not answer.stored
    assert 0 < answer.importance < 0.2
    assert (answer.event_id, answer.memory_id, answer.revision) == ("", "", "")
    assert suite.ledger.writes == []


@pytest.mark.parametrize(
    ("source", "role", "name"),
    [
        ("user", event_pb2.ROLE_USER, ""),
        ("User ", event_pb2.ROLE_USER, ""),
        ("assistant", event_pb2.ROLE_ASSISTANT, ""),
        ("tool", event_pb2.ROLE_TOOL, ""),
        ("system", event_pb2.ROLE_SYSTEM, ""),
        ("environment", event_pb2.ROLE_TOOL, "environment"),
        ("Thermometer 3", event_pb2.ROLE_TOOL, "Thermometer 3"),
        ("file", event_pb2.ROLE_TOOL, "file"),
        ("", event_pb2.ROLE_TOOL, ""),
    ],
)
async def test_the_source_becomes_the_role_or_else_the_name(
    suite: IngestionSuite, source: str, role: event_pb2.Role.ValueType, name: str
) -> None:
    await suite.stub.Observe(seen("x" * 500, source), timeout=TIMEOUT_S)
    (event,) = suite.ledger.events("s")
    assert (event.role, event.name, event.modality) == (role, name, "text")


@pytest.mark.parametrize("content", ["the build failed", "hm"])
async def test_a_time_is_required_of_everything(suite: IngestionSuite, content: str) -> None:
    error = await error_of(
        suite.stub.Observe(seen(content, "environment", event_time=None), timeout=TIMEOUT_S)
    )
    assert isinstance(error, errors.InvalidArgument)
    assert [violation.field for violation in error.violations] == ["event_time"]
    assert suite.ledger.writes == []


async def test_now_is_a_time(suite: IngestionSuite) -> None:
    asked = seen(event_time=None, use_server_time=True)
    await suite.stub.Observe(asked, timeout=TIMEOUT_S)
    assert suite.ledger.events("s")[0].event_time == suite.ledger.now


async def test_a_request_id_stores_once_although_the_clock_goes_on(suite: IngestionSuite) -> None:
    asked = seen(event_time=None, use_server_time=True, request_id="r-1")
    first = await suite.stub.Observe(asked, timeout=TIMEOUT_S)
    suite.ledger.now = Timestamp(seconds=1_900_000_000)
    assert await suite.stub.Observe(asked, timeout=TIMEOUT_S) == first
    assert suite.ledger.texts("s") == ["I moved to Lyon"]


async def test_what_the_ledger_did_not_store_is_not_said_to_be_stored(
    suite: IngestionSuite,
) -> None:
    async def refuse(_: LedgerWrite) -> None:
        raise errors.ResourceExhausted("the queue is full", metadata={"queue": "writes"})

    suite.ledger.before = refuse
    error = await error_of(suite.stub.Observe(seen(), timeout=TIMEOUT_S))
    assert isinstance(error, errors.ResourceExhausted)
    assert error.metadata == {"queue": "writes"}


async def test_the_channels_repetition_is_no_second_event(suite: IngestionSuite) -> None:
    failures = [errors.StoreUnavailable("the disk is busy", retry_after_s=0.01)]

    async def break_down_once(_: LedgerWrite) -> None:
        if failures:
            raise failures.pop()

    suite.ledger.after = break_down_once
    answer = await suite.stub.Observe(seen(), timeout=TIMEOUT_S)
    assert len(suite.ledger.writes) == 2
    assert answer.event_id == "s/0"
    assert suite.ledger.texts("s") == ["I moved to Lyon"]
