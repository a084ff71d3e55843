"""Matching of entities: whether two are one, for which reason, and which known one is meant.

The rows are tried in this order, and the first that applies decides:

| reason | verdict |
|---|---|
| `OTHER_KIND` | different: the kinds differ, whatever the names |
| `SAME_NAME` | same: the folded names are one |
| `ALIAS` | same: the name of one was given as an alias of the other |
| `BESIDE` | same: they differ in a title, a form of company, 市, a country |
| `SLIP` | same: they differ by a slip of the pen in a long word |
| `OTHER_NUMBER` | different: in a number, or a letter that stands alone (an initial, Gate 3B) |
| `OTHER_BESIDE` | different: in the title behind a surname, the country, 省 and 市 |
| `OTHER_NAME` | different: all else, short forms that nobody gave as an alias included |

Two that share an alias are two: an alias says so only of the *name* of the other side.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from anamnesis_memory.domain.entities.folding import COUNTING, fold
from anamnesis_memory.domain.entities.forms import core
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.slips import slip

_NUMBER = re.compile(rf"[\d{COUNTING}]")
_NUMERALS = frozenset("零一二三四五六七八九十百千万两甲乙丙丁戊己庚辛壬癸")
_ROMAN = frozenset({"ii", "iii", "iv", "vi", "vii", "viii", "ix", "xi", "xii"})


class MatchReason(StrEnum):
    """The reasons why two entities are one, or are not; the table above says what each means."""

    OTHER_KIND = "other_kind"
    SAME_NAME = "same_name"
    ALIAS = "alias"
    BESIDE = "beside"
    SLIP = "slip"
    OTHER_NUMBER = "other_number"
    OTHER_BESIDE = "other_beside"
    OTHER_NAME = "other_name"


RANK = (MatchReason.SAME_NAME, MatchReason.ALIAS, MatchReason.BESIDE, MatchReason.SLIP)
"""The reasons to be one, the strongest first."""


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as it is known, or as it comes out of a text."""

    name: str
    kind: EntityKind
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchVerdict:
    """The verdict whether two entities are one, and its reason."""

    reason: MatchReason

    @property
    def same(self) -> bool:
        """True if the two entities are one."""
        return self.reason in RANK


@dataclass(frozen=True, slots=True)
class Resolution:
    """The known entity that a new one is.

    Args:
        place: its place among the known; None: it is a new one.
        reason: why it is that one, or would be one of several; None if it is none of them.
        ambiguous: several are equally it, so that none is: better a new entity than a wrong one.
    """

    place: int | None
    reason: MatchReason | None
    ambiguous: bool = False


def match(one: Entity, other: Entity) -> MatchVerdict:
    """The verdict on two entities of one namespace; which is which does not matter."""
    if one.kind is not other.kind:
        return MatchVerdict(MatchReason.OTHER_KIND)
    name, names = fold(one.name), fold(other.name)
    if not name.text or not names.text:
        return MatchVerdict(MatchReason.OTHER_NAME)
    if name.same(names):
        return MatchVerdict(MatchReason.SAME_NAME)
    if _is_alias(one, other) or _is_alias(other, one):
        return MatchVerdict(MatchReason.ALIAS)
    return MatchVerdict(_apart_from_words(one, other))


def resolve(entity: Entity, known: Sequence[Entity]) -> Resolution:
    """Return the known entity that has the strongest reason alone; none if several share it."""
    reasons = [match(entity, each).reason for each in known]
    for reason in RANK:
        places = [place for place, each in enumerate(reasons) if each is reason]
        if len(places) == 1:
            return Resolution(places[0], reason)
        if places:
            return Resolution(None, reason, ambiguous=True)
    return Resolution(None, None)


def _is_alias(one: Entity, other: Entity) -> bool:
    """True if the name of `one` was given as an alias of `other`."""
    name = fold(one.name)
    return any(name.same(fold(alias)) for alias in other.aliases)


def _apart_from_words(one: Entity, other: Entity) -> MatchReason:
    """The verdict on two that have other names, apart from what stands beside these."""
    left, right = core(one.name, one.kind), core(other.name, other.kind)
    if left.same(right):
        return MatchReason.BESIDE
    if _counting(left.name.tokens) != _counting(right.name.tokens):
        return MatchReason.OTHER_NUMBER
    if left.name.same(right.name):
        return MatchReason.OTHER_BESIDE
    if slip(left.name, right.name, one.kind) and left.mark == right.mark:
        return MatchReason.SLIP
    return MatchReason.OTHER_NAME


def _counting(tokens: Sequence[str]) -> list[str]:
    """The tokens that are never a slip: numbers, numerals, letters and signs that stand alone."""
    alone = [each for each in tokens if len(each) == 1 or each in _ROMAN or _NUMBER.search(each)]
    numerals = [sign for token in tokens for sign in token if sign in _NUMERALS]
    return alone + numerals
