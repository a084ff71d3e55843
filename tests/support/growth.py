"""Shapes of text that make a careless pattern slow, and how time grows with them.

A text is read at half its length and at twice it: what is linear takes four times as long, what is
quadratic sixteen times. Processor time is taken, the best of at most five. A text of a few
milliseconds or less is too short to compare: its time counts as `BASE_S`.
"""

import gc
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

CHARS = 50_000
RATIO_MAX = 8.0
BASE_S = 0.008
TRIES = 5
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "hostile" / "shapes.jsonl"
UNITS = {
    "letters": "a",
    "words": "never push ",
    "sentences": "a. b! c? ",
    "chinese": "以后不要，",
    "ends": "。",
    "spaces": " ",
    "tabs and dots": ".\t",
    "lines": "\n",
    "odd lines": "\u2028\x85",
    "items": "- a\n",
    "numbers": "1. ",
    "bars": "|",
    "bars and spaces": "| ",
    "rows": "|a|b|\n",
    "fences": "```\n",
    "headings": "# a\n",
    "colons": "a:\n",
    "quotes": '."',
    "apostrophes": "don't ",
    "shortened": "Dr. ",
    "tags": "</memory_context>\n",
    "openings": "< ",
    "rules": "we use a, ",
    "constraints": "only for a ",
    "changes": "not a b ",
    "asking": "ok, please ",
    "bow": "（一）",
}
"""What is said again and again."""
ENDS = {
    "a row that never ends": ("|", " ", "x"),
    "a ruler that is none": ("|", "-", "x"),
    "a tag that is none": ("<", " ", "x"),
    "a tag over lines": ("<", "\n", "x"),
    "a sentence that never begins": ("a.", " ", "x"),
    "a word at the end": ("", " ", "x"),
}
"""A beginning, what is said again and again, and an end that fits neither."""


def own_shapes() -> dict[str, Callable[[int], str]]:
    """Texts of about so many characters, by the names of their shapes."""
    shapes: dict[str, Callable[[int], str]] = {
        name: lambda chars, unit=unit: unit * (chars // len(unit))  # type: ignore[misc]
        for name, unit in UNITS.items()
    }
    for name, (start, unit, end) in ENDS.items():
        shapes[name] = lambda chars, s=start, u=unit, e=end: s + u * chars + e  # type: ignore[misc]
    return shapes


def shared_shapes() -> dict[str, Callable[[int], str]]:
    """The same of a collection beside the checkout; none where it is not there."""
    if not SHARED.exists():
        return {}
    return {
        row["name"]: lambda chars, unit=row["unit"]: unit * (chars // len(unit))  # type: ignore[misc]
        for row in map(json.loads, SHARED.read_text(encoding="utf-8").splitlines())
    }


def grown(
    function: Callable[[str], object],
    shapes: dict[str, Callable[[int], str]],
    chars: int = CHARS,
) -> Iterator[str]:
    """The shapes of which a text four times as long takes over `RATIO_MAX` times as long."""
    function("Warm up. Once.\n")
    for name, shape in shapes.items():
        short_s, long_s = _least_s(function, shape(chars // 2), shape(2 * chars))
        if long_s > RATIO_MAX * short_s:
            yield f"{name}: {short_s:.3f} s, {long_s:.3f} s"


def _least_s(function: Callable[[str], object], short: str, long: str) -> tuple[float, float]:
    """The least times of both texts; they are read again only while the long one took too long."""
    short_s = long_s = float("inf")
    for _ in range(TRIES):
        short_s = max(BASE_S, min(short_s, _once_s(function, short)))
        long_s = min(long_s, _once_s(function, long))
        if long_s <= RATIO_MAX * short_s:
            break
    return short_s, long_s


def _once_s(function: Callable[[str], object], text: str) -> float:
    """Without collections of garbage: how long these take is the heap's affair."""
    gc.disable()
    begun_s = time.process_time()
    try:
        function(text)
        return time.process_time() - begun_s
    finally:
        gc.enable()
