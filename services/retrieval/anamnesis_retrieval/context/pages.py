"""Passages of a document's page: what their lines are worth, and how they are named.

Of several passages the best lines are shown, wherever they stand: a line is worth its cosine, the
question's words that it or its headings have, and the score of its passage. A passage is named by
its document and its last heading, and a document that the entry before it has named is not named
again.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from anamnesis_libs.talk.asking import asks_for_amount, asks_for_command, tells_amount
from anamnesis_libs.talk.sentences import Unit, UnitKind
from anamnesis_retrieval.context.asked import PromptReading

SEPARATOR = " › "
"""Stands between the document and the headings in the name of a passage."""
WORDS_SHARE = 0.65
"""The worth of all the question's words beside a cosine of one,"""
NAMED_SHARE = 0.5
"""of those that the headings have, and the line has not,"""
AMOUNT_WORTH, CODE_WORTH = 0.27, 0.4
"""of an amount where one is asked for, of code where a command is,"""
SCORE_SHARE = 0.025
"""and of a point of the passage's score; fitted on questions to two sets of pages."""

FOLLOWING_SHARE = 0.6
"""Of what the sentence before is worth more: what follows it often says the rest."""
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
    has: Mapping[int, AbstractSet[str]],
    cosines: Sequence[float],
    named: AbstractSet[str],
    asked: PromptReading,
) -> dict[int, float]:
    """The worth of each unit that says something, by its number.

    `has` are the question's terms that it has, `named` those of its passage's name. A line that
    only leads others comes with them. The lines of a short piece of code are worth what the best of
    them is: a part of a command is no answer.
    """
    leading = {lead for number in has for lead in units[number].leads}
    worths = {
        number: cosines[number]
        + WORDS_SHARE * asked.share_of(terms)
        + NAMED_SHARE * asked.share_of(named - terms)
        for number, terms in has.items()
        if number not in leading
    }
    for number in worths if asks_for_amount(asked.query) else ():
        worths[number] += AMOUNT_WORTH * tells_amount(units[number].text)
    for number in worths if asks_for_command(asked.query) else ():
        worths[number] += CODE_WORTH * (_fence(units, number) is not None)
    return _together(units, _continued(units, worths))


def _continued(units: Sequence[Unit], worths: Mapping[int, float]) -> dict[int, float]:
    """The worths, more for a sentence behind a better one, and for what two better ones enclose."""
    numbers = sorted(worths)
    continued = dict(worths)
    for before, number in pairwise(numbers):
        if units[before].kind is units[number].kind is UnitKind.PROSE:
            more = FOLLOWING_SHARE * (worths[before] - worths[number])
            continued[number] += max(0.0, more)
    for before, number, after in zip(numbers, numbers[1:], numbers[2:], strict=False):
        continued[number] = max(continued[number], min(worths[before], worths[after]))
    return continued


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
    """The passage's document and last heading, as far as the one before it has not said them."""
    document, *headings = name.split(SEPARATOR)
    last = f"{SEPARATOR.lstrip()}{headings[-1]}" if headings else ""
    if not before or before.split(SEPARATOR)[0] != document:
        return f"{document} {last}".rstrip()
    return "" if before == name else last
