"""Coding logs: the files that are one, and pi's rows as messages."""

import json
from pathlib import Path

import pytest

from benchmarks.everyday.logs import files_of
from benchmarks.everyday.pi import session_of, unwrapped
from benchmarks.everyday.spaces import namespace_of
from benchmarks.recall.datasets import DataMissing

WHEN = "2026-01-05T18:00:00Z"
ROWS = [
    {"type": "session", "id": "s-1", "timestamp": WHEN},
    {"type": "model_change", "timestamp": WHEN},
    {
        "type": "message",
        "timestamp": WHEN,
        "message": {"role": "user", "content": [{"type": "text", "text": "Fix it."}]},
    },
    {
        "type": "message",
        "timestamp": WHEN,
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Look first."},
                {"type": "text", "text": "One moment."},
                {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "a.py"}},
            ],
        },
    },
    {
        "type": "message",
        "timestamp": WHEN,
        "message": {
            "role": "toolResult",
            "toolCallId": "c1",
            "content": [{"type": "text", "text": "x = 1"}],
        },
    },
]


def _touched(*files: Path) -> None:
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}\n")


def test_a_log_is_its_file_and_the_folder_of_its_subagents(tmp_path: Path) -> None:
    main = tmp_path / "code" / "ab12-34.jsonl"
    agent = tmp_path / "code" / "ab12-34" / "subagents" / "agent-1.jsonl"
    other = tmp_path / "code" / "cd56.jsonl"
    _touched(main, agent, other)
    assert files_of(tmp_path, "code/ab12") == [main, agent]
    assert files_of(tmp_path, "code") == [agent, main, other]
    with pytest.raises(DataMissing, match="--data"):
        files_of(tmp_path, "code/ef")


def test_pi_rows_become_messages(tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    assert session_of(file) == "s-1"
    user, assistant, tool = map(json.loads, unwrapped(file).splitlines())
    assert user == {"timestamp": WHEN, "role": "user", "content": "Fix it."}
    assert (assistant["content"], assistant["reasoning_content"]) == ("One moment.", "Look first.")
    assert assistant["tool_calls"] == [
        {
            "id": "c1",
            "type": "function",
            "function": {"name": "read", "arguments": '{"path": "a.py"}'},
        }
    ]
    assert tool == {"timestamp": WHEN, "role": "tool", "tool_call_id": "c1", "content": "x = 1"}


@pytest.mark.parametrize("line", ['{"type": "user"}', "no json", ""])
def test_other_files_are_none_of_pis(tmp_path: Path, line: str) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(line)
    assert session_of(file) == ""


def test_a_namespace_has_a_name_that_is_allowed() -> None:
    assert namespace_of("claude-code-real/258c_7280") == "everyday-claude-code-real-258c-7280"
    assert len(namespace_of("x" * 100)) == 63
    assert namespace_of("小雨 baba") == "everyday-baba"
