"""`anamnesis failures` against a scripted server."""

import json

from anamnesis.ingestion.v1.ingestion_service_pb2 import (
    ListFailuresRequest,
    ListFailuresResponse,
    RetryFailuresRequest,
    RetryFailuresResponse,
)
from anamnesis.memory.v1.work_pb2 import (
    WORK_KIND_EXTRACT,
    WORK_KIND_LABEL,
    WORK_STATE_DEAD,
    WORK_STATE_FAILED,
    WorkItem,
)
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

_AGAIN = WorkItem(
    kind=WORK_KIND_LABEL,
    session_id="s-1",
    state=WORK_STATE_FAILED,
    attempts=2,
    due_time=at("2026-03-02T09:15:00"),
    reason="MODEL_UNAVAILABLE: no answer",
)
_DEAD = WorkItem(
    kind=WORK_KIND_EXTRACT,
    session_id="s-2",
    state=WORK_STATE_DEAD,
    attempts=8,
    reason="ANSWER_MALFORMED: cut short",
)


def _script(script: Script) -> None:
    first = ListFailuresResponse(failures=[_AGAIN], next_page_token="t-2")
    script.answer("ListFailures", first, ListFailuresResponse(failures=[_DEAD]))


def test_lists_what_failed_why_and_when_it_is_tried_again(run: Run, script: Script) -> None:
    _script(script)
    answer = run("failures", "--session", "s-1")
    assert answer.exit_code == 0
    rows = [" ".join(line.split()) for line in answer.stdout.splitlines()]
    assert "label s-1 2 2026-03-02 09:15 UTC MODEL_UNAVAILABLE: no answer" in rows
    assert "extract s-2 8 dead ANSWER_MALFORMED: cut short" in rows
    assert "1 were given up" in answer.stderr
    asked = script.asked(ListFailuresRequest)
    assert [(each.session_id, each.page_token) for each in asked] == [("s-1", ""), ("s-1", "t-2")]


def test_one_stage_alone(run: Run, script: Script) -> None:
    _script(script)
    document = json.loads(run("failures", "--stage", "extract", "--json").stdout)
    assert [each["session_id"] for each in document["failures"]] == ["s-2"]


def test_nothing_failed(run: Run, script: Script) -> None:
    script.answer("ListFailures", ListFailuresResponse())
    answer = run("failures", "-n", "team-a")
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert "nothing failed in namespace team-a" in answer.stderr


def test_retry_says_how_many_are_due(run: Run, script: Script) -> None:
    script.answer("RetryFailures", RetryFailuresResponse(retried=3))
    answer = run("failures", "--retry", "--session", "s-1", "--stage", "label")
    assert "3 pieces of work are due now" in answer.stderr
    (asked,) = script.asked(RetryFailuresRequest)
    assert (asked.session_id, list(asked.stages)) == ("s-1", [WORK_KIND_LABEL])
    assert json.loads(run("failures", "--retry", "--json").stdout) == {"retried": "3"}
