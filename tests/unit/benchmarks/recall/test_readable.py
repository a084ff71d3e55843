"""The words of an answer, and the passages that must be read, on made-up conversations."""

from datetime import UTC, datetime

import pytest

from benchmarks.recall.conversations import Conversation, Question, Role, Session, Turn
from benchmarks.recall.readable import (
    SENTENCE_WORDS_MAX,
    Passages,
    sentences_of,
    share_read,
    words,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def _turn(turn_id: str, content: str, role: Role = "user", name: str = "") -> Turn:
    return Turn(turn_id, content, role, NOON, name)


def _passages(*turns: Turn) -> Passages:
    return Passages(Conversation("c", [Session("s", turns)], []))


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("The boats of Ines", {"boat", "ine"}),
        ("painted, painting, paints", {"paint"}),
        ("It's Tom's 12.50 boat_yard", {"tom", "12", "50", "boat", "yard"}),
        ("咖啡館 at 9", {"咖啡", "啡館", "9"}),
        ("A貓B", {"貓", "b"}),
        ("", set()),
    ],
)
def test_words_are_stemmed_and_cjk_gives_pairs(text: str, held: set[str]) -> None:
    assert words(text) == held


def test_of_an_answer_only_what_its_evidence_says_must_be_read() -> None:
    passages = _passages(
        _turn("a", "We moved to Porto last spring.", name="Ines"),
        _turn("b", "Lisbon was too loud."),
    )
    question = Question("Where to?", ("a",), "kind", answer="Porto, in March 2024, from Lisbon")
    assert passages.of(question) == [{"porto"}]
    assert passages.of(Question("When?", ("b",), "kind", answer="March 2024")) == []
    assert passages.of(Question("Who?", ("a",), "kind", answer="Ines did")) == [{"ine"}]


def test_without_an_answer_each_turn_of_the_user_has_a_sentence_that_tells() -> None:
    passages = _passages(
        _turn("a", "Thanks! The dashboard answers in 250ms now. I like the dashboard's colours."),
        _turn("b", "The dashboard answers in many ways.", role="assistant"),
        _turn("c", "Colours matter.\nMake it answer below 90ms!"),
    )
    question = Question("How fast does the dashboard answer?", ("a", "b", "c"), "kind")
    assert passages.of(question) == [{"250ms", "now"}, {"make", "below", "90ms"}]
    of_assistant = Question("How does the dashboard answer?", ("b",), "kind")
    assert passages.of(of_assistant) == [{"mani", "way"}]


def test_a_rare_word_tells_more_than_common_ones() -> None:
    passages = _passages(
        _turn("a", "My project uses the app. Deadlines: the wireframe is due in May."),
        *(_turn(f"x{number}", "My app project is fun.") for number in range(5)),
    )
    question = Question("When is the wireframe of my app project due?", ("a",), "kind")
    assert passages.of(question) == [{"deadlin", "may"}]


def test_long_sentences_are_cut_at_commas() -> None:
    clause = "and " * 24 + "so on,"
    pieces = sentences_of(f"{clause} {clause} {clause} end.\n\nShort one! 第一句。第二句")
    assert pieces[-3:] == ["Short one!", "第一句。", "第二句"]
    assert len(pieces) == 6
    assert all(len(piece.split()) <= SENTENCE_WORDS_MAX for piece in pieces)
    assert sentences_of("one, two, three") == ["one, two, three"]


def test_a_passage_counts_when_every_word_of_it_is_read() -> None:
    passages = [words("Porto spring"), words("Lisbon")]
    assert share_read(passages, "- 2026-01-01, Ines: to PORTO in the spring…") == 0.5
    assert share_read(passages, "Porto, Lisbon") == 0.5
    assert share_read(passages, "") == 0
    assert share_read(passages, "Springs in Porto, not Lisbon") == 1
