"""`anamnesis observe` against a scripted server."""

import json
import re

from anamnesis.ingestion.v1.ingestion_service_pb2 import ObserveRequest, ObserveResponse
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

_STORED = ObserveResponse(
    event_id="s-1/4", importance=0.61, stored=True, memory_id="m-4", revision="r-12"
)


def test_tells_what_was_stored_and_its_revision(run: Run, script: Script) -> None:
    script.answer("Observe", _STORED)
    answer = run("observe", "I moved the stand-up", "--session", "s-1", "--agent", "juno")
    assert answer.exit_code == 0
    assert "stored as event s-1/4, memory m-4, importance 0.61" in answer.stdout
    assert "revision r-12" in answer.stderr
    (asked,) = script.asked(ObserveRequest)
    assert (asked.content, asked.source, asked.agent_id) == ("I moved the stand-up", "user", "juno")


def test_takes_the_servers_time_unless_one_is_given(run: Run, script: Script) -> None:
    script.answer("Observe", _STORED)
    run("observe", "x", "--session", "s-1", "--project", "apollo")
    again = ("--time", "2026-03-02T10:00:00+01:00", "--expires", "2127-01-01")
    run("observe", "x", "--session", "s-1", *again)
    now, then = script.asked(ObserveRequest)
    assert (now.use_server_time, now.project, then.project) == (True, "apollo", "")
    assert not now.HasField("event_time")
    assert not then.use_server_time
    assert then.event_time == at("2026-03-02T09:00:00")
    assert not now.HasField("expire_time")
    assert then.expire_time == at("2127-01-01T00:00:00")


def test_notes_of_a_day_are_one_session_of_their_user(run: Run, script: Script) -> None:
    script.answer("Observe", _STORED)
    run("observe", "x", "--user", "mara")
    run("observe", "x", "--user", "")
    hers, nobodys = script.asked(ObserveRequest)
    assert re.fullmatch(r"observed-\d{4}-\d\d-\d\d-mara", hers.session_id)
    assert re.fullmatch(r"observed-\d{4}-\d\d-\d\d", nobodys.session_id)


def test_reads_standard_input(run: Run, script: Script) -> None:
    script.answer("Observe", _STORED)
    run("observe", "--session", "s-1", "-", stdin="周三见\n".encode("utf-8-sig"))
    assert script.asked(ObserveRequest)[0].content == "周三见\n"
    foreign = run("observe", "--session", "s-1", "-", stdin="周三见".encode("gbk"))
    assert (foreign.exit_code, len(script.asked(ObserveRequest))) == (2, 1)
    assert "not UTF-8" in foreign.stderr


def test_says_when_it_was_let_go(run: Run, script: Script) -> None:
    script.answer("Observe", ObserveResponse(importance=0.12))
    answer = run("observe", "ok", "--session", "s-1")
    assert answer.exit_code == 0
    assert "let go: importance 0.12 is too little" in answer.stdout


def test_json_shows_what_is_not_set_too(run: Run, script: Script) -> None:
    script.answer("Observe", ObserveResponse(importance=0.12))
    document = json.loads(run("observe", "ok", "--session", "s-1", "--json").stdout)
    assert document["stored"] is False
    assert document["memory_id"] == ""
