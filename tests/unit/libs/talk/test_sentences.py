"""Tests of talk/sentences.py: the units that are shown whole, and what leads them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.talk.sentences import SENTENCE_CHARS_MAX, Unit, UnitKind, lines_of, units_of


def texts(text: str) -> list[str]:
    return [unit.text for unit in units_of(text)]


def led(text: str) -> dict[str, list[str]]:
    """The texts that each unit is shown with."""
    units = units_of(text)
    return {unit.text: [units[lead].text for lead in unit.leads] for unit in units}


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("I moved. It rains! Why?", ["I moved.", "It rains!", "Why?"]),
        ('She said "no." Then she left.', ['She said "no."', "Then she left."]),
        ("Dr. Silva lives in St. Ives.", ["Dr. Silva lives in St. Ives."]),
        ("Use e.g. pnpm. Not npm.", ["Use e.g. pnpm.", "Not npm."]),
        ("J. Doe is here at 5 p.m. today.", ["J. Doe is here at 5 p.m. today."]),
        ("Version 3.11 of app.py is out.", ["Version 3.11 of app.py is out."]),
        ("我搬家了。新家很大！你来吗？", ["我搬家了。", "新家很大！", "你来吗？"]),
        ("one\n\ntwo", ["one", "two"]),
        ("**Tides.** They turn. Twice.", ["**Tides.** They turn.", "Twice."]),
        ("**Tides**. They turn.", ["**Tides**. They turn."]),
        ("", []),
    ],
)
def test_prose_is_parted_at_the_ends_of_sentences(text: str, sentences: list[str]) -> None:
    assert [one for one in texts(text) if one] == sentences


def test_a_list_is_parted_by_lines_under_the_line_that_ends_in_a_colon() -> None:
    text = "Wanted:\n- salt. Or not.\n- rice\n1. oil\n\nNothing else."
    assert led(text) == {
        "Wanted:": [],
        "- salt. Or not.": ["Wanted:"],
        "- rice": ["Wanted:"],
        "1. oil": ["Wanted:"],
        "Nothing else.": [],
    }
    kinds = [unit.kind for unit in units_of(text)]
    assert kinds == [UnitKind.PROSE, UnitKind.LINE, UnitKind.LINE, UnitKind.LINE, UnitKind.PROSE]


def test_the_number_of_a_long_item_stays_with_its_first_sentence() -> None:
    item = "12. Cast off. Then row to the mole, and wait there for the bell of the old church."
    first, second = units_of(item, 40)
    assert first.text == "12. Cast off."
    assert second.text.startswith("Then row")


def test_a_list_is_led_by_the_label_in_bold_before_it() -> None:
    assert led("**postpack**\n\n- Runs at the end.\n- Never twice.\n\nThe **last** one.") == {
        "**postpack**": [],
        "- Runs at the end.": ["**postpack**"],
        "- Never twice.": ["**postpack**"],
        "The **last** one.": [],
    }


def test_a_chinese_list_too() -> None:
    assert led("要买：\n一、盐\n（二）米\n3、油") == {
        "要买：": [],
        "一、盐": ["要买："],
        "（二）米": ["要买："],
        "3、油": ["要买："],
    }


def test_a_sentence_right_behind_a_colon_is_led_by_it() -> None:
    assert led("The answer is this:\nForty two. Or more.")["Forty two."] == ["The answer is this:"]


def test_a_row_is_led_by_the_header_of_its_own_table() -> None:
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n\n| c |\n| :-: |\n| 3 |"
    assert led(text)["| 1 | 2 |"] == ["| a | b |"]
    assert led(text)["| 3 |"] == ["| c |"]
    assert led(text)["| a | b |"] == led(text)["| c |"] == []
    assert [unit.text for unit in units_of(text) if unit.kind is UnitKind.MARK] == [
        "|---|---|",
        "| :-: |",
    ]


def test_a_heading_ends_what_a_colon_leads() -> None:
    text = "Wanted:\n- salt\n# Done\n- rice"
    assert led(text)["- rice"] == []
    assert units_of(text)[2] == Unit("# Done", UnitKind.HEADING)


def test_code_stays_as_it_is_and_is_led_by_its_fence() -> None:
    text = "Run:\n```sh\n  make  test. Or not.\n\n- x\n```\nDone."
    assert led(text) == {
        "Run:": [],
        "```sh": ["Run:"],
        "  make  test. Or not.": ["Run:", "```sh"],
        "": ["Run:", "```sh"],
        "- x": ["Run:", "```sh"],
        "```": [],
        "Done.": [],
    }


def test_a_fence_that_never_ends_is_code_to_the_end() -> None:
    units = units_of("~~~\na. b.\nc")
    assert [unit.kind for unit in units] == [UnitKind.MARK, UnitKind.LINE, UnitKind.LINE]


@pytest.mark.parametrize("text", ["x" * 5_000, "- " + "word " * 1_000, "没有句号" * 800])
def test_no_unit_is_longer_than_the_most(text: str) -> None:
    units = units_of(text)
    assert max(len(unit.text) for unit in units) <= SENTENCE_CHARS_MAX
    assert "".join(unit.text for unit in units).replace(" ", "") == text.replace(" ", "")


@given(st.text(st.sampled_from("ab .!?。\n|-#:`~“”1、 \u2028\x85\t"), max_size=200))
def test_nothing_is_lost_or_made_up(text: str) -> None:
    units = units_of(text)
    said = "".join("".join(unit.text.split()) for unit in units)
    assert said == "".join(text.split())
    for number, unit in enumerate(units):
        assert "\n" not in unit.text
        assert all(lead < number for lead in unit.leads)


@given(st.text(st.sampled_from("ab .!?\"')]:*_ \n\x1c\t"), max_size=60))
def test_plain_ascii_is_cut_as_any_other_text(text: str) -> None:
    plain = [unit.text.replace("a", "é") for unit in units_of(text)]
    assert plain == [unit.text for unit in units_of(text.replace("a", "é"))]


def test_a_line_that_was_printed_is_led_by_its_heading_and_by_the_colon_above_it() -> None:
    units = lines_of("# Plan\nSteps:\n- read\n\n  twice\nDone\n## Next\nRest")
    led_by = {unit.text.strip(): [units[lead].text for lead in unit.leads] for unit in units}
    assert led_by["- read"] == led_by["twice"] == ["# Plan", "Steps:"]
    assert led_by["Done"] == ["# Plan"]
    assert led_by["## Next"] == []
    assert led_by["Rest"] == ["## Next"]


def test_an_item_of_a_printed_list_is_led_by_the_item_that_it_stands_under() -> None:
    units = lines_of("1. Check the models\n   - Done when: ok\n   - or empty\n2. Start it\nDone")
    led_by = {unit.text.strip(): [units[lead].text for lead in unit.leads] for unit in units}
    assert led_by["- Done when: ok"] == led_by["- or empty"] == ["1. Check the models"]
    assert led_by["2. Start it"] == led_by["Done"] == []


def test_a_dot_inside_quoted_code_ends_no_sentence() -> None:
    units = units_of("It runs `ALTER TABLE ... ADD x` first. That fails.")
    assert [unit.text for unit in units] == [
        "It runs `ALTER TABLE ... ADD x` first.",
        "That fails.",
    ]


def test_an_underlined_line_is_a_heading() -> None:
    units = units_of("Boats\n=====\nTarred ropes.\n\n---\n\n特点\n----\n* 快")
    kinds = [(unit.text, unit.kind) for unit in units if unit.kind is not UnitKind.MARK]
    assert kinds == [
        ("Boats", UnitKind.HEADING),
        ("Tarred ropes.", UnitKind.PROSE),
        ("---", UnitKind.PROSE),
        ("特点", UnitKind.HEADING),
        ("* 快", UnitKind.LINE),
    ]


def test_a_rule_under_a_paragraph_of_lines_is_no_heading() -> None:
    kinds = {unit.kind for unit in units_of("Ropes are tarred.\nSails are white.\n----\nMended.")}
    assert UnitKind.HEADING not in kinds
