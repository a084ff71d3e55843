"""The tables of a run: abstentions and missing marks are counted where they belong."""

import json
from pathlib import Path

import pytest

from benchmarks.longmemeval.answering import LENIENT, STRICT, Answered
from benchmarks.longmemeval.report import Report, print_report, write
from benchmarks.longmemeval.run import Asked, Options, namespace_of
from benchmarks.recall.lines import PLAIN_LINES
from benchmarks.recall.metrics import Judged
from benchmarks.recall.results import CITED, EMPTY, OURS, OVER, READABLE

OPTIONS = Options("made", [1], [200], answer_budget=200, learn=False, at_once_max=4)


def _asked(name: str, kind: str, answered: Answered | None, *, over: float = 0.0) -> Asked:
    found = {f"{what} {how}@1": 1.0 for what in ("session", "turn") for how in ("any", "all")}
    seen = {EMPTY: 0.0, OVER: over, READABLE: 0.5, CITED: 1.0}
    silent = {EMPTY: 1.0, OVER: 0.0}
    is_answerable = kind != "abstention"
    block = Judged(kind, seen if is_answerable else silent, name)
    return Asked(
        name,
        7,
        Judged(kind, found if is_answerable else {}, name),
        {200: {OURS: block, PLAIN_LINES: block}},
        ["no vectors"] if over else [],
        answered,
    )


ASKED = [
    _asked("a", "multi-session", Answered("x", {STRICT: False, LENIENT: True}), over=1.0),
    _asked("b", "multi-session", Answered("x", {STRICT: True}, "MODEL_REFUSED: it declined")),
    _asked("c_abs", "abstention", Answered("I do not know.", {STRICT: True, LENIENT: True})),
]


def _row(output: str, table: str, name: str) -> list[str]:
    """The cells of a row of the table with this title."""
    lines = output[output.index(table) :].splitlines()
    return next(line.split()[1:] for line in lines if line.split()[:1] == [name])


def test_every_type_has_its_row(capsys: pytest.CaptureFixture[str]) -> None:
    print_report(Report(OPTIONS, ASKED, ("reader", "judge")))
    output = capsys.readouterr().out
    assert "made: 3 questions, 21 turns" in output
    assert _row(output, "recall", "all")[0] == "2"
    blocks = {name: " ".join(_row(output, "contexts:", name)) for name in ("abstention", "all")}
    assert blocks["abstention"] == "0 of 1 - / - / - / 100.0"
    assert blocks["all"] == "2 of 3 50.0 / 100.0 / 50.0 / 33.3"
    strict, lenient = 1, 3
    marked = _row(output, "answers from 200 tokens", "multi-session")
    assert (marked[0], marked[strict], marked[lenient], marked[-1]) == ("2", "50.0", "50.0", "1")
    assert _row(output, "answers from 200 tokens", "abstention")[strict] == "100.0"
    assert "1 contexts are over the budget of 200 tokens" in output
    assert "degraded: no vectors" in output
    assert "no mark, 1 of 3: MODEL_REFUSED: it declined" in output


def test_without_models_nothing_is_said_of_answers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = Report(OPTIONS, [_asked("a", "multi-session", None)], None)
    print_report(report)
    assert "answers from" not in capsys.readouterr().out
    write(report, tmp_path / "figures.json")
    written = json.loads((tmp_path / "figures.json").read_text())
    assert written["answers"] == {}
    assert "answer" not in written["questions"][0]


def test_questions_alone_without_an_answer_have_an_empty_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_report(Report(OPTIONS, ASKED[2:], None))
    assert "1 questions, 7 turns" in capsys.readouterr().out


def test_a_namespace_is_of_a_file_and_a_question() -> None:
    assert namespace_of("longmemeval_s", "gpt4_2655B_abs") == "longmemeval-s-gpt4-2655b-abs"
    long = namespace_of("x" * 80, "q_1")
    assert (len(long), long[-4:]) == (63, "-q-1")
