"""The sets of questions, read from made-up files."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.everyday.questions import Question, read_people, read_questions
from benchmarks.recall.datasets import DataMissing

PERSON = {
    "id": "baker",
    "language": "en",
    "sessions": [
        {
            "date": "2026-01-05",
            "turns": [
                {"role": "user", "content": "My oven is electric."},
                {"role": "assistant", "content": "Noted."},
            ],
        },
        {"date": "2026-02-07", "turns": [{"role": "user", "content": "I have a gas oven now."}]},
    ],
    "questions": [
        {
            "query": "Which oven do I have?",
            "must": ["gas"],
            "new_first": ["gas", "electric"],
            "silent": False,
        },
        {"query": "thanks!", "must": [], "new_first": None, "silent": True},
    ],
}


def test_people_have_chats_a_minute_a_turn_and_questions_in_their_language(tmp_path: Path) -> None:
    file = tmp_path / "dev.json"
    file.write_text(json.dumps([PERSON]))
    (person,) = read_people(file)
    assert person.person_id == "baker"
    assert [session.session_id for session in person.sessions] == ["chat-0", "chat-1"]
    first, second = person.sessions[0].turns
    assert (first.content, first.role, second.role) == (
        "My oven is electric.",
        "user",
        "assistant",
    )
    assert second.time == datetime(2026, 1, 5, 18, 1, tzinfo=UTC)
    assert list(person.questions) == [
        Question("Which oven do I have?", ("gas",), ("gas", "electric"), kind="en"),
        Question("thanks!", silent=True, kind="en"),
    ]


def test_questions_to_logs_stand_a_line_each(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    row = {"log": "a/b", "query": "What broke?", "must": ["await"], "kind": "cause"}
    file.write_text(f"{json.dumps(row)}\n\n{json.dumps({'query': 'Why?', 'must': []})}\n")
    assert read_questions(file) == [
        Question("What broke?", ("await",), kind="cause", log="a/b"),
        Question("Why?"),
    ]


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match=r"dev\.json"):
        read_people(tmp_path / "dev.json")
