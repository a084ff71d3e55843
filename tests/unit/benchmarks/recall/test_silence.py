"""Tests of benchmarks/recall/silence.py: what is asked of a conversation, and how it is counted."""

from datetime import UTC, datetime

import pytest

from anamnesis_libs.talk.filler import is_small_talk
from benchmarks.recall.conversations import Conversation, Question, Session, Turn
from benchmarks.recall.metrics import interval
from benchmarks.recall.silence import (
    ANSWERABLE,
    NEVER,
    SILENT,
    STRANGERS,
    Margin,
    nothing_asked,
    print_tables,
    prompts_of,
    silent,
    with_names,
)

DAY = datetime(2026, 1, 5, tzinfo=UTC)


def talk(question: str, *names: str) -> Conversation:
    turns = [Turn(name, "hello", "user", DAY, name) for name in names]
    return Conversation(question, [Session("s", turns)], [Question(question, (names[0],), "1")])


def test_a_conversation_is_asked_its_own_questions_and_those_of_strangers_by_its_names() -> None:
    own, other = talk("Where does Ann live?", "Ann", "Bea"), talk("Who met Yan?", "Xiu", "Yan")
    asked = list(prompts_of(own, other))
    assert asked[:2] == [(ANSWERABLE, "Where does Ann live?"), (STRANGERS, "Who met Bea?")]
    assert {kind for kind, _ in asked} == {ANSWERABLE, STRANGERS, *nothing_asked()}
    assert with_names("Yana met Yan.", ["Yan"], ["Bea"]) == "Yana met Bea."


def test_the_prompts_of_nothing_are_of_two_kinds_and_small_talk_is_known_as_such() -> None:
    talk_of_nothing, knowledge = nothing_asked().values()
    assert len(talk_of_nothing) == len(knowledge) == 40
    assert all(map(is_small_talk, talk_of_nothing))
    assert not any(map(is_small_talk, knowledge))


def test_a_context_is_empty_below_the_floor(capsys: pytest.CaptureFixture[str]) -> None:
    margins = [
        Margin(ANSWERABLE, "a", 0.3),
        Margin(ANSWERABLE, "b", 0.04),
        Margin(STRANGERS, "a", -0.1),
        Margin(STRANGERS, "b", NEVER),
    ]
    assert interval(silent(margins, ANSWERABLE, 0.0), SILENT).mean == 0.0
    assert interval(silent(margins, ANSWERABLE, 0.05), SILENT).mean == 50.0
    assert interval(silent(margins, STRANGERS, -0.15), SILENT).mean == 50.0
    print_tables(margins)
    lines = capsys.readouterr().out.splitlines()
    (row,) = (line.split() for line in lines if line.strip().startswith("+0.05"))
    assert row[1] == "50.0"
