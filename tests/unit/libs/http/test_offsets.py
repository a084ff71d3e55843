"""Times of JSON that name an offset: it fills the fields that a timestamp has no room for."""

import json

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest, ObserveRequest
from anamnesis.memory.v1.memory_service_pb2 import BatchCreateMemoriesRequest
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis_libs.http.codecs import Json


def test_an_event_is_of_the_clock_that_its_time_names() -> None:
    events = [
        {"eventTime": "2026-01-06T00:30:00+09:00"},
        {"event_time": "2026-01-06T00:30:00.25-03:30"},
        {"eventTime": "2026-01-06T00:30:00Z"},
        {"eventTime": "2026-01-06T00:30:00+00:00"},
        {"eventTime": "2026-01-06T00:30:00+09:00", "utcOffsetMinutes": 480},
        {},
    ]
    body = json.dumps({"namespace": "n", "events": events}).encode()
    read = Json[AppendEventsRequest]().decode(body, AppendEventsRequest).events
    stated = [
        one.utc_offset_minutes if one.HasField("utc_offset_minutes") else None for one in read
    ]
    assert stated == [540, -210, None, None, 480, None]
    assert read[0].event_time.ToJsonString() == "2026-01-05T15:30:00Z"


def test_it_is_found_wherever_it_stands() -> None:
    body = b'{"eventTime": "2026-01-06T00:30:00+09:00"}'
    assert Json[ObserveRequest]().decode(body, ObserveRequest).utc_offset_minutes == 540
    body = b'{"memories": [{}, {"event_time": "2026-01-06T00:30:00+09:00"}]}'
    read = Json[BatchCreateMemoriesRequest]().decode(body, BatchCreateMemoriesRequest)
    assert [one.utc_offset_minutes for one in read.memories] == [0, 540]


@pytest.mark.parametrize(
    ("body", "zone"),
    [
        (b'{"now": "2026-01-06T07:00:00+08:00"}', "+08:00"),
        (b'{"now": "2026-01-06T07:00:00-03:30"}', "-03:30"),
        (b'{"now": "2026-01-06T07:00:00+08:00", "timeZone": "UTC"}', "UTC"),
        (b'{"now": "2026-01-06T07:00:00Z"}', ""),
        (b'{"query": "at T07:00:00+08:00\\""}', ""),
        (b'{"now": "2026-01-06T07:00:00.123456789+08:00"}', "+08:00"),
    ],
)
def test_a_question_is_asked_where_its_moment_says(body: bytes, zone: str) -> None:
    assert Json[SearchRequest]().decode(body, SearchRequest).time_zone == zone
