"""Tests of which lines of pages are shown, and of how the passages of one page are named."""

import pytest

from anamnesis_libs.chunking import DOCUMENT_ROLE, split
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.tokens import load_counter
from anamnesis_retrieval.context.asked import read_prompt
from anamnesis_retrieval.context.excerpts import Excerpt, fitted, shown, told
from anamnesis_retrieval.context.model import CitationReason, Entry
from anamnesis_retrieval.context.packing import Count, Prospect, Prospects, pack
from anamnesis_retrieval.context.pages import best_lines, path_after, without_links
from anamnesis_retrieval.context.writing import Style, write
from anamnesis_retrieval.model import Candidate, Remembered, ScopeShape

TABLE = """| berth | price |
|---|---|
| east | 20 |
| west | 30 |
| north | free |"""


def excerpt(page: str, query: str, cosines: tuple[float, ...] = (), count: Count = len) -> Excerpt:
    memory = Remembered("m", "", "harbour.md › Boats", "", page, role=DOCUMENT_ROLE)
    hit = Candidate("m", role=DOCUMENT_ROLE, piece_cosines=cosines)
    said = told(memory, hit, read_prompt(query, shape_of(query)), frozenset(), count)
    assert said is not None
    return said


def shape_of(query: str) -> ScopeShape:
    return ScopeShape(1, term_weights=tuple(1.0 for _ in query.split()))


def test_a_row_comes_with_its_header_which_is_not_shown_alone() -> None:
    said = excerpt(TABLE, "berth west")
    assert 0 not in said.worths
    assert shown(said, fitted(said, 40)).splitlines() == ["| berth | price |", "… | west | 30 | …"]


def test_the_line_whose_piece_is_nearest_is_worth_most_whatever_its_words() -> None:
    lines = [f"Line {number} tells of {'many things ' * 14}here." for number in range(3)]
    page = "\n".join(lines)
    assert len(split(page, DOCUMENT_ROLE)) == len(lines)
    said = excerpt(page, "boats", (0.1, 0.2, 0.6))
    assert [said.units[number].text for number in said.order] == [lines[2], lines[1], lines[0]]


def test_an_amount_is_worth_more_where_one_is_asked_for() -> None:
    page = "The rope is of hemp.\n\nThe rope is 20 ells."
    assert shown_first(excerpt(page, "rope made")) == "The rope is of hemp."
    assert shown_first(excerpt(page, "how long rope")) == "The rope is 20 ells."


def test_a_sentence_counts_for_the_next_and_two_for_the_line_between() -> None:
    page = (
        "The berth is free. Ask. Rope is not. Bread is sold.\n- salt\n- a berth\n- oats\n- a berth"
    )
    worths = excerpt(page, "berth").worths
    assert worths[0] > worths[1] > worths[2] == worths[3] == worths[4] == 0
    assert worths[5] == worths[6] == worths[7] > 0


def test_a_word_of_the_headings_counts_for_a_line_and_less_than_its_own() -> None:
    page = "The rope is of hemp.\n\nEvery boat has one.\n\nDogs are kept on a lead here."
    worths = excerpt(page, "boats dogs").worths
    assert worths[1] == pytest.approx(excerpt(page, "boats").worths[1] / 2)
    assert worths[2] > worths[1] > worths[0] > 0


def test_a_short_piece_of_code_stands_together_and_a_long_one_by_its_lines() -> None:
    command = "berth --at east\nsail --to west\n"
    worths = excerpt(f"```sh\n{command}```", "berth").worths
    assert len(worths) == 2
    assert worths[1] == worths[2] > 0
    long = f"{command}row --out\n" * 4
    worths = excerpt(f"```sh\n{long}```", "berth").worths
    assert worths[1] > worths[2] == 0


def test_a_long_list_item_is_shown_by_its_sentences() -> None:
    said = excerpt(f"- The berth is free. {'It rains on the quay at night. ' * 5}", "berth")
    assert shown(said, fitted(said, 30)) == "- The berth is free. …"


def test_lines_of_several_passages_come_by_their_own_worth() -> None:
    assert best_lines([{0: 0.5, 1: 0.1}, {4: 0.3}], [1.0, 1.0]) == [(0, 0), (1, 4), (0, 1)]
    assert best_lines([{0: 0.5}, {4: 0.4}], [0.0, 10.0]) == [(1, 4), (0, 0)]


def test_a_budget_goes_to_the_best_lines_wherever_they_stand() -> None:
    style = Style()
    count = load_counter("o200k_base").count
    far = "Nobody has ever said a thing of it. " * 8
    prospects = [
        Prospect(
            passage(f"{at}.md", at),
            excerpt(f"{far}\n\nThe rope of boat {at} is red.", "rope", count=count),
        )
        for at in range(3)
    ]
    read = [lambda one=one: one for one in prospects]
    entries, left_out = pack(Prospects([], read), 60, None, style, count)
    assert [f"boat {at} is" in entry.text for at, entry in enumerate(entries)] == [True] * 3
    assert left_out == 0
    assert len(pack(Prospects([], read), 60, 2, style, count)[0]) == 2


def shown_first(said: Excerpt) -> str:
    return said.units[said.order[0]].text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("see [the rules](rules.md#dogs).", "see the rules."),
        ("![a boat](pictures/boat.png)", "a boat"),
        ("[tides](https://example.org/tides)", "[tides](https://example.org/tides)"),
        ("f[0](x y)", "f[0](x y)"),
        ("the [`fork()`][] method, see [tides][1]", "the `fork()` method, see tides"),
        ("rows[0][1]", "rows[0][1]"),
        ("names are `[a-z]([a-z0-9]{0,61}[a-z])?`", "names are `[a-z]([a-z0-9]{0,61}[a-z])?`"),
        ("```\n[0](x)\n```", "```\n[0](x)\n```"),
    ],
)
def test_links_within_a_site_lose_where_they_lead(text: str, plain: str) -> None:
    assert "\n".join(unit.text for unit in without_links(units_of(text))) == plain


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
    assert lines[2:-1] == ["a.md › Ropes: Tarred.", "› Sails: White.", "  Mended."]


def passage(name: str, at: int) -> Remembered:
    return Remembered(
        f"m{at}", "", name, "", "", role=DOCUMENT_ROLE, session_id="s", event_index=at
    )
