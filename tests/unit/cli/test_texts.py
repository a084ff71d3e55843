"""`anamnesis ingest --text` against a scripted server."""

import json
import os
from pathlib import Path

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import (
    IngestTextRequest,
    IngestTextResponse,
    RunPipelineRequest,
    RunPipelineResponse,
)
from anamnesis.memory.v1.admin_service_pb2 import GetNamespaceResponse
from anamnesis.memory.v1.work_pb2 import WORK_KIND_SEGMENT
from anamnesis_libs import errors
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run


@pytest.fixture
def notes(tmp_path: Path, script: Script) -> Path:
    path = tmp_path / "notes.md"
    path.write_text("\ufeff# 会议\n\nLin Yue is allergic to peanuts.\n", encoding="utf-8")
    os.utime(path, (1_772_442_900, 1_772_442_900))
    answer = IngestTextResponse(session_id="s-1", appended=2, unchanged=1, revision="r-9")
    script.answer("IngestText", answer)
    return path


def test_a_text_is_sent_whole_and_dated_by_its_last_change(
    run: Run, script: Script, notes: Path
) -> None:
    whose = ("--agent", "juno", "--user", "m", "--project", "p")
    answer = run("-n", "team-a", "ingest", "--text", str(notes), *whose)
    assert answer.exit_code == 0
    (asked,) = script.asked(IngestTextRequest)
    assert (asked.namespace, asked.agent_id, asked.user_id) == ("team-a", "juno", "m")
    assert asked.project == "p"
    assert asked.text == "# 会议\n\nLin Yue is allergic to peanuts.\n"
    assert (asked.label, asked.event_time) == (str(notes), at("2026-03-02T09:15:00"))
    row = next(line for line in answer.stdout.splitlines() if "notes.md" in line)
    assert row.split() == ["notes.md", "2", "1"]
    assert "session s-1" in answer.stderr
    assert "revision r-9" in answer.stderr


def test_a_time_may_be_given(run: Run, script: Script, notes: Path) -> None:
    run("ingest", "--text", str(notes), "--time", "2025-01-02")
    assert script.asked(IngestTextRequest)[0].event_time == at("2025-01-02")


@pytest.mark.usefixtures("notes")
def test_standard_input_was_written_just_now(run: Run, script: Script) -> None:
    assert run("ingest", "--text", "-", stdin=b"a note").exit_code == 0
    (asked,) = script.asked(IngestTextRequest)
    assert (asked.text, asked.use_server_time) == ("a note", True)
    assert asked.label == "", "its first heading names it"


def test_what_is_no_text_is_told_and_the_rest_is_taken(
    run: Run, script: Script, notes: Path, tmp_path: Path
) -> None:
    (tmp_path / "image.txt").write_bytes(b"\x89PNG")
    (tmp_path / "empty").mkdir()
    paths = (
        str(tmp_path / "empty"),
        str(tmp_path / "image.txt"),
        str(tmp_path / "gone.txt"),
        str(notes),
    )
    answer = run("ingest", "--text", *paths)
    assert answer.exit_code == 1
    assert "holds no text; searched for are .md, .markdown and .txt files" in answer.stderr
    assert "image.txt: is not UTF-8 text: byte 0" in answer.stderr
    assert "gone.txt: no such file or directory" in answer.stderr
    assert [asked.label for asked in script.asked(IngestTextRequest)] == [str(notes)]


def test_a_text_that_is_refused_leaves_the_others(run: Run, notes: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    answer = run("ingest", "--text", "--json", str(tmp_path / "empty.txt"), str(notes))
    assert answer.exit_code == 1
    refused, stored = map(json.loads, answer.stdout.splitlines())
    assert refused["path"].endswith("empty.txt")
    assert refused["error"] == "the file is empty"
    assert (stored["path"], stored["appended"]) == (str(notes), 2)


def test_what_concerns_every_text_ends_the_run_and_what_came_before_is_told(
    run: Run, script: Script, notes: Path, tmp_path: Path
) -> None:
    (tmp_path / "other.md").write_text("# Other\n")
    full = errors.StoreUnavailable("the disk is full")
    script.answer("IngestText", IngestTextResponse(session_id="s-1", appended=2), full)
    answer = run("ingest", "--text", str(notes), str(tmp_path / "other.md"))
    assert answer.exit_code == 1
    assert "the disk is full" in answer.stderr
    assert notes.name in answer.stdout


def test_a_text_that_takes_too_long_leaves_the_others(
    run: Run, script: Script, notes: Path, tmp_path: Path
) -> None:
    (tmp_path / "long.md").write_text("# Long\n")
    late = errors.DeadlineExceeded("the text was not stored in time")
    script.answer("IngestText", late, IngestTextResponse(session_id="s-1", appended=2))
    answer = run("ingest", "--text", str(tmp_path / "long.md"), str(notes))
    assert answer.exit_code == 1
    assert "long.md: the text was not stored in time" in answer.stderr
    assert notes.name in answer.stdout


@pytest.mark.parametrize("option", [("--session", "s"), ("--shape", "openai")])
def test_a_text_has_a_session_of_its_own(run: Run, notes: Path, option: tuple[str, str]) -> None:
    answer = run("ingest", "--text", str(notes), *option)
    assert answer.exit_code == 2
    assert "session of its own" in answer.stderr


def test_learning_from_a_text_is_from_its_session(run: Run, script: Script, notes: Path) -> None:
    script.answer("RunPipeline", RunPipelineResponse(session_id="s-1", stage=WORK_KIND_SEGMENT))
    script.answer("GetNamespace", GetNamespaceResponse())
    assert run("ingest", "--text", "--learn", str(notes)).exit_code == 0
    assert script.asked(RunPipelineRequest)[0].session_id == "s-1"


def test_a_file_of_prose_without_the_option_names_it(run: Run, script: Script, notes: Path) -> None:
    refusal = errors.invalid_field("chunk", "is not text", reason="FILE_NOT_TEXT")
    script.answer("IngestFile", refusal)
    answer = run("ingest", str(notes))
    assert answer.exit_code == 1
    assert "--text" in answer.stderr
