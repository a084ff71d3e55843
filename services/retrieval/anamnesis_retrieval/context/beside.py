"""Lines of a text that belong to the lines which have the question's words.

These are the lines under a heading that is asked for; the lines that tell a rule, a reason or an
attempt where one is asked for; and in a tool's output the lines around hits, and nothing else.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from anamnesis_libs import chunking
from anamnesis_libs.talk.asking import tells
from anamnesis_libs.talk.sentences import Unit

HEAD_SHARE = 0.5
"""A heading with so much of the words of the line under it is itself what is asked for."""
ANSWERING_MAX = 1
"""So many units that tell what is asked, in its manner, come right after the needed ones."""
AROUND = (-1, 0, 1, 2)
"""The lines around a hit: more of what it says follows than goes before."""


def answering(
    units: Sequence[Unit], role: str, weights: Mapping[int, float], manners: Sequence[str]
) -> list[int]:
    """The units that have a word of the question and tell it in the manner that is asked for."""
    if role == chunking.DOCUMENT_ROLE:
        return []
    telling = [
        number
        for number, weight in weights.items()
        if weight > 0 and any(tells(manner, units[number].text) for manner in manners)
    ]
    return sorted(telling, key=lambda number: (-weights[number], number))[:ANSWERING_MAX]


def around(
    units: Sequence[Unit],
    order: Sequence[int],
    hits: Sequence[int],
    has: Mapping[int, float],
    near: AbstractSet[int],
) -> list[int]:
    """The lines of a tool's output to show: hits, lines around, nearest, and below headings."""
    wanted = {number + step for number in hits for step in AROUND}
    wanted.update(near, under(units, [*hits, *heads(units, hits, has)]))
    return [number for number in order if number in wanted]


def heads(units: Sequence[Unit], hits: Sequence[int], has: Mapping[int, float]) -> list[int]:
    """The lines that lead hits and hold most of their words: what is asked for is under them."""
    return [
        lead
        for number in hits
        for lead in units[number].leads
        if has.get(lead, 0.0) >= HEAD_SHARE * has[number] > 0
    ]


def under(units: Sequence[Unit], leads: Sequence[int]) -> list[int]:
    """Places of the units that the leading units introduce, in order: a list under its colon."""
    return [
        number for number, unit in enumerate(units) if any(lead in leads for lead in unit.leads)
    ]
