"""Tests of parts of prose, code, lists and tables that are too long for one event."""

import re

import pytest

from anamnesis_ingestion.intake.texts.passages import EVENT_CHARS_MAX, passages_of
from anamnesis_ingestion.intake.texts.splitting import SENTENCE_CHARS_MAX


def contents(text: str) -> list[str]:
    return [passage.content for passage in passages_of(text)]


def test_a_long_paragraph_is_parted_at_sentences_and_loses_nothing() -> None:
    body = "".join(f"Sentence number {n} tells of the garden. " for n in range(300))
    parts = contents(body)
    assert len(parts) > 5
    assert max(map(len, parts)) <= EVENT_CHARS_MAX
    assert " ".join(parts) == body.strip()
    chinese = "蜜蜂很安静。" * 1000
    assert "".join(contents(chinese)) == chinese


def test_one_endless_sentence_is_parted_where_it_is_too_long_for_an_event() -> None:
    body = "x" * 3_000_000
    parts = contents(body)
    assert "".join(parts) == body
    assert max(len(part.encode()) for part in parts) <= 1_048_576 / 4


def test_a_sentence_that_is_too_long_is_parted_at_its_lines() -> None:
    lines = [f"{n};a value;another" for n in range(300)]
    parts = contents("\n".join(lines))
    assert "\n".join(parts).split("\n") == lines
    assert max(map(len, parts)) <= EVENT_CHARS_MAX


@pytest.mark.parametrize("whole", ["jo@mail.example.net", "203.0.113.77", "eyJhbGci.eyJzdWIi.c2ln"])
def test_what_has_dots_inside_is_never_parted(whole: str) -> None:
    text = " ".join([whole] * (3 * EVENT_CHARS_MAX // len(whole))) + "。" + f"{whole}。" * 200
    pieces = contents(text)
    assert len(pieces) > 1
    assert all(word == whole for piece in pieces for word in re.split("[ 。]", piece) if word)


def test_code_that_fits_is_whole_and_code_that_does_not_has_its_fences_in_each_part() -> None:
    lines = [f"call({n})  # a line of code" if n % 7 else "" for n in range(200)]
    assert contents("\n".join(["~~~py", *lines[:9], "~~~"])) == [
        "\n".join(["~~~py", *lines[:9], "~~~"])
    ]
    parts = contents("\n".join(["```py", *lines, "# not a heading", "```"]))
    assert len(parts) > 2
    assert all(part.startswith("```py\n") and part.endswith("\n```") for part in parts)
    held = [line for part in parts for line in part.split("\n")[1:-1] if line]
    assert held == [*filter(None, lines), "# not a heading"]
    assert max(map(len, parts)) <= EVENT_CHARS_MAX


def test_code_that_nothing_closes_is_all_that_is_left() -> None:
    body = "Run it.\n\n```sh\nmake\n\n# really\nmake test"
    assert contents(body) == ["Run it.", "```sh\nmake\n\n# really\nmake test"]
    *before, last = contents("\n".join(["```sh", *["make all of it"] * 300]))
    assert all(part.endswith("\n```") for part in before)
    assert last.startswith("```sh\n")
    assert not last.endswith("```")


def test_a_tilde_line_under_a_title_as_long_opens_no_code() -> None:
    assert contents("Figs\n~~~~\n\nRipe.\n\nBees\n~~~~\n\nQuiet.") == [
        "Figs\n~~~~\nRipe.",
        "Bees\n~~~~\nQuiet.",
    ]


@pytest.mark.parametrize(
    "header",
    [["| a | b |", "|:--|--:|"], ["a | b", "--|--"], ["+---+---+", "| a | b |", "+---+---+"]],
)
def test_each_part_of_a_table_has_its_header(header: list[str]) -> None:
    rows = [f"| {n} | the value of {n} |" for n in range(200)]
    parts = contents("\n".join([*header, *rows]))
    assert len(parts) > 2
    assert all(part.split("\n")[: len(header)] == header for part in parts)
    assert [row for part in parts for row in part.split("\n")[len(header) :]] == rows


def test_a_header_that_is_most_of_a_part_is_not_said_again() -> None:
    header = ["| " + "h" * 1500 + " |", "|---|"]
    rows = [f"| {n} |" for n in range(400)]
    parts = contents("\n".join([*header, *rows]))
    assert "\n".join(parts).split("\n") == [*header, *rows]


def test_a_list_is_whole_while_it_fits_and_parted_at_its_items() -> None:
    loose = "- figs\n\n  ripe in July\n\n- bees\n  ```\n  hum\n\n  hum\n  ```\n- a\n  - b"
    assert contents(f"{loose}\n\nThat is all.") == [loose, "That is all."]
    items = [f"{n}. The item {n}\n   - has more to say" for n in range(1, 100)]
    parts = contents("\n".join(items))
    assert len(parts) > 1
    assert all(re.match(r"\d+\. ", part) for part in parts)
    assert "\n".join(parts) == "\n".join(items)


def test_code_may_begin_behind_the_marker_of_an_item() -> None:
    list_ = "- ```sh\n  make\n\n  # all\n  ```\n- next"
    assert contents(f"{list_}\n\n# Head\n\nIt rains.") == [list_, "# Head\nIt rains."]


def test_a_line_that_is_too_long_is_no_heading() -> None:
    for line in (f"# {'x' * 3_000_000}", f"{'x' * 3_000_000}\n==="):
        assert max(map(len, contents(line))) <= SENTENCE_CHARS_MAX


def test_an_item_that_is_too_long_is_parted_within() -> None:
    code = "\n".join(["  ```", *["  make all of it"] * 200, "  ```"])
    nested = "\n".join(f"  - the nested item {n}" for n in range(200))
    parts = contents(f"- Run:\n{code}\n- Then:\n{nested}\n- Done")
    assert max(map(len, parts)) <= EVENT_CHARS_MAX
    assert sum(part.count("make all of it") for part in parts) == 200
    assert sum(part.count("the nested item") for part in parts) == 200
    assert all(part.count("```") % 2 == 0 for part in parts)


def test_a_row_or_a_line_without_end_is_parted_as_a_sentence_is() -> None:
    row = "| " + "x" * (SENTENCE_CHARS_MAX + 10) + " |"
    code = "y" * (SENTENCE_CHARS_MAX + 10)
    found = contents(f"| a |\n|---|\n{row}\n\n```\n{code}\n```\n\n- {row}\n")
    assert max(map(len, found)) <= SENTENCE_CHARS_MAX + EVENT_CHARS_MAX
    assert sum(part.count("x") for part in found) == 2 * (SENTENCE_CHARS_MAX + 10)
    assert sum(part.count("y") for part in found) == SENTENCE_CHARS_MAX + 10
