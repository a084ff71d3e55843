"""Shapes of text that make a careless pattern slow, and how time grows with them.

Processor time is taken, the best of three. A text of a few milliseconds or less is too short to
compare: its time counts as `BASE_S`.
"""

import gc
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

CHARS = 50_000
RATIO_MAX = 3.0
BASE_S = 0.02
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
    """The shapes of which a text twice as long takes more than `RATIO_MAX` times as long."""
    function("Warm up. Once.\n")
    for name, shape in shapes.items():
        short, long = (max(BASE_S, _best_s(function, shape(size))) for size in (chars, 2 * chars))
        if long > RATIO_MAX * short:
            yield f"{name}: {short:.3f} s, {long:.3f} s"


def _best_s(function: Callable[[str], object], text: str) -> float:
    return min(_once_s(function, text) for _ in range(3))


def _once_s(function: Callable[[str], object], text: str) -> float:
    """Without collections of garbage: how long these take is the heap's affair."""
    gc.disable()
    begun_s = time.process_time()
    try:
        function(text)
        return time.process_time() - begun_s
    finally:
        gc.enable()
