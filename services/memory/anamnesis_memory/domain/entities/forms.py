"""Names apart from what stands beside them: titles, forms of companies, 市 and 省, the country.

A core is what is left, with what two names must besides agree on if both have it (`mark`):

    "Prof. Ulrich Stemme"  ->  ulrich stemme       "西湖区"      ->  西湖区 (a lake, else)
    "Dr. Lee"              ->  lee, mark dr        "四川省"      ->  四川, mark 省
    "Eisvogel GmbH"        ->  eisvogel            "吉林市"      ->  吉林, mark 市

Behind a bare surname the title tells who is meant, so it has to be the same; behind a full name it
says nothing. A core is never empty, and never a single letter or character.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from anamnesis_memory.domain.entities.folding import (
    HAN,
    REMEMBERED_MAX,
    Folded,
    fold,
    is_han,
    of_tokens,
)
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.words import (
    COMPANY_FORMS,
    COMPOUND_SURNAMES,
    COUNTRIES,
    DEGREES,
    DOTTED_FORMS,
    FAMILIAR,
    HAN_COMPANY_FORMS,
    HAN_TITLES,
    LAND_SIGNS,
    LANDMARKS,
    TITLES,
)

FULL_WORDS_MIN = 2
CORE_SIGNS_MIN = 2

_PEOPLES = r"(?:\w{1,4}族)*(?:维吾尔)?"
_PLACE = re.compile(
    rf"(?P<core>[{HAN}]{{2,}}?)(?:{_PEOPLES}(?P<own>自治区|自治州|自治县)|(?P<plain>特别行政区|[市省区州]))"
)


class Agreement(StrEnum):
    """The agreement that two names with one core need between their marks."""

    ANY = "any"
    """They say nothing."""
    EITHER = "either"
    """One may have none; two are the same."""
    EQUAL = "equal"
    """They are the same."""


@dataclass(frozen=True, slots=True)
class Core:
    """The core of a name, and the mark that stood beside it."""

    name: Folded
    mark: str = ""
    agreement: Agreement = Agreement.ANY

    def same(self, other: "Core") -> bool:
        """True if both names mean one thing."""
        return self.name.same(other.name) and self._agrees(other)

    def _agrees(self, other: "Core") -> bool:
        if self.mark == other.mark:
            return True
        rules = {self.agreement, other.agreement}
        if Agreement.EQUAL in rules:
            return False
        return Agreement.EITHER not in rules or not (self.mark and other.mark)


@lru_cache(maxsize=REMEMBERED_MAX)
def core(name: str, kind: EntityKind) -> Core:
    """The core of a name of this kind."""
    return _BY_KIND.get(kind, _thing)(name)


def _thing(name: str) -> Core:
    return Core(fold(name))


def _event(name: str) -> Core:
    return Core(of_tokens(_without_article(fold(name).tokens)))


def _person(name: str) -> Core:
    tokens, titles = list(fold(name).tokens), []
    if not tokens:
        return _thing(name)
    while len(tokens) > 1 and tokens[0] in TITLES:
        titles.append(TITLES[tokens.pop(0)])
    while len(tokens) > 1 and tokens[-1] in DEGREES:
        tokens.pop()
    bare, title = _without_han_title(tokens[-1])
    tokens[-1] = bare
    mark = " ".join(filter(None, (*titles, title)))
    full = _is_full(tokens)
    return Core(of_tokens(tuple(tokens)), mark, Agreement.ANY if full else Agreement.EQUAL)


def _without_han_title(token: str) -> tuple[str, str]:
    """The name and the title behind it."""
    for title in HAN_TITLES if is_han(token) else ():
        left = token.removesuffix(title)
        if left and left != token:
            return left, title
    return token, ""


def _is_full(tokens: list[str]) -> bool:
    """True if the tokens are a given name and a surname: no lone surname, initial or nickname."""
    *_, last = tokens
    if is_han(last):
        familiar = last[0] in FAMILIAR and len(last) <= CORE_SIGNS_MIN
        return len(last) >= CORE_SIGNS_MIN and last not in COMPOUND_SURNAMES and not familiar
    return sum(len(token) > 1 for token in tokens) >= FULL_WORDS_MIN


def _organisation(name: str) -> Core:
    tokens = _without_article(fold(name).tokens)
    if tokens and is_han(tokens[-1]):
        return Core(
            of_tokens((*tokens[:-1], _without_han_form(tokens[-1], alone=len(tokens) == 1)))
        )
    return Core(of_tokens(_without_forms(tokens)))


def _without_forms(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The words before the forms of company at the end; a letter alone is no name."""
    left = tokens
    while left:
        if left[-1] in COMPANY_FORMS:
            left = left[:-1]
            continue
        words = " ".join(left)
        form = next((form for form in DOTTED_FORMS if words.endswith(f" {form}")), "")
        if not form:
            break
        left = left[: -len(form.split())]
    left = left[:-1] if left and left[-1] == "and" else left
    return left if sum(map(len, left)) > 1 else tokens


def _without_han_form(token: str, *, alone: bool) -> str:
    for form in HAN_COMPANY_FORMS:
        left = token.removesuffix(form)
        if left != token and len(left) >= (CORE_SIGNS_MIN if alone else 0):
            return left
    return token


def _place(name: str) -> Core:
    folded = fold(name)
    if len(folded.tokens) == 1 and (match := _PLACE.fullmatch(folded.text)):
        return _han_place(match) or Core(folded)
    head, comma, land = name.replace("，", ",").partition(",")
    country = " ".join(fold(land).tokens)
    tokens = fold(head if comma and country in COUNTRIES else name).tokens
    mark = country if comma and country in COUNTRIES else ""
    tokens = tokens[2:] if tokens[:2] == ("city", "of") and len(tokens) > 2 else tokens
    return Core(of_tokens(_turned(_without_article(tokens))), mark, Agreement.EITHER)


def _han_place(match: re.Match[str]) -> Core | None:
    """A Chinese place and what it is; None where the last sign is part of its name."""
    name, own, plain = match.group("core", "own", "plain")
    if plain == "区" and name[-1] in LAND_SIGNS:
        return None
    if own == "自治州" or plain == "州":
        return Core(of_tokens((name,)), "州", Agreement.EQUAL)
    return Core(of_tokens((name,)), own or plain, Agreement.EITHER)


def _turned(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Lake Veyra as Veyra Lake."""
    turns = len(tokens) == FULL_WORDS_MIN and tokens[0] in LANDMARKS
    return tokens[::-1] if turns else tokens


def _without_article(tokens: tuple[str, ...]) -> tuple[str, ...]:
    return tokens[1:] if len(tokens) > 1 and tokens[0] == "the" else tokens


_BY_KIND: dict[EntityKind, Callable[[str], Core]] = {
    EntityKind.PERSON: _person,
    EntityKind.ORGANISATION: _organisation,
    EntityKind.PLACE: _place,
    EntityKind.EVENT: _event,
    EntityKind.PROJECT: _event,
}
