"""Excerpts of memories: whole sentences and lines, with those that made the memory a hit.

A short text is shown whole, less what says nothing ("Got it.", "Let me check the tests"). Of a long
one the best units are shown: first those that hold the question's words, each word once; then what
stands next to them, since the sentence after the one that matched often names the answer. Of a text
with none of the words, the piece whose vector is nearest. Gaps are marked with an ellipsis.
"""

import heapq
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from anamnesis_libs import chunking
from anamnesis_libs.index.analysis import found_by as terms_of
from anamnesis_libs.talk.filler import is_announcement, is_marker, is_thanks, says_nothing
from anamnesis_libs.talk.sentences import Unit, UnitKind, lines_of, units_of
from anamnesis_libs.tokens import ELLIPSIS
from anamnesis_retrieval.context.asked import PromptReading
from anamnesis_retrieval.context.beside import answering, around, heads, under
from anamnesis_retrieval.context.pages import without_links, worths_of
from anamnesis_retrieval.model import Candidate, Remembered

READ_CHARS_MAX = 100_000
"""Of a longer text its beginning is read."""
NEEDED_SHARE = 0.8
"""Of the question's words that a text has, by weight, so many are never cut away."""
NEAR_SHARE = 1.5
"""By so much more a word counts in the piece whose vector is nearest."""
_WORD = re.compile(r"\w")
_GUTTER = re.compile(r"\s{0,12}\d{1,7}[→\t|:]")
"""The number that a tool prints before a line of a file."""

ENDING_LINES = 4
"""Of what a tool printed without a word of the question the end is shown: how it went."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The units of a memory that say something, and what each is worth to the question.

    `order` has the numbers of the units in the order in which they are wanted; the first `needed`
    of them hold the words by which the memory was found.
    """

    units: Sequence[Unit]
    costs: Sequence[int]
    order: Sequence[int]
    needed: int
    worths: Mapping[int, float] = field(default_factory=dict)
    """Of a page's passage the worth of each unit that says something: see `pages.py`."""

    @property
    def cost(self) -> int:
        """Tokens of all units of the excerpt, about."""
        return sum(self.costs)


def told(
    memory: Remembered,
    candidate: Candidate,
    asked: PromptReading,
    names: frozenset[str],
    count: Count,
    *,
    by_parts: bool = False,
) -> Excerpt | None:
    """The excerpt of a memory; None if the memory says nothing.

    `by_parts` is true where a part says something without the rest: a rule, what was said last.
    """
    text = memory.content[:READ_CHARS_MAX]
    if is_marker(text):
        return None
    printed, paged = memory.role == "tool", memory.role == chunking.DOCUMENT_ROLE
    units = _units(text, memory)
    near = frozenset[int]() if paged else _near(text, memory.role, units, candidate)
    cosines = _cosines(units, candidate) if paged else []
    if paged:
        units = without_links(units)
    kept = _telling(units, memory, names, asked.terms, attempts="attempt" in asked.manners)
    if not kept or (memory.role == "assistant" and _only_announced(units, kept, asked.terms)):
        return None
    has = _terms(units, kept, asked.terms)
    weights = {number: _worth(found, asked.terms) for number, found in has.items()}
    costs = [count(f" {unit.text}") for unit in units]
    if paged:
        named = set(terms_of(memory.speaker)) & asked.terms.keys()
        worths = worths_of(units, has, cosines, named, asked)
        order = sorted(worths, key=lambda number: (-worths[number], number))
        return Excerpt(units, costs, order, 0, worths)
    covering, needed = _covering(has, asked.terms, near, NEEDED_SHARE)
    manner = answering(units, memory.role, weights, asked.manners)
    ending = kept[-ENDING_LINES:] if printed and not covering else []
    hits = [*ending, *covering]
    order = _order(kept, hits, needed or len(ending), manner, weights, near, units)
    if printed:
        order = around(units, order, [*hits, *manner], weights, near)
    if not (hits or near or by_parts):
        needed = _half(order, costs)
    return Excerpt(units, costs, order, max(1, needed))


def _half(order: Sequence[int], costs: Sequence[int]) -> int:
    """Units that are half of a text which was found as a whole: its opening alone says little."""
    spent = list(accumulate(costs[number] for number in order))
    return 1 + bisect_left(spent, spent[-1] / 2)


def fitted(told: Excerpt, tokens_max: int, having: Sequence[int] = ()) -> tuple[int, ...]:
    """The numbers of the units to show in so many tokens; empty if what is needed is too much.

    Those in `having` are shown whatever else is.
    """
    chosen = set(having)
    spent = sum(told.costs[number] for number in chosen)
    for place, number in enumerate(told.order):
        more = [one for one in (*told.units[number].leads, number) if one not in chosen]
        cost = sum(told.costs[one] for one in more)
        if spent + cost > tokens_max:
            if place < told.needed:
                return ()
            continue
        chosen.update(more)
        spent += cost
    return tuple(sorted(chosen))


def shown(told: Excerpt, numbers: Sequence[int]) -> str:
    """The text of some units: sentences in a row, lists and tables by lines, gaps marked."""
    lines: list[str] = []
    telling = frozenset(told.order)
    last = -1
    for number in numbers:
        unit = told.units[number]
        gap = f"{ELLIPSIS} " if _skipped(telling, last, number) else ""
        if unit.kind is UnitKind.PROSE and lines and told.units[last].kind is UnitKind.PROSE:
            lines[-1] = f"{lines[-1]} {gap}{unit.text}"
        else:
            lines.append(f"{gap}{unit.text}")
        last = number
    if lines and _skipped(telling, last, len(told.units)):
        lines[-1] = f"{lines[-1]} {ELLIPSIS}"
    return "\n".join(lines)


def _units(text: str, memory: Remembered) -> list[Unit]:
    """The units of a text: what a tool printed, and what was learned of a task, by its lines."""
    if memory.role == "tool" or memory.learned is not None:
        return lines_of(text)
    if memory.role == chunking.DOCUMENT_ROLE:
        return chunking.units_of_passage(text)
    return units_of(text)


def _skipped(telling: frozenset[int], last: int, number: int) -> bool:
    """True where something that says something lies between two shown units."""
    return any(between in telling for between in range(last + 1, number))


def _telling(
    units: Sequence[Unit],
    memory: Remembered,
    names: frozenset[str],
    terms: Mapping[str, float],
    *,
    attempts: bool,
) -> list[int]:
    """The numbers of the units that say something.

    Where `attempts` are asked for, so does what is announced upon a finding.
    """
    kept = []
    printed = memory.role == "tool"
    for number, unit in enumerate(units):
        if not _WORD.search(_GUTTER.sub("", unit.text, count=1) if printed else unit.text):
            continue
        if unit.kind is UnitKind.HEADING and memory.role == "file":
            continue
        if unit.kind is UnitKind.PROSE and (says_nothing(unit.text, names) or is_thanks(unit.text)):
            continue
        if (
            unit.kind is UnitKind.PROSE
            and memory.role == "assistant"
            and not (attempts and number - 1 in kept)
            and _announces(units, number, terms)
        ):
            continue
        if unit.kind is not UnitKind.MARK:
            kept.append(number)
    return kept if any(units[number].kind is not UnitKind.HEADING for number in kept) else []


def _announces(units: Sequence[Unit], number: int, terms: Mapping[str, float]) -> bool:
    """True for a sentence that only says what comes next.

    So does a last one with a colon, unless the question's words are in it.
    """
    text = units[number].text
    if is_announcement(text):
        return True
    leads_nowhere = number == len(units) - 1 and text.endswith((":", "："))
    return leads_nowhere and not _has_any(units, (number,), terms)


def _only_announced(units: Sequence[Unit], kept: Sequence[int], terms: Mapping[str, float]) -> bool:
    """True where the question's words stand in what is left out, and in nothing that is kept."""
    left = [number for number in range(len(units)) if number not in kept]
    return _has_any(units, left, terms) and not _has_any(units, kept, terms)


def _has_any(units: Sequence[Unit], numbers: Iterable[int], terms: Mapping[str, float]) -> bool:
    return any(term in terms for number in numbers for term in terms_of(units[number].text))


def _terms(
    units: Sequence[Unit], kept: Sequence[int], terms: Mapping[str, float]
) -> dict[int, set[str]]:
    """The question's terms that each unit has, by itself or by what it is shown with."""
    own = {number: set(terms_of(units[number].text)) & terms.keys() for number in kept}
    return {
        number: own[number].union(*(own.get(lead, ()) for lead in units[number].leads))
        for number in kept
    }


def _covering(
    has: Mapping[int, AbstractSet[str]],
    terms: Mapping[str, float],
    near: AbstractSet[int],
    share_needed: float,
) -> tuple[list[int], int]:
    """The fewest units, greedily, that have all of the question's terms that the text has.

    `has` are the terms of each unit; those `near` count for more. Returns the units, and how many
    of the first of them hold `share_needed` of those terms by weight.
    """
    missing = set[str]().union(*has.values())
    spared = (1 - share_needed) * _worth(missing, terms)
    covering: list[int] = []
    needed = 0
    # A unit is never worth more than when it was last looked at, so few are looked at again.
    share = {number: NEAR_SHARE if number in near else 1.0 for number in has}
    waiting = [
        (-share[number] * _worth(found, terms), number) for number, found in has.items() if found
    ]
    heapq.heapify(waiting)
    while missing:
        held, best = heapq.heappop(waiting)
        adds = has[best] & missing
        if (now := -share[best] * _worth(adds, terms)) > held and adds:
            heapq.heappush(waiting, (now, best))
        elif adds:
            needed += _worth(missing, terms) > spared
            covering.append(best)
            missing -= adds
    return covering, needed


def _worth(found: Iterable[str], terms: Mapping[str, float]) -> float:
    return sum(terms[term] for term in found)


def _near(text: str, role: str, units: Sequence[Unit], candidate: Candidate) -> frozenset[int]:
    """The units inside the piece whose vector is nearest to the question's."""
    split = chunking.split(text, role) if candidate.cosine > 0 and len(units) > 1 else ()
    if len(split) < 2 or candidate.nearest_piece >= len(split):
        return frozenset()
    held = _pieces_of(split, units)
    return frozenset(number for number, own in enumerate(held) if candidate.nearest_piece in own)


def _cosines(units: Sequence[Unit], candidate: Candidate) -> list[float]:
    """The best cosine of the pieces that each unit of a passage is in."""
    told_of = candidate.piece_cosines
    split = chunking.pieces_of_passage(units) if told_of else ()
    if not split or len(split) != len(told_of):
        return [candidate.cosine] * len(units)
    return [max(told_of[own.start : own.stop]) for own in _pieces_of(split, units)]


def _pieces_of(split: Sequence[str], units: Sequence[Unit]) -> list[range]:
    """The numbers of the pieces that each unit is in; at least one."""
    pieces = list(accumulate(map(_letters, split)))
    ends = accumulate(_letters(unit.text) for unit in units)
    held = []
    for start, end in pairwise((0, *ends)):
        first = min(bisect_right(pieces, start), len(pieces) - 1)
        held.append(range(first, max(first, min(bisect_left(pieces, end), len(pieces) - 1)) + 1))
    return held


def _letters(text: str) -> int:
    """The length of a text without its white space, which pieces and units each cut anew."""
    return sum(map(len, text.split()))


def _order(
    kept: Sequence[int],
    covering: Sequence[int],
    needed: int,
    manner: Sequence[int],
    has: Mapping[int, float],
    near: AbstractSet[int],
    units: Sequence[Unit],
) -> list[int]:
    """Units in the order in which they are wanted; `has` are their weights."""
    telling = set(kept)
    first = list(covering[:needed]) or [min(near & telling, default=kept[0])]
    below = under(units, [*first, *heads(units, first, has)])
    after = [number + 1 for number in first]
    before = [number - 1 for number in first]
    by_weight = sorted(kept, key=lambda number: (-has[number], number))
    wanted = dict.fromkeys(
        (*first, *manner, *below, *sorted(near), *after, *before, *covering, *by_weight)
    )
    return [number for number in wanted if number in telling]
