"""`anamnesis activity` against a scripted server."""

import json

import pytest

from anamnesis.memory.v1.memory_pb2 import (
    FACT_KIND_CONSTRAINT,
    MEMORY_KIND_LEARNING,
    MEMORY_KIND_PROCEDURAL,
    MEMORY_KIND_SEMANTIC,
    MEMORY_STATUS_ARCHIVED,
    Fact,
    Lesson,
    Memory,
    Procedure,
    ProcedureStep,
)
from anamnesis.memory.v1.memory_service_pb2 import (
    BatchGetMemoriesRequest,
    BatchGetMemoriesResponse,
    ListActivityRequest,
    ListActivityResponse,
)
from anamnesis.memory.v1.segment_pb2 import Activity, Refusal
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

_DONE = Activity(
    time=at("2026-03-02T09:15:00"),
    session_id="s-1",
    segment_id="seg-1",
    topic="Dinner for Lin Yue",
    memory_ids=["m-1", "m-2", "m-3", "m-4"],
    refusals=[Refusal(reason="unsupported", count=2), Refusal(reason="injected", count=1)],
    extractor="local",
)
_EMPTY = Activity(time=at("2026-03-01T08:00:00"), session_id="s-0", extractor="local")
_FACT = Fact(subject="Lin Yue", predicate="is allergic to", object="peanuts")
_FACT.fact_kind = FACT_KIND_CONSTRAINT
_MEMORIES = (
    Memory(
        memory_id="m-1",
        kind=MEMORY_KIND_SEMANTIC,
        overview="Lin Yue is allergic to [peanuts].\x1b[2J",
        fact=_FACT,
    ),
    Memory(
        memory_id="m-2",
        kind=MEMORY_KIND_LEARNING,
        overview="No table free. No table free. Nobody had asked. Ask before booking.",
        lesson=Lesson(title="No table free.", resolution="Ask before booking."),
        status=MEMORY_STATUS_ARCHIVED,
    ),
    Memory(
        memory_id="m-3",
        kind=MEMORY_KIND_PROCEDURAL,
        overview="Book a table: call, confirm.",
        procedure=Procedure(name="Book a table", steps=[ProcedureStep(), ProcedureStep()]),
    ),
)


def _script(script: Script, *done: Activity, next_page_token: str = "") -> None:
    page = ListActivityResponse(activities=done, next_page_token=next_page_token)
    script.answer("ListActivity", page)
    script.answer("BatchGetMemories", BatchGetMemoriesResponse(memories=_MEMORIES))


def test_tells_when_what_and_from_what(run: Run, script: Script) -> None:
    _script(script, _DONE, _EMPTY)
    answer = run("activity", "-n", "team-a")
    assert answer.exit_code == 0
    lines = answer.stdout.splitlines()
    assert lines[0].split("  ") == ["2026-03-02 09:15 UTC", "Dinner for Lin Yue"]
    assert lines[1].endswith("session s-1, by local")
    told = "\n".join(lines)
    assert "fact, constraint: Lin Yue is allergic to [peanuts].␛[2J  m-1" in told
    assert "lesson: No table free. → Ask before booking.  m-2 archived" in told
    assert "procedure: Book a table (2 steps)  m-3" in told
    assert "1 more that you may not see" in told
    assert "refused: 2 unsupported, 1 injected" in told
    assert "nothing worth keeping" in lines[-1]
    assert list(script.asked(BatchGetMemoriesRequest)[0].memory_ids) == list(_DONE.memory_ids)


@pytest.mark.usefixtures("narrow")
def test_at_80_columns_ids_stand_whole_in_lines_of_their_own(run: Run, script: Script) -> None:
    _script(script, _DONE)
    lines = run("activity").stdout.splitlines()
    assert [line.strip() for line in lines[2:4]] == [
        "fact, constraint: Lin Yue is allergic to [peanuts].␛[2J",
        "m-1",
    ]
    assert "   m-2 archived" in map(str.rstrip, lines)
    assert lines[-1].strip() == "refused: 2 unsupported, 1 injected"


def test_the_requests_say_what_the_options_say(run: Run, script: Script) -> None:
    _script(script, _DONE, next_page_token="t-2")
    answer = run("activity", "--session", "s-1", "--limit", "7", "--user", "mara")
    (asked,), (read,) = script.asked(ListActivityRequest), script.asked(BatchGetMemoriesRequest)
    assert (asked.session_id, asked.page_size, asked.caller.user_id) == ("s-1", 7, "mara")
    assert read.caller.user_id == "mara"
    assert "--page-token t-2" in answer.stderr


def test_many_memories_are_read_in_batches(run: Run, script: Script) -> None:
    many = [Activity(memory_ids=[f"m-{n}-{m}" for m in range(300)]) for n in range(4)]
    _script(script, *many)
    run("activity")
    asked = script.asked(BatchGetMemoriesRequest)
    assert [len(each.memory_ids) for each in asked] == [500, 500, 200]


def test_nothing_learned_says_how_to(run: Run, script: Script) -> None:
    _script(script)
    answer = run("activity")
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert "anamnesis learn" in answer.stderr
    assert script.asked(BatchGetMemoriesRequest) == []


def test_json_has_the_memories_beside_the_activity(run: Run, script: Script) -> None:
    _script(script, _DONE)
    (done,) = json.loads(run("activity", "--json").stdout)["activities"]
    assert done["refusals"][0] == {"reason": "unsupported", "count": 2}
    assert [memory["memory_id"] for memory in done["memories"]] == ["m-1", "m-2", "m-3"]
