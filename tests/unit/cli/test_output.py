"""What reaches a terminal: no control sequence, nothing that turns the text around."""

import json

import pytest

from anamnesis_cli.output import json_text, one_line
from anamnesis_libs.controls import visible

HOSTILE = ("\x9b2J", "\x85", "\u202e", "\u2066", "\u200f", "\x7f")


@pytest.mark.parametrize("control", HOSTILE)
def test_json_is_the_same_and_shows_no_control_character(control: str) -> None:
    told = {"name": f"a{control}b 林悦"}
    text = json_text(told)
    assert control[0] not in text
    assert "林悦" in text
    assert json.loads(text) == told


@pytest.mark.parametrize("control", [*HOSTILE, "\x1b[2J", "\x00"])
def test_a_text_shows_that_a_control_character_was_there(control: str) -> None:
    assert control[0] not in visible(f"a{control}b")
    assert len(visible(f"a{control}b")) == len(f"a{control}b")
    assert "\n" not in one_line(f"a\n{control}b")
