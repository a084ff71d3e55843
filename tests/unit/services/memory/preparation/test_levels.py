"""One line and an overview."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.tokens import load_counter
from anamnesis_memory.preparation.levels import OVERVIEW_TOKENS_MAX, SUMMARY_TOKENS_MAX, summarise

TOKENS = load_counter("o200k_base")


def test_a_short_text_is_its_own_level() -> None:
    assert summarise("I moved to Lisbon.", TOKENS) == ("", "")


@pytest.mark.parametrize(
    ("content", "summary"),
    [
        ("First line.\nSecond line.", "First line."),
        ("\n\n  spaced   out  \nrest", "spaced out"),
        ("我搬到了里斯本。\n" + "然后" * 10, "我搬到了里斯本。"),
        ("One sentence that is long enough to stand alone here. " + "More follows. " * 40,
         "One sentence that is long enough to stand alone here. More follows."),
    ],
)  # fmt: skip
def test_the_summary_is_the_first_sentence(content: str, summary: str) -> None:
    assert summarise(content, TOKENS)[0] == summary


@pytest.mark.parametrize(
    ("content", "summary"),
    [
        ("# Garden\n## *Two* times\n\nFigs are ripe. Bees hum.", "Figs are ripe. Bees hum."),
        ("Two times\n===\nFigs are ripe.", "Figs are ripe."),
        ("```sh\nmake all\n```", "make all"),
        ("Two figs\nFigs are ripe.", "Two figs"),
        ("# Garden\n## Two times", "# Garden"),
    ],
)
def test_the_summary_of_a_file_does_not_repeat_its_headings(content: str, summary: str) -> None:
    assert summarise(content, TOKENS, "garden.md › Two times")[0] == summary
    assert summarise(content, TOKENS)[0] == content.split("\n")[0]


@given(st.text(max_size=3000))
def test_levels_never_exceed_their_tokens(content: str) -> None:
    summary, overview = summarise(content, TOKENS)
    assert TOKENS.count(summary) <= SUMMARY_TOKENS_MAX
    assert TOKENS.count(overview) <= OVERVIEW_TOKENS_MAX
    assert "\n" not in summary
    assert overview or TOKENS.count(content) <= OVERVIEW_TOKENS_MAX
