"""Whose memory the command line writes and reads: one person's, without a word of it."""

import getpass

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import ObserveRequest, ObserveResponse
from anamnesis.memory.v1.event_pb2 import VISIBILITY_PRIVATE_TO_USER, VISIBILITY_SHARED
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest, SearchResponse
from tests.support.scripted_suite import Script
from tests.unit.cli.conftest import Run


def _written_and_read(run: Run, script: Script, *options: str) -> tuple[str, str]:
    """The user of an observation and of a search with the same options."""
    script.answer("Observe", ObserveResponse(stored=True))
    script.answer("Search", SearchResponse())
    run("observe", "--session", "s", "tea", *options)
    run("search", "tea", *options)
    observed, searched = script.asked(ObserveRequest)[-1], script.asked(SearchRequest)[-1]
    return observed.user_id, searched.caller.user_id


def test_writing_and_reading_are_the_same_persons(
    run: Run, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "login")
    assert _written_and_read(run, script) == ("login", "login")
    monkeypatch.setenv("ANAMNESIS_USER", "mara")
    assert _written_and_read(run, script) == ("mara", "mara")
    assert _written_and_read(run, script, "--user", "omar") == ("omar", "omar")
    assert _written_and_read(run, script, "--user", "") == ("", "")


def test_a_machine_that_knows_no_login_writes_for_nobody(
    run: Run, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown() -> str:
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.setattr(getpass, "getuser", unknown)
    assert _written_and_read(run, script) == ("", "")


def test_who_sees_it_is_said_by_an_option(run: Run, script: Script) -> None:
    script.answer("Observe", ObserveResponse(stored=True))
    run("observe", "--session", "s", "tea", "--visibility", "shared")
    assert script.asked(ObserveRequest)[0].visibility == VISIBILITY_SHARED


def test_who_takes_part_is_said_and_told(run: Run, script: Script) -> None:
    both = ObserveResponse(
        stored=True, visibility=VISIBILITY_PRIVATE_TO_USER, participants=["ada", "bo", "cy"]
    )
    script.answer("Observe", both)
    told = run("observe", "--session", "s", "tea", "--user", "ada", "--with", "bo", "--with", "cy")
    request = script.asked(ObserveRequest)[0]
    assert (request.user_id, list(request.participants)) == ("ada", ["bo", "cy"])
    assert "seen by ada, bo and cy alone" in told.output
