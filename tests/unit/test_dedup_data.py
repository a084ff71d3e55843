"""The labelled pairs of lessons hold to their own page: `tests/data/dedup/README.md`."""

import json
import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path
from typing import NotRequired, TypedDict

import pytest

from tests.support.each_row import over

# "class" is no name in Python, hence the call.
Pair = TypedDict(
    "Pair",
    {
        "id": str,
        "language": str,
        "a": str,
        "b": str,
        "same": bool,
        "class": str,
        "differs": NotRequired[list[str]],
        "tags": NotRequired[list[list[str]]],
    },
)

DATA = Path(__file__).parents[1] / "data" / "dedup"
SAME = {"identical", "light", "heavy", "detail", "tags", "notation"}
NEAR = {
    "number",
    "version",
    "negation",
    "name",
    "unit",
    "direction",
    "condition",
    "environment",
    "order",
}
CLASSES = {
    *(f"same_{name}" for name in SAME),
    *(f"near_{name}" for name in NEAR),
    "related",
    "unrelated",
}
CROSS = {"same_cross", "near_cross", "related_cross"}
SHARED_CHARACTERS_MIN = 0.75
NUMBER_WORDS = {"two": "2", "three": "3", "两": "2", "三": "3", "万": "0000"}
ENVIRONMENT = re.compile(
    r"staging|production|prod|test|demo|development|integration|macos|linux|windows|ubuntu"
    r"|预发|生产|线上|测试|演示|开发"
)
NEGATION = re.compile(
    r"\b(?:not|no|never|without|unsafe|cannot)\b|n't\b|不|没有|禁止|别", re.IGNORECASE
)
HAN = re.compile(r"[\u4e00-\u9fff]")


def _read(half: str) -> list[Pair]:
    text = (DATA / f"{half}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


HALVES = {half: _read(half) for half in ("dev", "held")}
PAIRS = [pair for half in HALVES.values() for pair in half]


def _of_class(*classes: str) -> Callable[[Callable[[Pair], None]], Callable[[], None]]:
    pairs = [pair for pair in PAIRS if pair["class"] in classes]
    return over(pairs, lambda pair: pair["id"])


def _folded(text: str) -> str:
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text).casefold())


def _numbers(text: str) -> list[str]:
    for word, digits in NUMBER_WORDS.items():
        text = re.sub(rf"\s*{word}" if HAN.match(word) else rf"\b{word}\b", digits, text)
    return re.findall(r"\d+", text)


def _shared_characters(pair: Pair) -> float:
    """Share of the shorter text's characters that the longer one has too, in any order."""
    a, b = (Counter(_folded(text)) for text in (pair["a"], pair["b"]))
    return (a & b).total() / min(a.total(), b.total())


def _ratio(pair: Pair) -> float:
    return SequenceMatcher(None, pair["a"], pair["b"], autojunk=False).ratio()


def test_ids_and_texts_are_unique() -> None:
    assert max(Counter(pair["id"] for pair in PAIRS).values()) == 1
    texts = Counter(frozenset({_folded(pair["a"]), _folded(pair["b"])}) for pair in PAIRS)
    assert max(texts.values()) == 1


@pytest.mark.parametrize("half", sorted(HALVES))
def test_a_half_has_every_class_in_both_languages(half: str) -> None:
    for language, classes in (("en", CLASSES), ("zh", CLASSES), ("en-zh", CROSS)):
        pairs = [pair for pair in HALVES[half] if pair["language"] == language]
        counts = Counter(pair["class"] for pair in pairs)
        assert counts.keys() == classes
        assert min(counts.values()) >= 2


@pytest.mark.parametrize("half", sorted(HALVES))
def test_a_half_is_balanced(half: str) -> None:
    pairs = [pair for pair in HALVES[half] if pair["language"] != "en-zh"]
    english = sum(pair["language"] == "en" for pair in pairs)
    near = sum(pair["class"].startswith("near_") for pair in pairs)
    assert len(pairs) >= 160
    assert english / len(pairs) == pytest.approx(0.5, abs=0.03)
    assert sum(pair["same"] for pair in pairs) / len(pairs) == pytest.approx(0.35, abs=0.03)
    assert near / len(pairs) == pytest.approx(0.45, abs=0.04)


@_of_class(*CLASSES, *CROSS)
def test_a_pair_has_what_its_class_asks_for(pair: Pair) -> None:
    assert pair["id"].startswith(pair["language"] + "-")
    assert pair["same"] == pair["class"].startswith("same_")
    assert ("differs" in pair) == pair["class"].startswith("near_")
    assert ("tags" in pair) == (pair["class"] == "same_tags")
    han = [bool(HAN.search(pair["a"])), bool(HAN.search(pair["b"]))]
    assert sorted(han) == {"en": [False, False], "zh": [True, True]}.get(
        pair["language"], [False, True]
    )


@_of_class(*(f"near_{name}" for name in NEAR), "near_cross")
def test_a_near_miss_differs_in_what_it_says(pair: Pair) -> None:
    in_a, in_b = pair["differs"]
    assert in_a != in_b
    assert in_a.casefold() in pair["a"].casefold()
    assert in_b.casefold() in pair["b"].casefold()


@_of_class(*(f"near_{name}" for name in NEAR))
def test_a_near_miss_is_close(pair: Pair) -> None:
    assert _shared_characters(pair) >= SHARED_CHARACTERS_MIN


@pytest.mark.parametrize("half", sorted(HALVES))
def test_near_misses_are_closer_than_paraphrases(half: str) -> None:
    near, light, heavy = (
        statistics.median(_ratio(pair) for pair in HALVES[half] if pair["class"].startswith(kind))
        for kind in ("near_", "same_light", "same_heavy")
    )
    assert near > light > heavy


@_of_class("same_identical")
def test_identical_texts_fold_to_one(pair: Pair) -> None:
    assert pair["a"] != pair["b"]
    assert _folded(pair["a"]) == _folded(pair["b"])


@_of_class("same_light", "same_heavy", "same_detail", "same_notation")
def test_paraphrases_are_no_copies(pair: Pair) -> None:
    assert _folded(pair["a"]) != _folded(pair["b"])


@_of_class("same_light", "same_heavy", "same_tags")
def test_paraphrases_have_the_same_digits(pair: Pair) -> None:
    in_a, in_b = (sorted(re.findall(r"\d+", pair[side])) for side in ("a", "b"))
    assert in_a == in_b


@_of_class("same_tags")
def test_other_tags_are_other(pair: Pair) -> None:
    of_a, of_b = ({tag.casefold() for tag in tags} for tags in pair["tags"])
    assert of_a != of_b


@_of_class("near_number", "near_version")
def test_numbers_and_versions_differ_in_digits(pair: Pair) -> None:
    assert _numbers(pair["differs"][0]) != _numbers(pair["differs"][1])
    assert sorted(_numbers(pair["a"])) != sorted(_numbers(pair["b"]))


@_of_class("near_unit", "near_direction", "near_environment", "near_order")
def test_other_near_misses_keep_the_numbers(pair: Pair) -> None:
    assert sorted(_numbers(pair["a"])) == sorted(_numbers(pair["b"]))


@_of_class("near_negation")
def test_one_side_has_a_negation_more(pair: Pair) -> None:
    in_a, in_b = (len(NEGATION.findall(text)) for text in (pair["a"], pair["b"]))
    assert in_a != in_b


@_of_class("near_environment")
def test_environments_differ(pair: Pair) -> None:
    named = [ENVIRONMENT.findall(text.casefold()) for text in pair["differs"]]
    assert all(named)
    assert named[0] != named[1]


@_of_class("near_order")
def test_another_order_has_the_same_words(pair: Pair) -> None:
    assert Counter(_folded(pair["a"])) == Counter(_folded(pair["b"]))
