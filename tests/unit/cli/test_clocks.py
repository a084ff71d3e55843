"""Where the command says that people are: options, the machine's clock, times as shown."""

import time
from collections.abc import Iterator

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import ObserveRequest, ObserveResponse
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.palace_service_pb2 import SaveNoteRequest, SaveNoteResponse
from anamnesis.retrieval.v1.retrieval_service_pb2 import (
    BuildContextRequest,
    BuildContextResponse,
    RouteQueryRequest,
    RouteQueryResponse,
    SearchRequest,
)
from anamnesis_cli.clocks import said_at
from anamnesis_cli.output import moment
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at, found
from tests.unit.cli.conftest import Run

STORED = Memory(memory_id="m", pointer="§ W-001/R-01/D-001")


@pytest.fixture
def shanghai(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine in Shanghai."""
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("options", "zone"),
    [
        ((), "+08:00"),
        (("--time-zone", "Europe/Berlin"), "Europe/Berlin"),
        (("--now", "2026-01-06T07:00-03:30"), "-03:30"),
        (("--now", "2026-01-06T07:00Z"), "+08:00"),
    ],
)
@pytest.mark.usefixtures("shanghai")
def test_a_question_is_asked_where_the_machine_is(
    run: Run, script: Script, options: tuple[str, ...], zone: str
) -> None:
    script.answer("Search", found())
    script.answer("BuildContext", BuildContextResponse())
    script.answer("RouteQuery", RouteQueryResponse())
    for command in ("search", "context", "route"):
        run(command, "what did I do yesterday?", *options)
    asked: list[SearchRequest | BuildContextRequest | RouteQueryRequest] = [
        *script.asked(SearchRequest),
        *script.asked(BuildContextRequest),
        *script.asked(RouteQueryRequest),
    ]
    assert [one.time_zone for one in asked] == [zone] * 3


@pytest.mark.parametrize(
    ("options", "since"),
    [
        (("--after", "2026-03-02"), "2026-03-01T16:00:00"),
        (("--after", "2026-03-02T09:00"), "2026-03-02T01:00:00"),
        (("--after", "2026-03-02T09:00Z"), "2026-03-02T09:00:00"),
        (("--after", "2026-03-02T09:00+02:00"), "2026-03-02T07:00:00"),
        (("--after", "2026-03-02", "--time-zone", "America/New_York"), "2026-03-02T05:00:00"),
        (("--after", "0001"), "0001-01-01T00:00:00"),
    ],
)
@pytest.mark.usefixtures("shanghai")
def test_days_of_a_filter_are_days_there(
    run: Run, script: Script, options: tuple[str, ...], since: str
) -> None:
    script.answer("Search", found())
    assert run("search", "x", *options).exit_code == 0
    assert script.asked(SearchRequest)[0].filter.time_range.start_time == at(since)


def test_a_zone_that_is_none_is_refused_for_a_filter(run: Run) -> None:
    refused = run("search", "x", "--after", "2026-03-02", "--time-zone", "Mars")
    assert refused.exit_code == 2
    assert "Mars" in refused.stderr


def test_a_machine_on_utc_leaves_it_to_the_namespace(run: Run, script: Script) -> None:
    script.answer("Search", found())
    run("search", "what did I do yesterday?")
    assert script.asked(SearchRequest)[0].time_zone == ""


@pytest.mark.parametrize(
    ("options", "minutes"),
    [
        ((), 480),
        (("--time", "2026-01-06T00:30+09:00"), 540),
        (("--time", "2026-01-06"), 0),
    ],
)
@pytest.mark.usefixtures("shanghai")
def test_what_is_kept_is_of_the_clock_of_its_time(
    run: Run, script: Script, options: tuple[str, ...], minutes: int
) -> None:
    script.answer("SaveNote", SaveNoteResponse(memory=STORED))
    script.answer("Observe", ObserveResponse(stored=True))
    run("note", "the key is next door", *options)
    run("observe", "the key is next door", *options)
    asked: list[SaveNoteRequest | ObserveRequest] = [
        *script.asked(SaveNoteRequest),
        *script.asked(ObserveRequest),
    ]
    assert [one.utc_offset_minutes for one in asked] == [minutes] * 2


@pytest.mark.usefixtures("shanghai")
def test_times_are_shown_on_the_clock_of_who_said_it_others_on_the_machines() -> None:
    stamp = at("2026-01-05T15:30:00")
    assert said_at(Memory(event_time=stamp, utc_offset_minutes=540)) == "2026-01-06 00:30 +09:00"
    assert said_at(Memory(event_time=stamp)) == "2026-01-05 15:30 UTC"
    assert moment(stamp) == "2026-01-05 23:30 +08:00"
    assert moment(at("9999-12-31T23:59:00")).startswith("9999-12-31 23:59")
