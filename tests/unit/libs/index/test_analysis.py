"""What terms, questions and days are, by tables of cases."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.index.analysis import (
    STOP_WORDS,
    date_tokens,
    found_by,
    has_cjk,
    is_question,
    tokens,
)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        ("the of and", []),
        ("Caroline's paintings", ["carolin", "paint"]),
        ("Caroline\u2019s painting", ["carolin", "paint"]),
        ("don't couldn't it's I'll", []),
        ("running RAN cities", ["run", "ran", "citi"]),
        ("snake_case x2 v1.5", ["snake", "case", "x2", "v1", "5"]),
        ("caf\u00e9 na\u00efve", ["caf\u00e9", "na\u00efv"]),
        ("我喜歡茶", ["我喜", "喜歡", "歡茶"]),
        ("茶", ["茶"]),
        ("茶,酒", ["茶", "酒"]),
        ("我用Python寫", ["我用", "python", "寫"]),
        ("ひらがな", ["ひら", "らが", "がな"]),
        ("한국 서울", ["한국", "서울"]),
        ("paint paint", ["paint", "paint"]),
        ("'quoted' o'clock", ["quot", "o"]),
    ],
)
def test_tokens(text: str, terms: list[str]) -> None:
    assert tokens(text) == terms


def test_there_are_the_measured_stop_words() -> None:
    assert {"what", "the", "don", "would"} <= STOP_WORDS
    assert not {"s", "one", "new"} & STOP_WORDS


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("How are you?", True),
        ("How are you? ", True),
        ('He said "why?"', True),
        ("(really?)", True),
        ("你好嗎？", True),
        ("「真的？」", True),
        ("What? No.", False),
        ("", False),
        ("?", True),
        ("Like it? [image: a cat]", True),
        ("Like it? [image: a cat] [image: a dog]  ", True),
        ("I like it. [image: who is this?]", False),
        ("See [1]", False),
    ],
)
def test_is_question(text: str, *, asks: bool) -> None:
    assert is_question(text) is asks


def test_a_day_is_written_as_the_text_would_write_it() -> None:
    day = date(2023, 5, 8)
    assert date_tokens(day, cjk=False) == ["8", "2023"]
    assert date_tokens(day, cjk=True) == ["2023", "年", "5", "月", "8", "日"]
    assert date_tokens(date(1969, 12, 31), cjk=False) == tokens("31 December 1969")


@pytest.mark.parametrize(("text", "found"), [("tea", False), ("tea 茶", True), ("カ", True)])
def test_has_cjk(text: str, *, found: bool) -> None:
    assert has_cjk(text) is found


def test_a_name_joined_of_words_is_found_by_each_and_asks_for_itself() -> None:
    assert {*tokens("setTheme"), "set", "theme"} <= {*found_by("setTheme returns an error")}
    assert len(tokens("setTheme")) == 1
    assert found_by("plain words") == tokens("plain words")


@given(st.text(st.sampled_from("aBc1_'-. \n"), max_size=60))
def test_plain_ascii_has_the_terms_of_any_other_text(text: str) -> None:
    assert [*tokens(text), "é"] == tokens(f"{text} é")
