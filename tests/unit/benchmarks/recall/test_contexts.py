"""Blocks as they are judged, and plain lines beside them, on a conversation of three turns."""

from datetime import UTC, datetime

from benchmarks.recall.client import Block
from benchmarks.recall.context_report import left_out, over_budget
from benchmarks.recall.contexts import Shown, judge_block, plain_block, shown
from benchmarks.recall.conversations import Conversation, Question, Session, Turn
from benchmarks.recall.lines import PLAIN_LINES, line_of, whole_lines
from benchmarks.recall.metrics import LEARNED, Judged
from benchmarks.recall.readable import words
from benchmarks.recall.results import CITED, EMPTY, OURS, OVER, READABLE, ContextResult

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TURNS = [
    Turn("a", "My boat is\n\n red.", "user", NOON, "Ines"),
    Turn("b", "How nice.", "assistant", NOON),
    Turn("c", "It leaks.", "user", NOON),
]
CONVERSATION = Conversation("c", [Session("s", TURNS)], [])
QUESTION = Question("Which colour?", ("a",), "kind", answer="red")


class _ByWord:
    """Counts a token a word."""

    def count(self, text: str) -> int:
        return len(text.split())

    def truncate(self, text: str, tokens_max: int) -> str:
        return " ".join(text.split()[:tokens_max])


def test_a_plain_line_has_a_speaker_and_no_line_end() -> None:
    assert [line_of(turn) for turn in TURNS] == [
        "Ines: My boat is red.",
        "assistant: How nice.",
        "user: It leaks.",
    ]


def test_lines_are_whole_until_the_first_that_does_not_fit() -> None:
    lines = ["one two", "three four five", "six"]
    assert whole_lines(lines, 6, _ByWord()) == lines
    assert whole_lines(lines, 5, _ByWord()) == lines[:2]
    assert whole_lines(lines, 4, _ByWord()) == lines[:1]
    assert whole_lines(lines, 1, _ByWord()) == []


def test_plain_lines_follow_the_ranking_and_pass_over_what_was_learned() -> None:
    block = plain_block(CONVERSATION, ["c", LEARNED, "a", "b"], 9, _ByWord())
    assert block.text == "user: It leaks.\nInes: My boat is red."
    assert (set(block.turns), block.token_count) == ({"a", "c"}, 8)
    assert plain_block(CONVERSATION, ["a"], 2, _ByWord()) == Shown("", frozenset(), 0)


def test_a_block_is_read_without_its_pointers_and_counted_with_them() -> None:
    built = Block("- [§ R-02] red", ["§ R-02"], ["m-1", "fact-1"], 3.0, [])
    block = shown(built, {"m-1": "a", "m-2": "b"}, _ByWord())
    assert "02" not in words(block.text)
    assert (set(block.turns), block.token_count) == ({"a"}, 4)


def test_a_block_is_judged_by_its_text_and_by_what_it_cites() -> None:
    passages = [words("red")]
    both = Shown("Ines: red", frozenset({"a"}), 5)
    assert judge_block(QUESTION, passages, both, 5).scores == {
        READABLE: 1.0,
        CITED: 1.0,
        EMPTY: 0.0,
        OVER: 0.0,
    }
    cut = judge_block(QUESTION, passages, Shown("Ines: …", frozenset({"a"}), 6), 5).scores
    assert (cut[READABLE], cut[CITED], cut[OVER]) == (0, 1, 1)
    silent = judge_block(QUESTION, passages, Shown("", frozenset(), 0), 5).scores
    assert (silent[READABLE], silent[CITED], silent[EMPTY]) == (0, 0, 1)


def test_a_question_without_a_passage_is_neither_read_nor_cited() -> None:
    assert judge_block(QUESTION, [], Shown("red", frozenset({"a"}), 1), 5) == Judged(
        "kind", {EMPTY: 0.0, OVER: 0.0}
    )


def test_a_result_counts_what_is_left_out_and_what_is_over_budget() -> None:
    judged = [Judged("kind", {READABLE: 1.0}), Judged("kind", {EMPTY: 1.0})]
    result = ContextResult(
        budget=150,
        judged={OURS: judged, PLAIN_LINES: judged},
        token_counts={OURS: [150, 151], PLAIN_LINES: [900, 900]},
        latencies_ms=[1.0, 2.0],
        degraded=[],
    )
    assert left_out(judged) == 1
    assert over_budget(result) == 1
    assert result.scores[OURS] == {READABLE: 100.0, EMPTY: 100.0}
