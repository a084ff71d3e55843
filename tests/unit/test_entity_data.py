"""The labelled pairs of entities hold to their own page: `tests/data/entities/README.md`."""

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


class Side(TypedDict):
    """One entity of a pair."""

    name: str
    kind: str
    aliases: NotRequired[list[str]]
    context: NotRequired[str]


# "class" is no name in Python, hence the call.
Pair = TypedDict(
    "Pair",
    {"id": str, "language": str, "a": Side, "b": Side, "same": bool, "class": str},
)

DATA = Path(__file__).parents[1] / "data" / "entities"
KINDS = {
    "person",
    "project",
    "organisation",
    "technology",
    "place",
    "item",
    "event",
    "topic",
    "agent",
}
CROSS = {"same_cross", "near_cross"}
TYPO_EDITS_MAX = 2
TYPO_LETTERS_MIN = 6
HAN = re.compile(r"[\u4e00-\u9fff]")
ROW = re.compile(r"\| `(\w+)` \| (?:yes|no) \| (\d*) ?\| (\d+) \|")


def _read(half: str) -> list[Pair]:
    text = (DATA / f"{half}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


HALVES = {half: _read(half) for half in ("dev", "held")}
PAIRS = [pair for half in HALVES.values() for pair in half]
PAGE = (DATA / "README.md").read_text(encoding="utf-8")
CLASSES = {pair["class"] for pair in PAIRS}

each_pair = over(PAIRS, lambda pair: pair["id"])


def _of_class(*classes: str) -> Callable[[Callable[[Pair], None]], Callable[[], None]]:
    pairs = [pair for pair in PAIRS if pair["class"] in classes]
    return over(pairs, lambda pair: pair["id"])


def _sides(pair: Pair) -> tuple[Side, Side]:
    return pair["a"], pair["b"]


def _names(pair: Pair) -> tuple[str, str]:
    return pair["a"]["name"], pair["b"]["name"]


def _bare(text: str) -> str:
    """Letters and digits alone, without accents, width and case."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text)).casefold()
    return "".join(sign for sign in text.replace("&", "and") if sign.isalnum())


def _given(side: Side) -> set[str]:
    return {_bare(alias) for alias in side.get("aliases", [])}


def _is_alias(pair: Pair) -> bool:
    """Whether the name of one side is an alias of the other."""
    a, b = pair["a"], pair["b"]
    return _bare(a["name"]) in _given(b) or _bare(b["name"]) in _given(a)


def _edits(a: str, b: str) -> int:
    """Levenshtein distance."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]


def _ratio(pair: Pair) -> float:
    a, b = map(_bare, _names(pair))
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def test_ids_and_pairs_are_unique() -> None:
    assert max(Counter(pair["id"] for pair in PAIRS).values()) == 1
    sides = Counter(
        frozenset((side["name"], side["kind"], *side.get("aliases", [])) for side in _sides(pair))
        for pair in PAIRS
    )
    assert max(sides.values()) == 1


def test_the_page_counts_right() -> None:
    counted = Counter((pair["class"], pair["language"]) for pair in PAIRS)
    rows = {name: (int(en or 0), int(zh)) for name, en, zh in ROW.findall(PAGE)}
    assert rows.keys() == CLASSES - CROSS
    assert rows == {name: (counted[name, "en"], counted[name, "zh"]) for name in rows}
    assert [counted[name, "en-zh"] for name in sorted(CROSS)] == [6, 6]
    assert [len(HALVES[half]) for half in ("dev", "held")] == [136, 134]


@pytest.mark.parametrize("half", sorted(HALVES))
def test_a_half_has_every_class(half: str) -> None:
    both = Counter((pair["class"], pair["language"]) for pair in PAIRS)
    here = Counter((pair["class"], pair["language"]) for pair in HALVES[half])
    for key, count in both.items():
        assert here[key] >= 2
        assert abs(2 * here[key] - count) <= 1


@pytest.mark.parametrize("half", sorted(HALVES))
def test_a_half_is_balanced(half: str) -> None:
    pairs = HALVES[half]
    english = sum(pair["language"] == "en" for pair in pairs)
    assert english / len(pairs) == pytest.approx(0.49, abs=0.03)
    assert sum(pair["same"] for pair in pairs) / len(pairs) == pytest.approx(0.48, abs=0.03)


@each_pair
def test_a_pair_is_what_the_page_says(pair: Pair) -> None:
    assert pair["id"].startswith(pair["language"] + "-")
    assert pair["same"] == pair["class"].startswith("same_")
    assert {pair["a"]["kind"], pair["b"]["kind"]} <= KINDS
    assert pair["a"]["name"] != pair["b"]["name"] or pair["class"] == "near_kind"
    han = sorted(bool(HAN.search(name)) for name in _names(pair))
    assert han in {"en": [[False, False]], "en-zh": [[False, True]]}.get(
        pair["language"], [[False, True], [True, True]]
    )


@each_pair
def test_kinds_are_equal_but_where_they_make_the_difference(pair: Pair) -> None:
    equal = pair["a"]["kind"] == pair["b"]["kind"]
    assert equal == (pair["class"] != "near_kind") or pair["class"] in {"related", "unrelated"}


@each_pair
def test_only_an_alias_of_the_name_makes_two_names_one(pair: Pair) -> None:
    assert _is_alias(pair) == (pair["class"] in {"same_alias", "same_short", "same_cross"})


@_of_class("same_case", "same_accent", "same_spacing", "same_punctuation", "same_width")
def test_what_is_folded_is_equal(pair: Pair) -> None:
    a, b = _names(pair)
    assert _bare(a) == _bare(b)


@_of_class(*(name for name in CLASSES if name.startswith("near_") and name != "near_kind"))
def test_a_near_miss_is_not_folded_away(pair: Pair) -> None:
    a, b = _names(pair)
    assert _bare(a) != _bare(b)


@_of_class("near_kind")
def test_another_kind_has_the_same_name(pair: Pair) -> None:
    assert pair["a"]["name"] == pair["b"]["name"]
    assert "context" in pair["a"]


@_of_class("near_alias")
def test_an_alias_in_common_is_no_name(pair: Pair) -> None:
    assert _given(pair["a"]) & _given(pair["b"])


@_of_class("same_typo")
def test_a_typo_is_small_in_a_long_name(pair: Pair) -> None:
    a, b = map(_bare, _names(pair))
    assert 0 < _edits(a, b) <= TYPO_EDITS_MAX
    assert min(len(a), len(b)) >= TYPO_LETTERS_MIN


@_of_class("same_honorific", "same_title_org", "same_place")
def test_what_is_left_out_leaves_a_name(pair: Pair) -> None:
    a, b = _names(pair)
    shared = Counter(_bare(a)) & Counter(_bare(b))
    assert shared.total() >= 0.75 * min(len(_bare(a)), len(_bare(b)))


@_of_class("same_script")
def test_scripts_differ_character_by_character(pair: Pair) -> None:
    a, b = _names(pair)
    assert len(a) == len(b)


@pytest.mark.parametrize("half", sorted(HALVES))
def test_near_misses_are_as_close_as_what_is_the_same(half: str) -> None:
    close = {"near_name", "near_number", "near_initial"}
    far = {"same_alias", "same_short", "same_title_org", "same_honorific", "same_script"}
    near, same = (
        statistics.median(_ratio(pair) for pair in HALVES[half] if pair["class"] in classes)
        for classes in (close, far)
    )
    assert near > same
