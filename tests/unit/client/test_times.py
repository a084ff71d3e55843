"""Times that callers give, and the clocks that they name."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from anamnesis.memory.v1.event_pb2 import Event
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest, SearchResponse
from anamnesis_client.errors import InvalidArgument
from anamnesis_client.messages import events_of
from anamnesis_client.times import Time, local_moment_of, offset_minutes
from tests.unit.client.flows import driven, operations

TOKYO = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("time", "zone", "minutes"),
    [
        ("2026-01-06T00:30:00+09:00", "", 540),
        (datetime(2026, 1, 6, 0, 30, tzinfo=TOKYO), "Asia/Shanghai", 540),
        ("2026-01-06T00:30:00Z", "", None),
        ("2026-01-06T00:30:00Z", "Asia/Shanghai", 480),
        ("2026-07-06T00:30:00", "Europe/London", 60),
        ("2026-01-06T00:30:00", "Europe/London", 0),
        (1_767_659_400.0, "-03:30", -210),
        # a date alone is that day, whoever reads it
        ("2026-01-06", "America/New_York", 0),
        (date(2026, 1, 6), "", 0),
        (None, "", None),
        (None, "Asia/Shanghai", 480),
    ],
)
def test_a_time_is_of_a_clock(time: Time | None, zone: str, minutes: int | None) -> None:
    assert offset_minutes(time, zone) == minutes


def test_a_zone_that_is_none_is_named() -> None:
    with pytest.raises(InvalidArgument, match="Shanghai"):
        offset_minutes("2026-01-06T00:30:00Z", "Asia/Atlantis")


def test_messages_have_the_clock_of_their_times() -> None:
    said = {"role": "user", "content": "我到家了。", "time": "2026-01-06T07:00:00+08:00"}
    (event,) = events_of([said])
    assert event.event_time.ToJsonString() == "2026-01-05T23:00:00Z"
    assert event.utc_offset_minutes == 480
    told = local_moment_of(event)
    assert told == datetime(2026, 1, 5, 23, tzinfo=UTC)
    assert told is not None
    assert told.isoformat() == "2026-01-06T07:00:00+08:00"
    assert local_moment_of(Event()) is None


def test_a_client_asks_from_its_zone() -> None:
    here = operations().on_behalf(time_zone="Asia/Shanghai")
    _, (asked,), _ = driven(here.search("昨天", full=False), [SearchResponse()])
    assert isinstance(asked.request, SearchRequest)
    assert asked.request.time_zone == "Asia/Shanghai"
