"""The picture: nothing overlaps, no sign is a box, and it is a page that can be read."""

import struct
from itertools import combinations
from pathlib import Path

import pytest

from anamnesis_cli.graphs import fonts, picture
from anamnesis_cli.graphs.branches import branches
from anamnesis_cli.graphs.canvas import Canvas, wrapped
from anamnesis_cli.graphs.fonts import fonts_for, numbered
from anamnesis_cli.graphs.layout import STYLE, PlacedBranch, Size, placed
from anamnesis_cli.graphs.neighbourhood import Neighbourhood, gathered
from tests.support.neighbours import CENTRE, NODES, NOW, fact, reached

pytest.importorskip("matplotlib")


def around(count: int = 0) -> Neighbourhood:
    more = [
        reached(fact(("Mara", "Tom")[each % 2], f"did_{each % 7}", f"a thing of number {each}"))
        for each in range(count)
    ]
    return gathered(CENTRE, [*NODES, *more], NOW)


def boxes(canvas: Canvas, one: PlacedBranch) -> list[tuple[float, float, float, float]]:
    """What a branch covers: its box and its labels; left, top, right, bottom."""
    width, height = one.size
    found = [(one.x - width / 2, one.y - height / 2, one.x + width / 2, one.y + height / 2)]
    for at in one.labels:
        size = canvas.measure(at.label.text, STYLE.label)
        end = at.x + size.width
        if at.label.when:
            end = at.times_x + canvas.measure(at.label.when, STYLE.times).width
        found.append((at.x, at.y - size.height * 0.8, end, at.y))
    return found


@pytest.mark.parametrize("count", [0, 10, 40])
def test_nothing_overlaps(count: int) -> None:
    found = around(count)
    canvas = Canvas(fonts_for([thing.name for thing in found.things.values()]))
    drawn = branches(found, 60, 10)
    rows = placed(drawn.branches, Size(1.5, 0.6), canvas.measure, lambda name: wrapped(name, 30, 2))
    assert len(rows) >= 5 + count / 2
    covered = [(-0.75, -0.3, 0.75, 0.3), *(box for one in rows for box in boxes(canvas, one))]
    for one, other in combinations(covered, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)


def test_both_sides_are_about_as_high() -> None:
    found = around(30)
    canvas = Canvas(fonts_for([thing.name for thing in found.things.values()]))
    rows = placed(branches(found, 60, 10).branches, Size(1, 1), canvas.measure, lambda name: [name])
    right = [one.y for one in rows if one.x > 0]
    left = [one.y for one in rows if one.x < 0]
    tallest = max(max(right) - min(right), max(left) - min(left))
    assert abs((max(right) - min(right)) - (max(left) - min(left))) < 0.25 * tallest


@pytest.mark.slow
def test_a_page_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "mara.png"
    assert picture.draw(around(10), file) == []
    assert _size(file)[0] > _size(file)[1] > 600


def test_chinese_names_are_set_in_a_font_that_has_them() -> None:
    pytest.importorskip("manimgx_fonts_cjk")
    found = fonts_for(["Mara", "林悦 и Ωμέγα 花生"])
    assert found.missing == frozenset()
    assert found.families[0] == fonts.USUAL
    assert len(found.families) == 2
    assert found.needs_other("花生")
    assert not found.needs_other("Mara à Ωμέγα")


def test_what_no_font_has_is_numbered_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "_others", lambda _: [])
    told = picture.draw(around(), tmp_path / "mara.png")
    assert told[0] == "in the picture [1] stands for 花生"
    assert "anamnesis-suite[pictures]" in told[1]


def test_each_run_of_missing_signs_has_one_number() -> None:
    shown = numbered(["林悦 and 花生", "花生", "Tom"], frozenset("林悦花生"))
    assert shown == {"林悦 and 花生": "[1] and [2]", "花生": "[2]"}


def test_markup_of_formulas_is_text(tmp_path: Path) -> None:
    odd = gathered(CENTRE, [reached(fact("Mara", "owes", r"$5 \frac{ and $6"))], NOW)
    assert picture.draw(odd, tmp_path / "odd.png") == []


def test_a_long_name_is_cut_and_says_so() -> None:
    assert wrapped("tea over coffee, and never after four", 18, 2) == [
        "tea over coffee,",
        "and never after …",
    ]
    assert wrapped("一二三四五六七八九十", 8, 3) == ["一二三四", "五六七八", "九十"]


def _size(file: Path) -> tuple[int, int]:
    """Width and height as the PNG's header says."""
    width, height = struct.unpack(">II", file.read_bytes()[16:24])
    return width, height
