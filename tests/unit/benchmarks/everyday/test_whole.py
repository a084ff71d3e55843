"""The whole benchmark on a person, a page and a log that are made up, against a real suite."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.everyday.__main__ import main

PERSON = {
    "id": "Baker",
    "language": "en",
    "sessions": [
        {
            "date": "2026-01-05",
            "turns": [
                {"role": "user", "content": "I bake bread in an electric oven."},
                {"role": "assistant", "content": "Electric ovens are fine for bread."},
            ],
        }
    ],
    "questions": [
        {"query": "Which oven do I bake bread in?", "must": ["electric"], "silent": False},
        {"query": "thanks!", "silent": True},
    ],
}
PAGE = "# Ovens\n\nAn oven wants an hour of heat.\n\nStones keep the heat of an oven for long.\n"
LOGGED = [
    {"role": "user", "content": "The oven test fails.", "timestamp": "2026-01-05T18:00:00Z"},
    {
        "role": "assistant",
        "content": "The oven test had a missing await; it passes now.",
        "timestamp": "2026-01-05T18:01:00Z",
    },
]


def _lines(*rows: object) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.mark.long
def test_chats_pages_and_logs_are_asked(tmp_path: Path) -> None:
    (tmp_path / "people.json").write_text(json.dumps([PERSON]))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "ovens.md").write_text(PAGE)
    (tmp_path / "pages.jsonl").write_text(_lines({"query": "What keeps heat?", "must": ["stones"]}))
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "ab12.jsonl").write_text(_lines(*LOGGED))
    asked = {"log": "code/ab", "query": "Why did the oven test fail?", "must": ["await"]}
    (tmp_path / "logs.jsonl").write_text(_lines({**asked, "kind": "cause"}))
    figures = tmp_path / "figures.json"
    run = CliRunner().invoke(
        main,
        [
            str(tmp_path / "people.json"),
            *("--docs", str(tmp_path / "docs"), "--questions", str(tmp_path / "pages.jsonl")),
            *("--logs", "--log-questions", str(tmp_path / "logs.jsonl"), "--data", str(tmp_path)),
            *("--budget", "200", "--embedder", "static", "--show", "--json", str(figures)),
        ],
        catch_exceptions=False,
    )
    assert run.exit_code == 0, run.output
    counted = json.loads(figures.read_text())
    assert list(counted) == ["chats", "pages", "logs"]
    chats = counted["chats"]["200"]
    assert chats["all"]["least"]["told"] == {"right": 1, "asked": 1}
    assert chats["all"]["least"]["silent"] == {"right": 0, "asked": 1}
    assert chats["all"]["anamnesis"]["silent"] == {"right": 1, "asked": 1}
    assert counted["pages"]["200"]["all"]["least"]["told"]["right"] == 1
    assert counted["logs"]["200"]["kinds"]["cause"]["least"]["told"]["right"] == 1
    assert {each["200"]["over_budget"] for each in counted.values()} == {0}
    assert "Why did the oven test fail?" in run.output


def test_the_held_chats_are_not_shown() -> None:
    assert CliRunner().invoke(main, ["--held", "--show"]).exit_code == 2


def test_a_missing_set_is_told(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, [str(tmp_path / "none.json"), "--server", "127.0.0.1:9"])
    assert run.exit_code == 1
    assert "none.json" in run.output
