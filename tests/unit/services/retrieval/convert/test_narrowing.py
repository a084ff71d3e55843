"""Tests of convert/narrowing.py: a mode's filter lets through no more than the caller's."""

from datetime import UTC, datetime

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1 import memory_pb2
from anamnesis.memory.v1.filter_pb2 import MemoryFilter, TimeRange
from anamnesis_libs.errors import InvalidArgument
from anamnesis_retrieval.convert.narrowing import NO_TIME, STRUCTURED_KINDS, narrowed
from anamnesis_retrieval.model import Mode

NOW = datetime(2026, 11, 25, 9, tzinfo=UTC)
MAY = "What happened in May 2026?"
EPISODIC = memory_pb2.MEMORY_KIND_EPISODIC
SEMANTIC = memory_pb2.MEMORY_KIND_SEMANTIC


def at(year: int, month: int) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(datetime(year, month, 1))  # noqa: DTZ001 -- protobuf reads it as UTC
    return stamp


def test_structured_looks_at_no_turns() -> None:
    assert list(narrowed(MemoryFilter(), Mode.STRUCTURED, "x", NOW)[0].kinds) == [*STRUCTURED_KINDS]
    given = MemoryFilter(kinds=[EPISODIC, SEMANTIC], tags=["a"])
    narrow, _ = narrowed(given, Mode.STRUCTURED, "x", NOW)
    assert narrow == MemoryFilter(kinds=[SEMANTIC], tags=["a"])
    with pytest.raises(InvalidArgument, match=r"filter\.kinds"):
        narrowed(MemoryFilter(kinds=[EPISODIC]), Mode.STRUCTURED, "x", NOW)


@pytest.mark.parametrize(
    ("start", "end", "narrow"),
    [
        (None, None, (at(2026, 5), at(2026, 6))),
        (at(2026, 1), at(2026, 12), (at(2026, 5), at(2026, 6))),
        (at(2026, 6), None, (at(2026, 6), at(2026, 6))),
        (None, at(2026, 4), (at(2026, 5), at(2026, 5))),
        (at(2026, 9), at(2026, 8), (at(2026, 9), at(2026, 6))),
    ],
)
def test_temporal_looks_within_the_times_that_are_named_and_within_the_filter(
    start: Timestamp | None, end: Timestamp | None, narrow: tuple[Timestamp, Timestamp]
) -> None:
    given = MemoryFilter(time_range=TimeRange(start_time=start, end_time=end))
    found, degraded = narrowed(given, Mode.TEMPORAL, MAY, NOW)
    assert (found.time_range.start_time, found.time_range.end_time) == narrow
    assert not degraded


def test_a_query_without_a_time_is_searched_whole_and_says_so() -> None:
    given = MemoryFilter(tags=["a"])
    assert narrowed(given, Mode.TEMPORAL, "What happened?", NOW) == (given, (NO_TIME,))


@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.HYBRID, Mode.SEMANTIC, Mode.GRAPH])
def test_other_modes_leave_the_filter_as_it_is(mode: Mode) -> None:
    given = MemoryFilter(kinds=[EPISODIC])
    assert narrowed(given, mode, MAY, NOW) == (given, ())
