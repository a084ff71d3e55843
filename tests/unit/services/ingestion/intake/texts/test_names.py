"""Tests of names of passages: short, of whole words, without halves of secrets."""

import pytest

from anamnesis_ingestion.intake.texts.names import (
    NAME_CHARS_MAX,
    SEPARATOR,
    Headings,
    document_of,
    name_of,
    title_of,
)

KEY = "sk-proj-" + "a1B2" * 60


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("## The `as_of` time ##", "The as_of time"),
        ("# **Bold** *and* [linked](https://example.org/x)", "Bold *and* linked"),
        ('## <a name="x"></a>Anchored', "Anchored"),
        ("### ![a picture](x.png)", "a picture"),
        ("#", ""),
        ("Setext   with  spaces", "Setext with spaces"),
        ("1. Introduction", "1. Introduction"),
        ("## List<String> and snake_case", "List<String> and snake_case"),
    ],
)
def test_a_title_is_the_words_of_a_heading(line: str, title: str) -> None:
    assert title_of(line) == title


def test_a_long_title_ends_with_a_whole_word() -> None:
    title = title_of("# " + "words of a title " * 30)
    assert len(title) <= 121
    assert title.endswith((" of…", " a…", "words…", "title…"))
    assert title_of(f"# {KEY * 2}") == ""
    assert len(title_of("# " + "蜜蜂" * 200)) == 120


@pytest.mark.parametrize(
    ("label", "document"),
    [
        ("/home/ada/my docs/facts.md", "facts.md"),
        ("docs\\facts.md", "facts.md"),
        ("C:\\notes\\facts", "facts"),
        ("~/notes/", "notes"),
        ("TCP/IP basics", "TCP/IP basics"),
        ("Q1/Q2 plan v1.2", "Q1/Q2 plan v1.2"),
        ("https://example.org/guide.html", "https://example.org/guide.html"),
        ("Minutes\nof  March", "Minutes of March"),
        (" ", ""),
    ],
)
def test_a_document_is_called_by_its_label(label: str, document: str) -> None:
    assert document_of(label) == document


def test_a_title_that_says_what_the_document_is_called_is_left_out() -> None:
    assert name_of("facts.md", ["Facts", "Two times"]) == "facts.md › Two times"
    assert name_of("Facts", ["facts"]) == "Facts"
    assert name_of("facts.md", ["Facts over time"]) == "facts.md › Facts over time"


def test_what_is_too_long_loses_its_middle_first() -> None:
    titles = [f"Heading {n} {'w' * 60}" for n in range(5)]
    assert name_of("facts.md", titles) == SEPARATOR.join(["facts.md", "…", *titles[-3:]])
    document = "The minutes " + "of a very long meeting " * 9 + "in March"
    name = name_of(document, [*titles, "t" * 100])
    assert len(name) <= NAME_CHARS_MAX
    assert name.startswith("The minutes of a very")
    assert name.endswith(f"in March › … › {'t' * 100}")
    assert len(name_of("word " * 300, [])) <= NAME_CHARS_MAX
    assert name_of("x" * 300, ["t" * 100]) == "t" * 100


def test_no_part_of_a_secret_stays_where_it_is_cut() -> None:
    for label in (f"notes {KEY}", f"{KEY} notes", f"a {'long ' * 60}{KEY}{' label' * 60}"):
        name = name_of(document_of(label), [title_of(f"# {'t ' * 55}{KEY}")])
        assert len(name) <= NAME_CHARS_MAX
        assert KEY in name or KEY[:12] not in name
        assert KEY in name or KEY[-12:] not in name


def test_a_heading_ends_those_of_its_level_and_below() -> None:
    headings = Headings("x")
    seen = []
    for level, title in ((2, "a"), (4, "b"), (3, "c"), (3, ""), (1, "d"), (2, "e")):
        headings.enter(level, title)
        seen.append(headings.name)
    assert seen == ["x › a", "x › a › b", "x › a › c", "x › a", "x › d", "x › d › e"]
