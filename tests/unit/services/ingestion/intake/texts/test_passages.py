"""Tests of passages: the content of each event of a text, and its name."""

import pytest

from anamnesis_ingestion.intake.texts.passages import EVENT_CHARS_MAX, passages_of

NOTES = """Garden

The figs are ripe in July.
They want water.

蜜蜂

我养了两箱蜜蜂。它们很安静。
"""
PAGE = """\
# Facts over time

A fact is a subject, a predicate and an object.

## Two times

### As of

Where did she live then?

### Known at

What did we know then?

Review
------

It says so.
"""


def contents(text: str, label: str = "") -> list[str]:
    return [passage.content for passage in passages_of(text, label)]


def names(text: str, label: str = "") -> list[str]:
    return [passage.name for passage in passages_of(text, label)]


def long(words: int, word: str = "word") -> str:
    return " ".join([word] * words)


def test_paragraphs_stay_whole_and_headings_go_with_what_follows() -> None:
    assert contents(NOTES) == [
        "Garden\nThe figs are ripe in July.\nThey want water.",
        "蜜蜂\n我养了两箱蜜蜂。它们很安静。",
    ]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("one line.", ["one line."]),
        ("one.\r\n\r\ntwo.", ["one.", "two."]),
        ("one.\n \t\n\n\ntwo.", ["one.", "two."]),
        ("only a heading", ["only a heading"]),
        ("A\n\nB\n\nit rains.", ["A\nB\nit rains."]),
        ("ask me?\n\nsure.", ["ask me?", "sure."]),
        ("one.\n\n---\n\ntwo.", ["one.", "two."]),
        ("1. Scope\n\nAll of it.", ["1. Scope\nAll of it."]),
        (" \n\n \n", []),
        ("* * *", []),
    ],
)
def test_what_is_a_passage(body: str, found: list[str]) -> None:
    assert contents(body) == found


def test_a_name_is_the_document_and_the_headings_above() -> None:
    assert names(PAGE, "/home/ada/docs/two-times.md") == [
        "two-times.md › Facts over time",
        "two-times.md › Facts over time › Two times › As of",
        "two-times.md › Facts over time › Two times › Known at",
        "two-times.md › Facts over time › Review",
    ]
    assert contents(PAGE)[1:] == [
        "## Two times\n### As of\nWhere did she live then?",
        "### Known at\nWhat did we know then?",
        "Review\n------\nIt says so.",
    ]


def test_without_a_label_the_first_of_the_highest_headings_names_the_document() -> None:
    assert names(PAGE)[0] == "Facts over time"
    assert names(f"Preface.\n\n{PAGE}\n# More\n\nEnd.")[::5] == [
        "Facts over time",
        "Facts over time › More",
    ]
    assert names(NOTES) == ["Garden", "Garden › 蜜蜂"]
    assert names("It rains.\n\nTo do\n\nSleep.") == ["", "To do"]
    assert names("It rains.\n\nIt is cold.") == ["", ""]


def test_short_lines_are_headings_only_where_a_text_marks_none() -> None:
    assert names("# A\n\nSee below\n\nIt rains.\n\n## B\n\nIt is cold.") == ["A", "A › B"]
    assert names("Dear Ada,\n\nIt rains.", "x") == ["x"]
    assert names("Notes\n\n![a map](map.png)\n\nIt rains.", "x") == ["x › Notes"]


def test_a_short_line_does_not_stay_with_what_stands_under_another_heading() -> None:
    body = "# A\n\nIt rains.\n\nSee below\n\n## B\n\nIt is cold."
    assert contents(body) == ["# A\nIt rains.", "See below", "## B\nIt is cold."]


def test_what_ends_in_a_colon_brings_what_follows() -> None:
    body = "It is simple. Two things:\n\n- figs\n- bees\n\nThen run:\n\n```sh\nmake\n\nall\n```\n"
    assert contents(body) == [
        "It is simple. Two things:\n\n- figs\n- bees",
        "Then run:\n\n```sh\nmake\n\nall\n```",
    ]
    assert contents("清单：\n\n- 无花果\n- 蜜蜂") == ["清单：\n\n- 无花果\n- 蜜蜂"]
    assert contents("- first:\n- then:\n\n| a | b |\n|---|---|") == [
        "- first:\n- then:\n\n| a | b |\n|---|---|"
    ]
    assert contents("**Note:**\n\nIt rains.") == ["**Note:**\n\nIt rains."]


def test_a_sentence_that_is_not_over_brings_a_list_but_no_paragraph() -> None:
    body = f"{long(20)} and is refused where\n\n- it is there\n- it is cut"
    assert contents(body) == [body]
    line = long(30)
    assert contents(f"{line}\n\n{line}") == [line, line]
    assert contents("- a\n- b\n\n```\nmake\n```") == ["- a\n- b", "```\nmake\n```"]


def test_what_leads_on_to_too_much_stands_before_its_first_part() -> None:
    rows = [f"| row {n} | {long(20)} |" for n in range(60)]
    table = ["| what | how |", "|---|---|", *rows]
    intro = f"{long(200)}. These are all:"
    first, second, *rest = contents("\n".join(["## Rows", "", intro, "", *table]))
    assert first == f"## Rows\n{long(200)}."
    assert second.startswith("These are all:\n\n| what | how |\n|---|---|\n| row 0 |")
    assert all(part.startswith("| what | how |\n|---|---|\n| row ") for part in rest)
    held = [line for part in (second, *rest) for line in part.split("\n") if "row" in line]
    assert held == rows
    assert max(map(len, (first, second, *rest))) <= EVENT_CHARS_MAX


def test_what_leads_on_to_something_long_that_fits_is_parted_from_what_is_before_it() -> None:
    code = "\n".join(["```", *[long(10)] * 30, "```"])
    first, second = contents(f"{long(200)}. Run this:\n\n{code}")
    assert first == f"{long(200)}."
    assert second == f"Run this:\n\n{code}"
    items = f"- {long(200)}\n- run this:"
    assert contents(f"{items}\n\n{code}") == [f"- {long(200)}", f"- run this:\n\n{code}"]


def test_what_has_no_blank_line_between_stays_together_while_it_fits() -> None:
    body = "Some words here.\n```\nx = 1\n\ny = 2\n```\nIt prints:\n- x\n- y\n"
    assert contents(body) == [body.strip()]
    list_ = "\n".join(f"- {long(30)}" for _ in range(12))
    assert contents(f"{long(100)}.\n{list_}") == [f"{long(100)}.", list_]


def test_front_matter_is_a_passage_and_no_heading() -> None:
    body = "---\ntitle: Figs\ntags: [a, b]\n\n---\n\n# Figs\n\nRipe."
    assert contents(body) == ["---\ntitle: Figs\ntags: [a, b]\n\n---", "# Figs\nRipe."]
    assert names(body, "figs.md") == ["figs.md", "figs.md"]
    assert contents("---\n\nIt rains.\n\n---") == ["It rains."]


def test_headings_without_end_are_parted_too() -> None:
    found = contents("# A\n" * 3000)
    assert max(map(len, found)) <= EVENT_CHARS_MAX
    assert sum(part.count("# A") for part in found) == 3000


def test_nothing_is_lost_but_blank_lines_and_rules() -> None:
    body = f"{PAGE}\n- a\n\n  b\n- c\n\n***\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n> said\n\n{NOTES}"
    held = "\n".join(contents(body)).split()
    assert held == [word for word in body.split() if word != "***"]
