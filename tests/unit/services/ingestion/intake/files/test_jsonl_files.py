"""Session files that other programs wrote are read; skipped where the shared data is absent."""

import json
from pathlib import Path

import pytest

from anamnesis_ingestion.intake.files.jsonl import parse_jsonl
from anamnesis_ingestion.model import Role

SHARED = Path(__file__).parents[7] / "shared" / "data"


@pytest.mark.skipif(not SHARED.exists(), reason="shared data is not beside the repository")
@pytest.mark.parametrize(
    ("name", "events", "tools", "skipped", "session"),
    [
        ("edge_cases", 13, 1, 5, "edge_cases"),
        ("representative_messages", 11, 2, 0, "test_session"),
        ("session_b", 3, 0, 0, "session_b"),
        ("todowrite_examples", 11, 3, 0, "todowrite_session"),
    ],
)
def test_real_session_files_are_read(
    name: str, events: int, tools: int, skipped: int, session: str
) -> None:
    data = (SHARED / "claude-code-log" / f"{name}.jsonl").read_bytes()
    parsed = parse_jsonl([data])
    assert len(parsed.events) == parsed.report.event_count == events
    assert sum(event.role is Role.TOOL for event in parsed.events) == tools
    assert (parsed.report.skipped_count, parsed.report.session_id) == (skipped, session)
    assert all(event.event_time and event.source_id for event in parsed.events)


@pytest.mark.skipif(not SHARED.exists(), reason="shared data is not beside the repository")
def test_a_transcript_as_lines_keeps_its_turns_and_drops_the_compaction() -> None:
    transcript = SHARED / "claude-code-transcripts" / "sample_session.json"
    lines = json.loads(transcript.read_text())["loglines"]
    parsed = parse_jsonl(json.dumps(line).encode() + b"\n" for line in lines)
    assert parsed.report.compaction_summaries == 1
    assert len(parsed.events) == len(lines) - 1
    assert not any("continuation summary" in event.content for event in parsed.events)
