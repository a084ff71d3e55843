"""The baselines, on conversations small enough to rank by hand."""

from datetime import UTC, datetime

import numpy as np
import pytest

from benchmarks.recall.baselines import BM25, DENSE, RRF, Baselines, reciprocal_ranks, words
from benchmarks.recall.conversations import Turn

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ROWS = np.eye(4, dtype=np.float32)


def _turn(turn_id: str, content: str, name: str = "") -> Turn:
    return Turn(turn_id, content, "user", NOON, name)


TURNS = [
    _turn("a", "the bread is in the oven"),
    _turn("b", "flour, flour, flour and bread"),
    _turn("c", "nothing of that kind", name="Ines"),
    _turn("d", "oven"),
]


def test_words_are_lower_case_and_without_stop_words() -> None:
    assert words("The Oven's door_1 is NOT 我的") == ["oven", "s", "door_1", "我的"]


def test_dense_ranks_by_cosine_and_keeps_the_order_of_equals() -> None:
    vector = np.array([0.0, 0.6, 0.0, 0.8], np.float32)
    assert Baselines(TURNS, ROWS).rank("?", vector)[DENSE] == ["d", "b", "a", "c"]


def test_bm25_prefers_the_rare_word_and_the_short_turn() -> None:
    ranked = Baselines(TURNS, ROWS).rank("flour", ROWS[0])[BM25]
    assert ranked[0] == "b"
    assert Baselines(TURNS, ROWS).rank("oven", ROWS[0])[BM25][:2] == ["d", "a"]


def test_bm25_reads_the_speakers_name() -> None:
    assert Baselines(TURNS, ROWS).rank("what does Ines say?", ROWS[0])[BM25][0] == "c"


@pytest.mark.parametrize("question", ["is it the?", "zebra", "?"])
def test_a_question_without_a_known_word_is_left_to_the_vectors(question: str) -> None:
    ranked = Baselines(TURNS, ROWS).rank(question, ROWS[2])
    assert ranked[BM25] == ["a", "b", "c", "d"]
    assert ranked[RRF] == ranked[DENSE]


def test_reciprocal_ranks_are_summed_over_both_rankings() -> None:
    dense = np.array([0.9, 0.8, 0.7], np.float32)
    text = np.array([0.0, 1.0, 2.0], np.float32)
    expected = [1 / 61, 1 / 62 + 1 / 62, 1 / 63 + 1 / 61]
    assert reciprocal_ranks(dense, text) == pytest.approx(expected)
