"""Which line of a text answers: the rarest words count most, and a long line is cut around them."""

import pytest

from anamnesis_cli.best_line import best_line

_TEXT = """\
# Order page
The page is slow.
The page fails when the database is locked.
数据库被锁住了
林悦对花生过敏
"""


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("why is the page locked?", "The page fails when the database is locked."),
        ("PAGE", "# Order page"),
        ("order", "# Order page"),
        ("failing pages", "The page fails when the database is locked."),
        ("花生", "林悦对花生过敏"),
        ("谁对花生过敏？", "林悦对花生过敏"),
        ("base", ""),
        ("what is the", ""),
        ("", ""),
    ],
)
def test_the_line_with_most_of_the_rare_words(asked: str, line: str) -> None:
    assert best_line(_TEXT, asked) == line


def test_a_long_line_is_cut_around_the_words() -> None:
    cut = best_line(f"intro\n{'before ' * 100}peanuts {'after ' * 100}", "peanuts")
    assert "peanuts" in cut
    assert cut.startswith("…before ")
    assert cut.endswith("…")
    assert len(cut) < 250


def test_a_text_without_a_line_has_none() -> None:
    assert best_line(" \n\n", "peanuts") == ""
