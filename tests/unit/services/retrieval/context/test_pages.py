"""Tests of what goes with a line of a page, and of how the passages of one page are named."""

import pytest

from anamnesis_libs.chunking import DOCUMENT_ROLE
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.tokens import load_counter
from anamnesis_retrieval.context.asked import read_prompt
from anamnesis_retrieval.context.excerpts import Excerpt, fitted, shown, told
from anamnesis_retrieval.context.model import CitationReason, Entry
from anamnesis_retrieval.context.pages import beside, path_after, without_links
from anamnesis_retrieval.context.writing import Style, write
from anamnesis_retrieval.model import Candidate, Remembered, ScopeShape

STEPS = """1. Fetch the rope from the loft.
2. Tie the boat to the quay:
   ```
   moor --bow --stern
   ```
3. Sweep the deck, and the cabin, and the stairs."""


def excerpt(page: str, query: str) -> Excerpt:
    memory = Remembered("m", "", "harbour.md › Boats", "", page, role=DOCUMENT_ROLE)
    scope = shape_of(query)
    said = told(
        memory, Candidate("m", role=DOCUMENT_ROLE), read_prompt(query, scope), frozenset(), len
    )
    assert said is not None
    return said


def shape_of(query: str) -> ScopeShape:
    return ScopeShape(1, term_weights=tuple(1.0 for _ in query.split()))


def test_code_comes_with_the_line_above_it() -> None:
    said = excerpt(STEPS, "tie boat quay")
    numbers = fitted(said, 60)
    assert "moor --bow" in shown(said, numbers)
    assert "Sweep" not in shown(said, numbers)


def test_rows_of_a_small_table_come_before_what_stands_around_it() -> None:
    page = "| berth | price |\n|---|---|\n| east | 20 |\n| west | 30 |\n\nAsk in the office."
    said = excerpt(page, "east")
    assert shown(said, fitted(said, 60)).splitlines() == [
        "| berth | price |",
        "| east | 20 |",
        "| west | 30 | …",
    ]


def test_rows_of_a_long_table_stand_for_themselves() -> None:
    rows = "\n".join(f"| berth {number} | {number} |" for number in range(20))
    assert beside(units_of(f"| berth | price |\n|---|---|\n{rows}"), [5]) == []


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("see [the rules](rules.md#dogs).", "see the rules."),
        ("![a boat](pictures/boat.png)", "a boat"),
        ("[tides](https://example.org/tides)", "[tides](https://example.org/tides)"),
        ("f[0](x y)", "f[0](x y)"),
    ],
)
def test_links_within_a_site_lose_where_they_lead(text: str, plain: str) -> None:
    assert without_links(text) == plain


@pytest.mark.parametrize(
    ("name", "before", "rest"),
    [
        ("a.md › One › Two", "a.md › One › Three", "› Two"),
        ("a.md › One", "b.md › One", "a.md › One"),
        ("a.md › One", "a.md › One", ""),
        ("a.md › One", "", "a.md › One"),
        ("a.md", "a.md › One", ""),
    ],
)
def test_a_path_says_what_the_one_before_did_not(name: str, before: str, rest: str) -> None:
    assert path_after(name, before) == rest


def test_passages_of_one_page_name_it_once() -> None:
    entries = [
        Entry(passage("a.md › Boats › Ropes", 0), "Tarred.", CitationReason.ANSWERS),
        Entry(passage("a.md › Boats › Sails", 1), "White.", CitationReason.ANSWERS),
        Entry(passage("a.md › Boats › Sails", 2), "Mended.", CitationReason.ANSWERS),
    ]
    lines = write(entries, Style(), load_counter("o200k_base")).text.splitlines()
    assert lines[2:-1] == ["a.md › Boats › Ropes: Tarred.", "› Sails: White.", "  Mended."]


def passage(name: str, at: int) -> Remembered:
    return Remembered(
        f"m{at}", "", name, "", "", role=DOCUMENT_ROLE, session_id="s", event_index=at
    )
