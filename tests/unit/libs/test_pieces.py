"""Tests of chunking.py: no word lost, nothing over a length, and nothing over a window."""

import base64
import random
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from anamnesis_libs.chunking import (
    LENGTH_MAX,
    TAIL_LENGTH_MIN,
    WEIGHT_MAX,
    embedding_texts,
    length,
    split,
    weight,
)
from anamnesis_libs.models.minilm import TOKENIZER_FILE, WINDOW_TOKENS_MAX
from tests.support.growth import grown

SENTENCE = "One two three four five six seven eight nine ten."
RANDOM = random.Random(7)
BLOB = base64.b64encode(RANDOM.randbytes(6000)).decode()
PATHS = " ".join(f"/srv/app-{n}/lib/module_{n}.cfg:{n}" for n in range(400))
NASTY = {
    "base64": BLOB,
    "base64 in lines": "\n".join(BLOB[at : at + 76] for at in range(0, len(BLOB), 76)),
    "base64 within prose": f"{SENTENCE} {BLOB} {SENTENCE}",
    "hex": RANDOM.randbytes(3000).hex(),
    "digits": "31415926535897932384626433" * 100,
    "numbers": " ".join(f"{RANDOM.random():.9f}" for _ in range(400)),
    "ids": " ".join(str(uuid.UUID(int=RANDOM.getrandbits(128))) for _ in range(100)),
    "links": " ".join(f"https://a{n}.example.org/p?q={BLOB[n : n + 60]}" for n in range(99)),
    "paths": PATHS,
    "one link": "https://example.org/?" + "&".join(f"k{n}={n * n}" for n in range(500)),
    "minified": "function(a,b){return a[b]&&!a.c?{d:[1,2]}:(b||0)};" * 80,
    "punctuation": "?!.,;:-_()[]{}<>" * 200,
    "spaced punctuation": "? ! . , ; : " * 200,
    "rule": "-" * 3000,
    "table": "| a | b | c |\n|---|---|---|\n" * 200,
    "letter and digit": "a1b2c3d4" * 500,
    "one letter": "a" * 5000,
    "chinese": "今天我們去公園散步然後喝咖啡" * 100,
    "chinese sentences": "今天我們去公園散步。然後喝咖啡！" * 100,
    "japanese": "がんばってください、カタカナもあります" * 80,
    "korean": "오늘은공원에서산책을하고커피를마셨습니다" * 60,
    "korean words": "오늘은 공원에서 산책을 하고 커피를 마셨습니다 " * 60,
    "thai": "วันนี้เราไปเดินเล่นในสวนสาธารณะ" * 60,
    "arabic": "ذهبنا اليوم إلى الحديقة وشربنا القهوة " * 60,
    "hindi": "आज हम पार्क में टहलने गए और कॉफी पी " * 60,
    "russian": "Сегодня мы гуляли в парке и пили кофе " * 60,
    "emoji": "🙂👩‍👩‍👧‍👦🏳️‍🌈" * 300,
    "stacked marks": "".join(f"{c}\u0301\u0323\u0330" for c in "zalgo" * 400),
    "control characters": "a\x00b\u200bc\x1f" * 500,
    "white space": " \t\n\u3000" * 2000,
}


def tokens_of(texts: list[str]) -> list[int]:
    tokenizer: Tokenizer = Tokenizer.from_file(str(TOKENIZER_FILE))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return [len(one.ids) for one in tokenizer.encode_batch(texts)]


def without_space(texts: list[str]) -> str:
    return "".join("".join(texts).split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("one  two\nthree", 3), ("漢字", 1.2), ("see 漢字 there", 3.2), ("かな한글", 2.4)],
)
def test_a_length_is_words_and_six_tenths_of_a_cjk_character(text: str, expected: float) -> None:
    assert length(text) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["", "  \n", "Hello.\n\n  World! ", " ".join(["word"] * 150)])
def test_a_text_of_ordinary_length_is_one_piece_as_it_is(text: str) -> None:
    assert split(text) == [text]


def test_a_long_text_is_packed_from_whole_sentences() -> None:
    pieces = split(" ".join([SENTENCE] * 40))
    assert [length(piece) for piece in pieces] == [120, 120, 120, 40]
    assert all(piece.startswith("One") and piece.endswith("ten.") for piece in pieces)


def test_a_short_tail_joins_the_last_piece() -> None:
    pieces = split(" ".join([SENTENCE] * 14))
    assert [length(piece) for piece in pieces] == [140]
    assert TAIL_LENGTH_MIN == 30


def test_lines_are_not_torn() -> None:
    line = "an item of a list without a full stop"
    pieces = split("\n".join([line] * 60))
    assert len(pieces) > 1
    assert all(len(piece) % (len(line) + 1) == len(line) for piece in pieces)


def test_a_run_without_sentences_is_cut_every_hundred_words() -> None:
    assert [length(piece) for piece in split(" ".join(["word"] * 360))] == [100, 100, 100, 60]


def test_a_run_without_spaces_is_cut_every_160_characters() -> None:
    assert [len(piece) for piece in split("字" * 400)] == [160, 160, 80]


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY.keys())
def test_no_piece_is_longer_than_the_window_of_the_model(text: str) -> None:
    pieces = split(text)
    assert max(tokens_of(pieces)) <= WINDOW_TOKENS_MAX
    assert without_space(pieces) == without_space([text])


@given(
    st.lists(st.sampled_from([SENTENCE, BLOB[:300], PATHS[:500], "字。" * 90, "\n"]), max_size=12)
)
def test_pieces_keep_every_character_and_their_bounds(parts: list[str]) -> None:
    text = " ".join(parts)
    pieces = split(text)
    assert without_space(pieces) == without_space([text])
    assert all(length(piece) <= LENGTH_MAX and weight(piece) <= WEIGHT_MAX for piece in pieces)
    assert [split(piece) for piece in pieces] == [[piece] for piece in pieces]


@given(st.text())
def test_any_text_has_a_piece(text: str) -> None:
    assert split(text)


@pytest.mark.parametrize("part", ["a", "a ", "a. ", "\n", "字", "한", "-"])
def test_time_is_linear_in_the_length_whatever_a_text_is(part: str) -> None:
    assert not list(grown(split, {part: lambda chars: part * (chars // len(part))}, 20_000))


def test_a_speakers_name_leads_a_text_in_one_piece_only() -> None:
    assert embedding_texts("I like tea.", "Ann") == ["Ann: I like tea."]
    assert embedding_texts("I like tea.", "") == ["I like tea."]
    many = embedding_texts(" ".join([SENTENCE] * 40), "Ann")
    assert many == split(" ".join([SENTENCE] * 40))


def test_a_long_name_leads_a_text_only_where_the_window_has_room_for_both() -> None:
    path = " › ".join(["facts.md", *(f"Heading {n} about tellings_{n}" for n in range(8))])
    assert embedding_texts("I like tea.", path) == [f"{path}: I like tea."]
    full = " ".join(["word-count,"] * 51)
    assert split(full) == [full]
    assert embedding_texts(full, path) == [full]
    assert embedding_texts(full, "Ann") == [f"Ann: {full}"]
    assert max(tokens_of(embedding_texts(full, "Ann"))) <= WINDOW_TOKENS_MAX


PASSAGE = (
    "Revoke a key by removing its line. Clients that still show it are refused from the next call "
    "on, whatever they had open. The last key cannot be removed: start with `--insecure` instead, "
    "which listens on loopback alone and says so in the log."
)


def test_a_passage_of_a_document_is_cut_finer_than_what_was_said() -> None:
    assert split(PASSAGE) == [PASSAGE]
    parts = split(PASSAGE, "file")
    assert len(parts) > 1
    assert " ".join(parts) == PASSAGE


def test_every_piece_of_a_document_is_embedded_under_its_name() -> None:
    name = "keys.md › Revoke"
    texts = embedding_texts(PASSAGE, name, "file")
    assert texts == [f"{name}: {part}" for part in split(PASSAGE, "file")]
    assert embedding_texts(f"{PASSAGE} " * 4, name) == split(f"{PASSAGE} " * 4)


PAGE = """## Prices
Every berth has a price for the season:

| berth | price of a season |
|---|---|
| east of the mole, deep | 20 |
| west of the mole, shallow | 30 |

Ask. The warden has the list of those that are free.

```
berth list --free
berth take --east
```"""


def test_each_line_of_a_page_is_a_piece_and_what_is_short_joins_the_next() -> None:
    assert split(PAGE, "file") == [
        "## Prices Every berth has a price for the season:",
        "| berth | price of a season | |---|---|",
        "| east of the mole, deep | 20 |",
        "| west of the mole, shallow | 30 |",
        "Ask. The warden has the list of those that are free. ```",
        "berth list --free berth take --east ```",
    ]


def test_a_line_of_a_page_is_embedded_behind_what_introduces_it() -> None:
    row = embedding_texts(PAGE, "a.md", "file")[3]
    lead = "Every berth has a price for the season: | berth | price of a season |"
    assert row == f"a.md: {lead} | west of the mole, shallow | 30 |"


@given(st.text())
def test_no_letter_of_a_page_is_lost(text: str) -> None:
    assert "".join("".join(split(text, "file")).split()) == "".join(text.split())
