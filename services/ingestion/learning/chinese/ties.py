"""Relatives, friends and pets that a clause names: 我弟弟叫小杰, 小雅是我女朋友."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from services.ingestion.learning.chinese.subjects import Read, name_at
from services.ingestion.learning.chinese.tagging import given_name
from services.ingestion.learning.chinese.vocabulary import alternation, words

_CALLED = r"(?:的)?(?:名字|大名|小名)?(?:叫做|名叫|名字叫|叫|是|名字是)"
_OF_MINE = re.compile(
    r"(?:就)?是我(?:们)?(?:家)?(?:的)?(?:一个|新|大学|高中|初中|小学|最好的|好|老|现在的|前)*(?P<role>{roles})(?:了|啦)?"
)
_MINE = re.compile(
    r"我(?:们)?(?:家)?(?:的)?(?:大|小|前|新|亲|最好的|大学|高中|初中|小学|老|好)*(?P<role>{roles})"
)
_BARE = re.compile(r"^(?P<role>{kin2})(?!们)")
_HAVE = re.compile(
    r"(?:还)?有(?:了)?(?:一|两|三|几)?(?:个|位|只|条|名)?(?:大|小|亲|双胞胎|最好的|好)*(?P<role>{roles}|{pets})(?:名字)?(?:叫做|名叫|名字叫|叫)(?P<name>.{1,10})"
)
_PET = re.compile(
    r"(?:我们?家?的?|家里的?|家的)(?:那?(?:只|条))?(?P<role>{pets})(?:的名字)?(?:叫做|名叫|名字叫|叫|是叫)(?P<name>[^，的了]{1,8})"
)
_PET_NAMED = re.compile(
    r"(?:我们?家?的?|家里的?|家的)(?:那?(?:只|条))?(?P<role>{pets})(?P<name>[\u4e00-\u9fff]{2})(?=上|昨|今|去|前|很|特|最|也|又|是|每|走|不|生)"
)
_IS_OF = re.compile(r"是(?P<name>[^，的]{1,8})的(?P<role>{kin})(?:之一)?")


@dataclass(frozen=True, slots=True)
class Tie:
    """Somebody, and what they are to the speaker."""

    predicate: str
    name: str
    role: str
    over: bool = False


def presupposed(clause: str) -> Iterator[Tie]:
    """The ties that a clause takes for granted: 我女朋友小雅."""
    for owned in (*_pattern(_MINE).finditer(clause), *_pattern(_BARE).finditer(clause)):
        rest = clause[owned.end() :]
        name = name_at(rest) or given_name(rest)
        if name:
            yield tie(owned["role"], name)


def told(read: Read, rest: str, clause: str) -> Iterator[Tie]:
    """The ties that a clause states."""
    if read.role and not read.name:
        match = re.match(_CALLED, rest)
        name = _name(rest[match.end() :]) if match else ""
        if match and match.group().endswith("是") and name_at(f"{name}说") != name:
            name = ""
        if name:
            yield tie(read.role, name)
    if read.name and not read.role:
        mine = _pattern(_OF_MINE).fullmatch(rest)
        if mine is not None:
            yield tie(mine["role"], read.name)
    if read.subject is not None and read.subject.is_speaker:
        yield from _of_speaker(rest)
    pet = _pattern(_PET).fullmatch(clause) or _pattern(_PET_NAMED).match(clause)
    if pet is not None:
        yield tie(pet["role"], pet["name"])


def _of_speaker(rest: str) -> Iterator[Tie]:
    """Whom the speaker has, and whose kin the speaker is."""
    have = _pattern(_HAVE).fullmatch(rest)
    if have is not None and (have["role"] in words("pets") or _nick(have["name"])):
        yield tie(have["role"], have["name"].rstrip("了的"))
    of = _pattern(_IS_OF).fullmatch(rest)
    if of is not None and name_at(of["name"] + "说") == of["name"]:
        yield Tie("has_relative", of["name"], of["role"])


def tie(role: str, name: str) -> Tie:
    """The tie that a role stands for."""
    if role in words("pets"):
        return Tie("has_pet", name, role)
    if role in words("former"):
        spouse = role in {"前妻", "前夫"}
        return Tie("married_to" if spouse else "has_partner", name, role, over=True)
    if role in words("spouses"):
        return Tie("married_to", name, role)
    if role in words("partners"):
        return Tie("has_partner", name, role)
    return Tie("has_relative" if role in words("kin") else "knows", name, role)


def _name(text: str) -> str:
    said = re.sub(r"(?:了|的|啊|呢|哦)$", "", text)
    return said if _nick(said) else ""


def _nick(text: str) -> bool:
    """True for what can be a name behind 叫: short, and no more than a name."""
    short = 1 <= len(text) <= 4 and re.fullmatch(r"[\u4e00-\u9fff]+", text) is not None
    latin = re.fullmatch(r"[A-Z][A-Za-z]*(?: [A-Z][a-z]+)?", text) is not None
    spoilt = re.search(r"[你我他她它这那的了是有在不很什么哪谁人]|一个", text)
    return (short or latin or name_at(text) == text) and spoilt is None and bool(text)


@cache
def _pattern(pattern: re.Pattern[str]) -> re.Pattern[str]:
    roles = "|".join(alternation(name) for name in ("former", "kin", "social"))
    text = pattern.pattern.replace("{roles}", roles).replace("{pets}", alternation("pets"))
    kin = alternation("kin")
    return re.compile(text.replace("{kin2}", f"(?=..){kin}").replace("{kin}", kin))
