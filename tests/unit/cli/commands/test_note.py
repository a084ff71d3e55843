"""`anamnesis note` against a scripted server."""

import json

from anamnesis.memory.v1.event_pb2 import VISIBILITY_PRIVATE_TO_USER
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.palace_service_pb2 import SaveNoteRequest, SaveNoteResponse
from anamnesis_libs.errors import invalid_field
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

_SAVED = SaveNoteResponse(
    memory=Memory(memory_id="m-1", session_id="notes-1", pointer="§ W-001/R-01/D-001"),
    revision="r-7",
)


def test_says_where_it_is_kept(run: Run, script: Script) -> None:
    script.answer("SaveNote", _SAVED)
    answer = run("note", "the key is next door", "--user", "mara")
    assert answer.exit_code == 0
    assert answer.stdout == "kept in § W-001/R-01/D-001, session notes-1, memory m-1\n"
    assert "revision r-7" in answer.stderr
    (asked,) = script.asked(SaveNoteRequest)
    wanted = SaveNoteRequest(namespace="default", content="the key is next door", user_id="mara")
    assert asked == wanted


def test_the_request_says_what_the_options_say(run: Run, script: Script) -> None:
    script.answer("SaveNote", _SAVED)
    run(
        *("-n", "team-a", "note", "-", "--project", "apollo", "--agent", "scribe"),
        *("--session", "s-1", "--time", "2026-03-14", "--visibility", "private_to_user"),
        *("--request-id", "once", "--user", "", "--expires", "2127-01-01"),
        stdin=b"Wir liefern donnerstags.\n",
    )
    (asked,) = script.asked(SaveNoteRequest)
    assert asked == SaveNoteRequest(
        namespace="team-a",
        content="Wir liefern donnerstags.\n",
        project="apollo",
        agent_id="scribe",
        session_id="s-1",
        event_time=at("2026-03-14T00:00:00"),
        visibility=VISIBILITY_PRIVATE_TO_USER,
        request_id="once",
        expire_time=at("2127-01-01T00:00:00"),
        utc_offset_minutes=0,
    )


def test_a_refusal_names_the_field(run: Run, script: Script) -> None:
    script.answer("SaveNote", invalid_field("session_id", "is a session of another agent_id"))
    answer = run("note", "x", "--session", "s-1")
    assert answer.exit_code == 2
    assert "session_id: is a session of another agent_id" in answer.stderr


def test_json_is_the_answer(run: Run, script: Script) -> None:
    script.answer("SaveNote", _SAVED)
    answer = json.loads(run("note", "x", "--json").stdout)
    assert answer["memory"]["pointer"] == "§ W-001/R-01/D-001"
