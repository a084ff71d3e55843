"""Tests with hostile texts: the work is linear in the text's length, whatever its lines are."""

import gc
import time

import pytest

from anamnesis_ingestion.intake.texts.passages import passages_of

pytestmark = pytest.mark.slow

CHARS = 50_000
TRIES = 3
LINES = {
    "rows": "|\n",
    "tables": "| a | b |\n|---|---|\n\n",
    "fences": "```\n",
    "open fences": "```a\n",
    "fences of two kinds": "~~~\n````\n",
    "empty headings": "# \n",
    "headings": "# A\n",
    "short lines": "A\n\n",
    "underlines": "a\n===\n",
    "colons": ": \n",
    "colons apart": "a:\n\n",
    "items": "- \n",
    "nested items": "- a\n  - b\n    - c\n",
    "items with colons": "- a:\n\n",
    "items and code": "- x\n\n```\n",
    "list after list": "a:\n- b\n\n",
    "front matters": "---\na: b\n",
    "rules": "---\n\n",
    "blank lines": " \n",
    "long rows": f"| {'x' * 1990} |\n|---|\n",
    "links": "# [a](",
    "tags": "<a ",
    "brackets": "[",
    "ends": "a. ",
    "one line": "- - - = ",
}


def seconds(text: str) -> float:
    """Processor time; the best of a few, since others use the processor too."""
    taken = []
    for _ in range(3):
        gc.collect()
        start = time.process_time()
        for _ in passages_of(text, "label " * 100):
            pass
        taken.append(time.process_time() - start)
    return min(taken)


@pytest.mark.parametrize("unit", LINES.values(), ids=LINES.keys())
def test_twice_the_text_takes_twice_the_time(unit: str) -> None:
    text = unit * (CHARS // len(unit))
    # a busy machine may slow one of the two: what is not linear is slower every time
    pairs = ((seconds(text), seconds(text + text)) for _ in range(TRIES))
    assert any(twice < max(3 * once, 0.03) for once, twice in pairs)
