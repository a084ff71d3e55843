"""`anamnesis ingest` against a scripted server."""

import json
import os
from pathlib import Path

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import (
    FILE_SHAPE_ANTHROPIC,
    IngestFileResponse,
    SkippedLine,
)
from anamnesis.memory.v1.admin_service_pb2 import GetNamespaceResponse
from anamnesis.memory.v1.namespace_pb2 import Namespace
from anamnesis_cli.upload import CHUNK_BYTES
from anamnesis_libs import errors
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at, ingested
from tests.unit.cli.conftest import Run

_NOT_TEXT = errors.invalid_field("chunk", "is not text", reason="FILE_NOT_TEXT")


def _files(directory: Path, *names: str) -> None:
    for name in names:
        (directory / name).write_text(f'{{"role": "user", "content": "{name}"}}\n')


def test_prints_a_row_a_file_and_the_revision(run: Run, script: Script, tmp_path: Path) -> None:
    _files(tmp_path, "a.jsonl")
    script.answer("IngestFile", ingested(3))
    answer = run("ingest", str(tmp_path / "a.jsonl"))
    assert answer.exit_code == 0
    head, row = [line.split() for line in answer.stdout.splitlines() if "a" in line]
    assert (head, row) == (["file", "events", "appended"], ["a.jsonl", "3", "3"])
    assert "session s-1" in answer.stderr
    assert "revision r-9" in answer.stderr


def test_several_files_have_a_sum_and_a_revision_that_holds_all(
    run: Run, script: Script, tmp_path: Path
) -> None:
    _files(tmp_path, "a.jsonl", "b.jsonl")
    script.answer("IngestFile", ingested(3))
    script.answer("GetNamespace", GetNamespaceResponse(namespace=Namespace(revision="r-20")))
    answer = run("ingest", str(tmp_path))
    rows = [line.split() for line in answer.stdout.splitlines()]
    assert ["2", "files", "6", "6"] in rows
    assert "revision r-20" in answer.stderr


def test_a_server_with_ingestion_alone_is_enough(run: Run, script: Script, tmp_path: Path) -> None:
    _files(tmp_path, "a.jsonl", "b.jsonl")
    script.answer("IngestFile", ingested(3))
    assert run("ingest", str(tmp_path)).exit_code == 0


@pytest.mark.usefixtures("narrow")
def test_at_80_columns_a_file_is_a_line_that_begins_and_ends_as_its_name(
    run: Run, script: Script, tmp_path: Path
) -> None:
    deep = tmp_path / "258c7280-ae70-4798-800f-63464d01a85d" / "subagents"
    deep.mkdir(parents=True)
    _files(deep, *(f"agent-acompact-fffbd{number:02}.jsonl" for number in range(20)))
    script.answer("IngestFile", ingested(3, (4, "not JSON")))
    rows = [line for line in run("ingest", str(tmp_path)).stdout.splitlines() if "agent-" in line]
    assert [row.split()[0][-10:] for row in rows] == [
        f"bd{number:02}.jsonl" for number in range(20)
    ]
    assert all(row.startswith(" 258c7280-") and "…" in row for row in rows)
    assert all(row.split()[1:] == ["3", "3", "1"] for row in rows)


def test_of_more_than_twenty_files_there_is_the_sum_and_what_failed(
    run: Run, script: Script, tmp_path: Path
) -> None:
    _files(tmp_path, *(f"{number:02}.jsonl" for number in range(22)))
    script.answer("IngestFile", ingested(3, (4, "not JSON")))
    script.answer_file("07.jsonl", _NOT_TEXT)
    answer = run("ingest", str(tmp_path))
    (row,) = [line.split() for line in answer.stdout.splitlines() if "files" in line]
    assert row == ["21", "files", "63", "63", "21"]
    assert ".jsonl" not in answer.stdout
    assert "07.jsonl: is not text" in answer.stderr
    assert answer.stderr.count("1 lines skipped") == 20
    assert "lines were skipped of 1 more files" in answer.stderr


def test_two_files_of_one_name_are_told_apart(run: Run, script: Script, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        _files(tmp_path / folder, "x.jsonl")
    script.answer("IngestFile", ingested())
    told = run("ingest", str(tmp_path / "a"), str(tmp_path / "b")).stdout
    assert "a/x.jsonl" in told
    assert "b/x.jsonl" in told
    assert str(tmp_path) not in told
    named = run("ingest", str(tmp_path / "a/x.jsonl"), str(tmp_path / "b/x.jsonl")).stdout
    assert str(tmp_path / "a/x.jsonl") in named


def test_a_file_that_gives_nothing_is_an_error_that_names_the_formats(
    run: Run, script: Script, tmp_path: Path
) -> None:
    _files(tmp_path, "a.jsonl", "none.jsonl")
    script.answer("IngestFile", ingested())
    nothing = IngestFileResponse(
        lines=2, skipped=2, skipped_lines=[SkippedLine(line=n, reason="no role") for n in (1, 2)]
    )
    script.answer_file("none.jsonl", nothing)
    answer = run("ingest", str(tmp_path))
    assert answer.exit_code == 1
    assert "none.jsonl: no message was found in its 2 lines (no role)" in answer.stderr
    assert "exports of ChatGPT, Claude.ai, Slack and WhatsApp" in answer.stderr
    assert "none.jsonl" not in answer.stdout
    one = json.loads(run("ingest", str(tmp_path / "none.jsonl"), "--json").stdout.splitlines()[0])
    assert (one["lines"], one["error"]) == (2, "no message was found in its 2 lines (no role)")


def test_a_file_of_summaries_alone_is_no_error(run: Run, script: Script, tmp_path: Path) -> None:
    _files(tmp_path, "a.jsonl", "summary.jsonl")
    script.answer("IngestFile", ingested())
    script.answer_file("summary.jsonl", IngestFileResponse(lines=4, ignored=4, retold=4))
    answer = run("ingest", str(tmp_path))
    assert answer.exit_code == 0, answer.output
    assert "1 files with summaries alone" in answer.stderr


def test_events_without_a_time_are_told_with_a_way_out(
    run: Run, script: Script, tmp_path: Path
) -> None:
    _files(tmp_path, "a.jsonl")
    kept = ingested()
    kept.undated = 3
    script.answer("IngestFile", kept)
    answer = run("ingest", str(tmp_path))
    assert answer.exit_code == 0
    assert "3 events have no time" in answer.stderr
    assert "--time TIME" in answer.stderr


def test_what_is_not_archived_is_told(run: Run, script: Script, tmp_path: Path) -> None:
    _files(tmp_path, "a.jsonl")
    kept = ingested()
    kept.not_archived = "larger than 9 bytes"
    script.answer("IngestFile", kept)
    answer = run("ingest", str(tmp_path))
    assert answer.exit_code == 0
    assert "a.jsonl is not archived: larger than 9 bytes" in answer.stderr


def test_skipped_lines_are_told_with_their_reasons(
    run: Run, script: Script, tmp_path: Path
) -> None:
    _files(tmp_path, "a.jsonl")
    script.answer("IngestFile", ingested(1, *((n, "not JSON") for n in range(2, 14))))
    answer = run("ingest", str(tmp_path / "a.jsonl"))
    assert answer.exit_code == 0
    assert "a.jsonl:2: skipped: not JSON" in answer.stderr
    assert "2 more lines skipped" in answer.stderr


def test_the_header_says_what_the_options_say(run: Run, script: Script, tmp_path: Path) -> None:
    _files(tmp_path, "a.jsonl")
    script.answer("IngestFile", ingested())
    options = "--agent juno --user mara --session s-7 --shape anthropic --time 2026-03-02 --end"
    run(
        "-n", "team-a", "ingest", str(tmp_path / "a.jsonl"), *options.split(), "--project", "apollo"
    )
    header = script.files[0].header
    assert header.label == str(tmp_path / "a.jsonl")
    assert (header.namespace, header.agent_id, header.user_id) == ("team-a", "juno", "mara")
    assert header.project == "apollo"
    assert (header.session_id, header.shape) == ("s-7", FILE_SHAPE_ANTHROPIC)
    assert header.default_event_time == at("2026-03-02")
    assert header.end_session


def test_the_default_time_may_be_each_files_own(run: Run, script: Script, tmp_path: Path) -> None:
    _files(tmp_path, "a.jsonl")
    os.utime(tmp_path / "a.jsonl", (1_772_442_900, 1_772_442_900))
    script.answer("IngestFile", ingested())
    run("ingest", str(tmp_path / "a.jsonl"), "--time", "mtime")
    assert script.files[0].header.default_event_time == at("2026-03-02T09:15:00")


def test_a_large_file_goes_in_chunks(run: Run, script: Script, tmp_path: Path) -> None:
    content = os.urandom(3 * CHUNK_BYTES + 17)
    (tmp_path / "large.jsonl").write_bytes(content)
    script.answer("IngestFile", ingested())
    assert run("ingest", str(tmp_path / "large.jsonl")).exit_code == 0
    (file,) = script.files
    assert file.chunk_sizes == [CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES, 17]
    assert file.content == content


def test_an_empty_file_is_a_header_alone(run: Run, script: Script, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    script.answer("IngestFile", IngestFileResponse())
    answer = run("ingest", str(tmp_path / "empty.jsonl"))
    assert answer.exit_code == 1
    assert "the file is empty" in answer.stderr
    assert script.files[0].chunk_sizes == []


def test_files_travel_in_the_order_of_their_paths(run: Run, script: Script, tmp_path: Path) -> None:
    _files(tmp_path, *(f"{number}.jsonl" for number in range(9)))
    script.answer("IngestFile", ingested())
    run("ingest", str(tmp_path))
    assert [file.header.label for file in script.files] == [
        str((tmp_path / f"{number}.jsonl").resolve()) for number in range(9)
    ]
    assert script.files_at_once_most == 1


def test_a_missing_path_fails_in_the_end_and_keeps_nothing_back(
    run: Run, script: Script, tmp_path: Path
) -> None:
    _files(tmp_path, "a.jsonl")
    script.answer("IngestFile", ingested())
    answer = run("ingest", str(tmp_path / "nowhere"), str(tmp_path / "a.jsonl"))
    assert answer.exit_code == 1
    assert "nowhere: no such file or directory" in answer.stderr
    assert "a.jsonl" in answer.stdout


def test_a_file_that_is_refused_leaves_the_others(run: Run, script: Script, tmp_path: Path) -> None:
    _files(tmp_path, "a.jsonl", "b.jsonl")
    (tmp_path / "image.jsonl").write_bytes(os.urandom(20 * CHUNK_BYTES))
    script.answer("IngestFile", ingested())
    script.answer_file("image.jsonl", _NOT_TEXT)
    answer = run("ingest", str(tmp_path))
    assert answer.exit_code == 1
    assert "image.jsonl: is not text" in answer.stderr
    assert "2 files" in answer.stdout


def test_what_concerns_every_file_ends_the_run(run: Run, script: Script, tmp_path: Path) -> None:
    _files(tmp_path, *(f"{number:02}.jsonl" for number in range(20)))
    script.answer("IngestFile", errors.StoreUnavailable("the disk is full", retry_after_s=0))
    answer = run("ingest", str(tmp_path))
    assert answer.exit_code == 1
    assert "error: the disk is full" in answer.stderr
    assert "20 files were not taken in" in answer.stderr
    assert answer.stderr.count("the disk is full") == 1
    assert len(script.files) < 20
    assert "remedy: free space" in answer.stderr


def test_what_stays_wrong_is_not_said_to_pass(run: Run, script: Script, tmp_path: Path) -> None:
    _files(tmp_path, "a.jsonl")
    script.answer("IngestFile", errors.invalid_field("header.namespace", "is no name"))
    answer = run("ingest", str(tmp_path))
    assert "1 file was not taken in\n" in answer.stderr


def test_json_is_a_line_a_file_and_a_line_with_the_sum(
    run: Run, script: Script, tmp_path: Path
) -> None:
    _files(tmp_path, "a.jsonl", "b.jsonl")
    script.answer("IngestFile", ingested(3, (4, "not JSON")))
    script.answer_file("b.jsonl", _NOT_TEXT)
    answer = run("--json", "ingest", str(tmp_path / "nowhere"), str(tmp_path))
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    by_path = {Path(line["path"]).name: line for line in lines if "path" in line}
    assert by_path["a.jsonl"]["skipped_lines"] == [{"line": 4, "reason": "not JSON"}]
    assert by_path["b.jsonl"]["error"] == "is not text"
    assert by_path["nowhere"]["error"] == "no such file or directory"
    assert lines[-1]["revision"] == "r-9"
    assert (lines[-1]["files"], lines[-1]["appended"]) == (1, 3)
    assert answer.exit_code == 1


def test_standard_input(run: Run, script: Script) -> None:
    script.answer("IngestFile", ingested())
    assert run("ingest", "-", "--session", "s-1", stdin=b"{}\n").exit_code == 0
    assert script.files[0].content == b"{}\n"
    assert script.files[0].header.label.startswith("stdin:")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("a.jsonl", "b.jsonl", "--session", "s"), "there are 2 files"),
        (("-", "--time", "mtime"), "no mtime"),
        (("a.jsonl", "--shape", "yaml"), "yaml"),
        (("a.jsonl", "--time", "some day"), "31 May 2021"),
        ((), "PATH"),
    ],
)
def test_wrong_usage_sends_nothing(
    run: Run,
    script: Script,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    _files(tmp_path, "a.jsonl", "b.jsonl")
    answer = run("ingest", *arguments)
    assert answer.exit_code == 2
    assert told in answer.stderr
    assert script.files == []
