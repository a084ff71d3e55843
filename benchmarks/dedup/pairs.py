"""The labelled pairs of `tests/data/dedup`."""

import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "dedup"
PARTS = {"both": ("en", "zh"), "en": ("en",), "zh": ("zh",), "en-zh": ("en-zh",)}
"""Parts of the set by their languages; pairs across the two are counted apart."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two lessons, and whether they are one; `label` is the class of the set."""

    name: str
    language: str
    a: str
    b: str
    same: bool
    label: str


def read(half: str) -> list[Pair]:
    """The pairs of one half, `dev` or `held`."""
    lines = (FOLDER / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_pair(json.loads(line)) for line in lines]


def _pair(record: dict[str, object]) -> Pair:
    words = (str(record[key]) for key in ("id", "language", "a", "b"))
    name, language, a, b = words
    return Pair(name, language, a, b, bool(record["same"]), str(record["class"]))
