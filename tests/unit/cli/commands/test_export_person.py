"""`anamnesis export --of-user` against a scripted server."""

import json
from pathlib import Path

from anamnesis.memory.v1.event_pb2 import Event, Session
from anamnesis.memory.v1.ledger_service_pb2 import (
    ListEventsRequest,
    ListEventsResponse,
    ListSessionsRequest,
    ListSessionsResponse,
)
from anamnesis.memory.v1.memory_pb2 import MEMORY_KIND_DOCUMENT, Memory
from anamnesis.memory.v1.memory_service_pb2 import ListMemoriesRequest, ListMemoriesResponse
from tests.support.scripted_suite import Script
from tests.unit.cli.conftest import Run


def test_all_of_a_person_is_written_page_by_page_as_they_may_see_it(
    run: Run, script: Script
) -> None:
    script.answer(
        "ListSessions",
        ListSessionsResponse(sessions=[Session(session_id="s1")], next_page_token="p"),
        ListSessionsResponse(sessions=[Session(session_id="s2")]),
    )
    script.answer(
        "ListEvents",
        ListEventsResponse(events=[Event(content="Hi")]),
        ListEventsResponse(events=[Event(content="林")], next_page_token="q"),
        ListEventsResponse(events=[Event(content="Bye")]),
    )
    script.answer(
        "ListMemories",
        ListMemoriesResponse(memories=[Memory(content="m")], next_page_token="r"),
        ListMemoriesResponse(memories=[Memory(content="n")]),
    )
    written = run("export", "--of-user", "ada", "-")
    lines = [json.loads(line) for line in written.stdout.splitlines()]
    assert [(one["type"], one.get("session_id"), one.get("content")) for one in lines] == [
        ("session", "s1", None),
        ("event", "s1", "Hi"),
        ("session", "s2", None),
        ("event", "s2", "林"),
        ("event", "s2", "Bye"),
        ("memory", "", "m"),
        ("memory", "", "n"),
    ]
    assert "7 records" in written.stderr
    listing = script.asked(ListSessionsRequest)
    assert {(one.user_id, one.caller.user_id) for one in listing} == {("ada", "ada")}
    assert [one.page_token for one in listing] == ["", "p"]
    assert [one.session_id for one in script.asked(ListEventsRequest)] == ["s1", "s2", "s2"]
    (first, _) = script.asked(ListMemoriesRequest)
    assert (first.filter.user_id, first.filter.include_archived) == ("ada", True)
    assert MEMORY_KIND_DOCUMENT in first.filter.kinds


def test_nobody_has_no_file(run: Run, script: Script, tmp_path: Path) -> None:
    script.answer("ListSessions", ListSessionsResponse())
    script.answer("ListMemories", ListMemoriesResponse())
    answer = run("export", "-n", "desk", "--of-user", "c-9999", str(tmp_path / "person.jsonl"))
    assert answer.exit_code == 1
    assert "nothing is kept of c-9999 in namespace desk" in answer.stderr
    assert list(tmp_path.iterdir()) == []
