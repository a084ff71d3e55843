"""Tests of benchmarks/recall/ablate.py: a term is worth what its leaving out loses."""

from datetime import UTC, datetime

import pytest

from anamnesis_retrieval.model import Candidate, Ranked, Term
from benchmarks.recall.ablate import ALL, ablated, print_table, without
from benchmarks.recall.candidates import Asked
from benchmarks.recall.conversations import Conversation, Question, Session, Turn
from benchmarks.recall.metrics import percentages

TERMS = (Term("text", 1.0), Term("luck", 2.0))


def hit(turn: str, text: float, luck: float) -> tuple[str, Ranked]:
    return turn, Ranked(Candidate(turn), TERMS, (text, luck), text + 2 * luck)


TURNS = [hit("t1", 1.0, 2.0), hit("t2", 3.0, 0.0), hit("t3", 2.0, 0.0)]
DAY = datetime(2026, 1, 5, tzinfo=UTC)
TALK = Conversation(
    "c",
    [Session("s", [Turn(turn, turn, "user", DAY) for turn, _ in TURNS])],
    [Question("Who?", ("t2",), "1")],
)


def test_a_ranking_without_a_term() -> None:
    assert without(TURNS, ALL) == ["t1", "t2", "t3"]
    assert without(TURNS, "luck") == ["t2", "t3", "t1"]
    assert without(TURNS, "text") == ["t1", "t2", "t3"]


def test_what_is_lost_without_each_term_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    judged = ablated([(TALK, Asked(TALK.questions[0], TURNS))])
    assert set(judged) == {ALL, "text", "luck"}
    assert percentages(judged[ALL])["any@1"] == 0.0
    assert percentages(judged["luck"])["any@1"] == 100.0
    print_table("talk", judged)
    (luck,) = (line for line in capsys.readouterr().out.splitlines() if "luck" in line)
    assert luck.split()[1] == "-100.0"
