"""Coding logs: the files that are one, and the names of their namespaces."""

from pathlib import Path

import pytest

from benchmarks.everyday.logs import files_of
from benchmarks.everyday.spaces import namespace_of
from benchmarks.recall.datasets import DataMissing


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


def test_a_namespace_has_a_name_that_is_allowed() -> None:
    assert namespace_of("claude-code-real/258c_7280") == "everyday-claude-code-real-258c-7280"
    assert len(namespace_of("x" * 100)) == 63
    assert namespace_of("小雨 baba") == "everyday-baba"
