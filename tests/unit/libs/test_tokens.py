"""Tests of tokens.py: counts are tiktoken's, cuts are exact and keep characters whole."""

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs import tokens
from anamnesis_libs.tokens import ELLIPSIS, EncodingName, TiktokenCounter, load_counter

SENTENCES = "One is here. Two is here. Three is here, and it goes on without an end in sight"


@pytest.fixture(scope="module")
def counter() -> TiktokenCounter:
    return load_counter("o200k_base")


@pytest.mark.parametrize(
    ("name", "known_ids"),
    [("o200k_base", [24912, 2375]), ("cl100k_base", [15339, 1917])],
)
def test_encodings_load_without_a_network(
    name: EncodingName, known_ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    tokens._encoding.cache_clear()
    loaded = load_counter(name)
    assert loaded._encoding.encode_ordinary("hello world") == known_ids


def test_names_of_special_tokens_count_as_text(counter: TiktokenCounter) -> None:
    assert counter.count("<|endoftext|>") > 1


def test_nothing_stays_nothing(counter: TiktokenCounter) -> None:
    assert counter.truncate("", 10) == ""


@pytest.mark.parametrize("tokens_max", [0, -1])
def test_no_room_gives_nothing(counter: TiktokenCounter, tokens_max: int) -> None:
    assert counter.truncate("some text", tokens_max) == ""


def test_an_exact_fit_is_unchanged(counter: TiktokenCounter) -> None:
    assert counter.truncate(SENTENCES, counter.count(SENTENCES)) == SENTENCES


def test_a_cut_ends_at_a_sentence_that_is_near(counter: TiktokenCounter) -> None:
    room = counter.count("One is here. Two is here. Three")
    assert counter.truncate(SENTENCES, room) == "One is here. Two is here." + ELLIPSIS


def test_a_sentence_far_back_is_not_sought(counter: TiktokenCounter) -> None:
    text = "Short. " + "a very long sentence that never stops " * 20
    cut = counter.truncate(text, 60)
    assert counter.count(cut) > 50


def test_a_chinese_sentence_ends_the_cut(counter: TiktokenCounter) -> None:
    text = "今天天气很好。我们去公园散步。然后回家做饭吃饭看书睡觉"
    room = counter.count("今天天气很好。我们去公园散步。然后") + 1
    assert counter.truncate(text, room) == "今天天气很好。我们去公园散步。" + ELLIPSIS


def test_a_long_text_costs_what_its_head_costs(counter: TiktokenCounter) -> None:
    cut = counter.truncate("word " * 2_000_000, 20)
    assert counter.count(cut) <= 20
    assert cut.startswith("word word")


@given(text=st.text(max_size=200), tokens_max=st.integers(-1, 60))
def test_a_cut_is_a_prefix_within_the_budget(
    counter: TiktokenCounter, text: str, tokens_max: int
) -> None:
    cut = counter.truncate(text, tokens_max)
    assert counter.count(cut) <= max(tokens_max, 0)
    assert cut == text or text.startswith(cut.removesuffix(ELLIPSIS))
