"""The whole benchmark on a made-up set of two sessions: a real suite, real vectors, real files."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.recall import plot
from benchmarks.recall.__main__ import main
from benchmarks.recall.results import SYSTEMS


def _session(number: int, *said: tuple[str, str]) -> list[dict[str, str]]:
    return [
        {"speaker": speaker, "dia_id": f"D{number}:{position}", "text": text}
        for position, (speaker, text) in enumerate(said, 1)
    ]


def _asked(question: str, answer: str | int, turn: str) -> dict[str, object]:
    return {"question": question, "answer": answer, "category": 4, "evidence": [turn]}


SAMPLE = {
    "sample_id": "Made-1",
    "conversation": {
        "session_1_date_time": "9:00 am on 2 May, 2026",
        "session_1": _session(
            1,
            ("Ines", "My sister moved to Lisbon last week."),
            ("Tom", "That is far away! Will you visit her?"),
            ("Ines", "Yes, in August, by train."),
        ),
        "session_2_date_time": "6:30 pm on 9 May, 2026",
        "session_2": _session(
            2,
            ("Tom", "I have adopted a grey cat named Pixel."),
            ("Ines", "How sweet. Does she like the garden?"),
        ),
    },
    "qa": [
        {
            "question": "What is the name of Tom's cat?",
            "category": 4,
            "evidence": ["D2:01"],
            "answer": "Pixel",
        },
        {
            "question": "Where does Ines' sister live?",
            "category": 4,
            "evidence": ["D:1:1"],
            "answer": 2026,
        },
    ],
}


@pytest.mark.long
def test_the_whole_runs_and_writes_its_figures(tmp_path: Path) -> None:
    (tmp_path / "locomo-dev.json").write_text(json.dumps([SAMPLE]))
    figures, picture = tmp_path / "figures.json", tmp_path / "any.png"
    options = ["--data", str(tmp_path), "--sets", "locomo", "--embedder", "static"]
    options += ["--budgets", "150,20"]
    run = CliRunner().invoke(
        main, [*options, "--json", str(figures), "--plot", str(picture)], catch_exceptions=False
    )
    assert run.exit_code == 0, run.output
    assert "1 conversations, 5 turns, 2 questions" in run.output
    written = json.loads(figures.read_text())
    measured = written["sets"]["locomo"]
    assert list(measured["scores"]) == list(SYSTEMS)
    assert measured["scores"]["anamnesis"]["any@1"] == 100.0
    assert measured["degraded"] == []
    assert list(measured["contexts"]) == ["150", "20"]
    context = measured["contexts"]["150"]
    assert context["scores"]["plain lines"]["readable"] == 100.0
    assert context["scores"]["anamnesis"]["readable"] == 100.0
    assert context["scores"]["anamnesis"]["cited"] == 100.0
    assert (context["questions_left_out"], context["over_budget"]) == (1, 0)
    assert measured["contexts"]["20"]["over_budget"] == 0
    assert written["embedding_model"].startswith("wordllama")
    assert picture.exists() is plot.is_available()


def test_a_missing_set_is_told(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["--data", str(tmp_path), "--sets", "zh"])
    assert run.exit_code == 1
    assert "--data" in run.output
    assert CliRunner().invoke(main, ["--sets", "zh,nope"]).exit_code == 2


def test_budgets_are_counts_of_tokens() -> None:
    assert CliRunner().invoke(main, ["--budgets", "150,many"]).exit_code == 2
    assert CliRunner().invoke(main, ["--budgets", "0"]).exit_code == 2
    assert CliRunner().invoke(main, ["--contexts-only", "--plot", "any.png"]).exit_code == 2
