"""Passages of a document's page: what their lines are worth, and the path that names them.

Of several passages the best lines are shown, wherever they stand: a line is worth its cosine, the
question's words that it has, and the score of its passage. A passage is named by its document and
headings, and a heading that the entry before it has named is not named again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from anamnesis_libs.talk.asking import asks_for_amount, asks_for_command, tells_amount
from anamnesis_libs.talk.sentences import Unit, UnitKind
from anamnesis_retrieval.context.asked import PromptReading

SEPARATOR = " › "
"""Stands between the document and the headings in the name of a passage."""
WORDS_SHARE = 0.39
"""The worth of all the question's words beside a cosine of one,"""
AMOUNT_WORTH, CODE_WORTH = 0.19, 0.09
"""of an amount where one is asked for, of code where a command is,"""
SCORE_SHARE = 0.03
"""and of a point of the passage's score; fitted on questions to other projects' pages."""

INTRODUCED_SHARE = 0.6
"""Of the cosine by which an introduction is nearer than the line under it."""
CODE_LINES_MAX = 8
"""A longer piece of code is shown by its lines."""

_LINK = re.compile(
    r"(`[^`\n]{1,300}`)"
    r"|!?\[([^\[\]\n]{1,300})\]\((?![a-z]{2,10}:)[^()\s]{1,300}\)"
    r"|(?<![\w\])])\[([^\[\]\n]{1,300})\]\[[^\[\]\n]{0,300}\]"
)
"""A link, or code in a line, in which brackets are no link."""


class Line(NamedTuple):
    """A unit of one of several passages, both by number."""

    passage: int
    unit: int


def without_links(units: Sequence[Unit]) -> list[Unit]:
    """The units without the places in the same site, or named below, to which links lead.

    Code has none.
    """
    return [
        unit
        if _fence(units, number) is not None
        else replace(unit, text=_LINK.sub(r"\1\2\3", unit.text))
        for number, unit in enumerate(units)
    ]


def worths_of(
    units: Sequence[Unit],
    weights: Mapping[int, float],
    cosines: Sequence[float],
    asked: PromptReading,
) -> dict[int, float]:
    """The worth of each unit that says something, by its number; `weights` are of its words.

    A line that only leads others comes with them. The lines of a short piece of code are worth
    what the best of them is: a part of a command is no answer.
    """
    whole = sum(asked.terms.values()) or 1.0
    leading = {lead for number in weights for lead in units[number].leads}
    worths = {
        number: _introduced(units, number, cosines) + WORDS_SHARE * weight / whole
        for number, weight in weights.items()
        if number not in leading
    }
    for number in worths if asks_for_amount(asked.query) else ():
        worths[number] += AMOUNT_WORTH * tells_amount(units[number].text)
    for number in worths if asks_for_command(asked.query) else ():
        worths[number] += CODE_WORTH * (_fence(units, number) is not None)
    return _together(units, worths)


def _introduced(units: Sequence[Unit], number: int, cosines: Sequence[float]) -> float:
    """The cosine of a unit, more where the sentence that introduces it is nearer."""
    leads = [lead for lead in units[number].leads if units[lead].kind is UnitKind.PROSE]
    nearest = max((cosines[lead] for lead in leads), default=0.0)
    return cosines[number] + INTRODUCED_SHARE * max(0.0, nearest - cosines[number])


def _together(units: Sequence[Unit], worths: Mapping[int, float]) -> dict[int, float]:
    """The worths, with those of each short piece of code as high as its best line's."""
    pieces: dict[int, list[int]] = {}
    for number in worths:
        if (fence := _fence(units, number)) is not None:
            pieces.setdefault(fence, []).append(number)
    shared = dict(worths)
    for lines in pieces.values():
        if len(lines) <= CODE_LINES_MAX:
            shared |= dict.fromkeys(lines, max(worths[line] for line in lines))
    return shared


def _fence(units: Sequence[Unit], number: int) -> int | None:
    """The number of the fence that leads a line of code; None for any other unit."""
    marks = (lead for lead in units[number].leads if units[lead].kind is UnitKind.MARK)
    return next(marks, None)


def best_lines(worths: Sequence[Mapping[int, float]], scores: Sequence[float]) -> list[Line]:
    """The units of several passages, the best first; each counts what its passage scored, too."""
    lines = [
        (-worth - SCORE_SHARE * score, place, number)
        for place, (own, score) in enumerate(zip(worths, scores, strict=True))
        for number, worth in own.items()
    ]
    return [Line(place, number) for _, place, number in sorted(lines)]


def path_after(name: str, before: str) -> str:
    """The part of a passage's name that the one before it has not said; "" where it is the same."""
    said, parts = before.split(SEPARATOR), name.split(SEPARATOR)
    shared = 0
    while shared < min(len(said), len(parts)) and said[shared] == parts[shared]:
        shared += 1
    if not shared or not before:
        return name
    rest = SEPARATOR.join(parts[shared:])
    return f"{SEPARATOR.lstrip()}{rest}" if rest else ""
