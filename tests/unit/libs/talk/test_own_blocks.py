"""Blocks of our own in a text are left out whole, and nothing else is."""

import pytest

from anamnesis_libs.talk.own_blocks import without_own_blocks
from anamnesis_retrieval.context.writing import CLOSING, OPENING

BLOCK = f"{OPENING}\n11 May\nuser: I keep bees.\n{CLOSING}"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (BLOCK, ""),
        (f"{BLOCK}\n\nI like tea.", "I like tea."),
        (f"I like tea.\n\n{BLOCK}\nAnd milk.", "I like tea.\nAnd milk."),
        (f"{BLOCK} {BLOCK.upper()}\nI like tea.", "I like tea."),
        (f'{{"text": "{BLOCK!r}", "tokens": 9}}', '{"text": "\'\n\'", "tokens": 9}'),
    ],
)
def test_whole_blocks_are_left_out(text: str, rest: str) -> None:
    assert without_own_blocks(text) == rest
    assert without_own_blocks(rest) == rest


@pytest.mark.parametrize(
    "text",
    [
        "  I like tea.\n",
        "We look for <memory_context> in logs.",
        f"{CLOSING} I like tea.",
        f"{CLOSING} I like tea. {OPENING}",
        "<memory_contexts>tea</memory_contexts>",
    ],
)
def test_what_is_no_whole_block_stays_as_it_is(text: str) -> None:
    assert without_own_blocks(text) == text
