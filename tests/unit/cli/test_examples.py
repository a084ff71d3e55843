"""The example conversations say what examples/README.md promises."""

from pathlib import Path

import pytest

from anamnesis_ingestion.intake.files.jsonl import parse_jsonl
from anamnesis_ingestion.model import ParsedFile, Role, Shape

_EXAMPLES = Path(__file__).parents[3] / "examples"
_TALKS = sorted((_EXAMPLES / "conversations").glob("*.jsonl"))
_SESSIONS = sorted((_EXAMPLES / "sessions").glob("*.jsonl"))


def _read(file: Path) -> ParsedFile:
    return parse_jsonl([file.read_bytes()])


@pytest.mark.parametrize("file", [*_TALKS, *_SESSIONS], ids=lambda file: file.name)
def test_every_line_is_an_event_with_its_time(file: Path) -> None:
    read = _read(file)
    assert read.report.skipped_count == 0
    assert len(read.events) == read.report.lines
    assert all(event.event_time is not None for event in read.events)
    assert file.name.startswith(f"{read.events[0].event_time:%Y-%m-%d}")


def test_there_are_both_shapes_and_what_the_readme_names() -> None:
    files = [_read(file) for file in _TALKS]
    assert [file.report.shape for file in files] == [*[Shape.OPENAI] * 3, Shape.ANTHROPIC]
    events = [event for file in files for event in file.events]
    assert 55 <= len(events) <= 65
    assert sum(bool(event.tool_calls) for event in events) == 2
    assert sum(event.role is Role.TOOL for event in events) == 2
    assert sum("花生" in event.content for event in events) == 1


def test_the_sessions_are_a_coding_agents_with_calls_that_failed() -> None:
    files = [_read(file) for file in _SESSIONS]
    assert {file.report.shape for file in files} == {Shape.CLAUDE_CODE}
    events = [event for file in files for event in file.events]
    assert sum(event.failed for event in events) == 9
    assert sum("发布" in event.content for event in events) == 2
