"""`anamnesis sft` against a scripted server."""

import json

from anamnesis.ingestion.v1.ingestion_service_pb2 import ExportSftRequest, ExportSftResponse
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

_ROW = '{"messages": [{"role": "user", "content": "[bold]\\u001b 你好"}], "topic": "t"}'


def _script(script: Script) -> None:
    rows = (
        ExportSftResponse(row_json=_ROW, session_id=f"s-{n}", segment_id="g", score=0.9)
        for n in range(2)
    )
    script.answer("ExportSft", *rows)


def test_rows_go_to_standard_output_as_they_are(run: Run, script: Script) -> None:
    _script(script)
    answer = run("sft")
    assert (answer.exit_code, answer.stdout) == (0, f"{_ROW}\n{_ROW}\n")
    assert "2 rows" in answer.stderr


def test_the_request_says_what_the_options_say(run: Run, script: Script) -> None:
    _script(script)
    options = "--min-score 0 --task-type coding --since 2026-03-02 --limit 9 --render-tools"
    run("sft", "-n", "team-a", *options.split(), "--as-agent", "juno")
    (asked,) = script.asked(ExportSftRequest)
    assert (asked.namespace, asked.task_type, asked.limit) == ("team-a", "coding", 9)
    assert (asked.HasField("min_score"), asked.min_score) == (True, 0.0)
    assert (asked.since, asked.render_tools) == (at("2026-03-02"), True)
    assert asked.caller.agent_id == "juno"


def test_the_least_score_is_the_servers_where_none_is_given(run: Run, script: Script) -> None:
    _script(script)
    run("sft")
    assert not script.asked(ExportSftRequest)[0].HasField("min_score")


def test_json_has_the_row_with_where_it_comes_from(run: Run, script: Script) -> None:
    _script(script)
    first, second = map(json.loads, run("sft", "--json").stdout.splitlines())
    assert first["row"] == json.loads(_ROW)
    assert (first["score"], second["session_id"]) == (0.9, "s-1")


def test_no_row_is_said(run: Run, script: Script) -> None:
    script.answer("ExportSft")
    answer = run("sft")
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert "no task reaches the score" in answer.stderr
