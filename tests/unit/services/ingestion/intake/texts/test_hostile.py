"""Tests with hostile texts: the work is linear in the text's length, whatever its lines are."""

import pytest

from anamnesis_ingestion.intake.texts.passages import passages_of
from tests.support.growth import grown

pytestmark = pytest.mark.slow

CHARS = 20_000
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


@pytest.mark.parametrize("unit", LINES.values(), ids=LINES.keys())
def test_time_grows_as_the_text_does(unit: str) -> None:
    shapes = {unit: lambda chars: unit * (chars // len(unit))}
    assert not list(grown(lambda text: list(passages_of(text, "label " * 100)), shapes, CHARS))
