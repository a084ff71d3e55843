"""Passages of a document's page: the lines that go with a hit, and the path that names it.

A line is shown with the code right under it, a row of a small table or an item of a short list with
the others. A passage is named by its document and headings, and a heading that the entry before it
has named is not named again.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from anamnesis_libs.talk.sentences import Unit, UnitKind

SEPARATOR = " › "
"""Stands between the document and the headings in the name of a passage."""
BESIDE_MAX = 8
"""So many rows or items belong together: of a longer table or list each stands for itself."""

_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\((?![a-z]{2,10}:)[^()\s]{1,300}\)")


def without_links(text: str) -> str:
    """The text without the places in the same site to which its links lead."""
    return _LINK.sub(r"\1", text)


def code_under(units: Sequence[Unit], hits: Sequence[int]) -> list[int]:
    """The lines of code that begin right after a hit."""
    return [number for hit in hits for number in _code_at(units, hit + 1)]


def _code_at(units: Sequence[Unit], fence: int) -> Iterator[int]:
    if fence >= len(units) or units[fence].kind is not UnitKind.MARK:
        return
    for number in range(fence + 1, len(units)):
        if fence not in units[number].leads:
            return
        yield number


def beside(units: Sequence[Unit], hits: Sequence[int]) -> list[int]:
    """The other rows or items of the small tables and short lists in which hits are."""
    found: list[int] = []
    for hit in hits:
        lead = units[hit].leads[-1:]
        if not lead or units[hit].kind is not UnitKind.LINE:
            continue
        others = [number for number, unit in enumerate(units) if unit.leads[-1:] == lead]
        if len(others) <= BESIDE_MAX:
            found += sorted(others, key=partial(_distance, hit))
    return found


def _distance(hit: int, number: int) -> int:
    return abs(number - hit)


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
