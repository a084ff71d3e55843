"""Attributes of the speaker by any noun, each with its value: 我的主力语言是Rust, 宿舍在六楼.

The noun is neither a person nor a word of the talk itself (意思, 问题), and the value is named.
"""

import re
from functools import cache

from anamnesis_ingestion.learning.chinese.cutting import POINTS
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.settings import Setting
from anamnesis_ingestion.learning.chinese.tagging import Word, is_name, tagged
from anamnesis_ingestion.learning.chinese.vocabulary import alternation, words

_OWNER = r"(?P<owner>(?:我们(?:公司|团队|组|家|部门|项目)?|咱们|我家|我|咱)(?:里)?的?)?"
_STILL = r"(?:一共|总共|现在|目前|一直|都|也|就|还|统一|主要|平时|默认|大概|全)*"
_IS = (
    rf"{_OWNER}(?P<slot>(?!{{kin}}|{{social}})[^，我你他她它这那是在有叫不没了过]{{2,8}}?){_STILL}"
    r"(?:是|叫做?|为|(?P<place>(?:放|跑|部署|存|写|打|托管|设|住|摆)?(?:在|到))|用的是)(?P<value>[^，了]{1,18}?)"
    r"(?:上面|里面|上|里)?"
)
_COUNTED = (
    rf"{_OWNER}(?P<slot>(?!{{kin}}|{{social}}|们)[^，我你他她它这那是在有叫不没了过]{{1,4}}?)里?{_STILL}(?:有|才|只有|只)?"
    r"(?P<value>(?:[\d一二两三四五六七八九十百千]{1,5})(?:多|来|几)?(?:个|口|名)?(?:人|员工|学生|同事)"
    r"|\d[\d.]*(?:[GTM]B?|寸|平米?|层))"
)
_NOUNS = frozenset({"n", "nz", "ns", "nt", "eng", "vn", "an", "j", "l", "b", "ng", "x"})
_WITHIN = frozenset({"a", "f", "s", "uj", "m", "t", "c", "v", "q", "g"})
_VALUES = frozenset(
    {"n", "nz", "ns", "nt", "nr", "nrt", "eng", "vn", "an", "j", "l", "x", "m", "s", "f", "i"}
)
_PLACES = re.compile(
    r"(?:[室楼房店厂校院部站所馆场园]|地方|单位|公司|工位|宿舍|座位|户口|老家|仓库|[工驻基]地)$"
)
"""Nouns of what stays where it is."""
_LATIN = re.compile(r"[A-Za-z]")
_COLOURED = re.compile(r".{1,6}色的")


def attribute(piece: Piece, *, told_of: bool) -> Setting | None:
    """Something of the speaker's with its value; `told_of`: its owner was named before."""
    for form in (_IS, _COUNTED):
        match = _form(form).fullmatch(piece.text)
        mine = match is not None and bool(match["owner"] or told_of)
        if match is None or not (mine or _is_run(match)):
            continue
        if _stands(match) and (form is _COUNTED or _is_value(match["value"])):
            value = piece.part(*match.span("value"))
            slot = piece.part(*match.span("slot"))
            return Setting(slot=slot, value=value, old=None, mine=mine, changed=False)
    return None


def _stands(match: re.Match[str]) -> bool:
    """True for a noun of one's own; what lies somewhere has to be of what stays there."""
    moves = match.groupdict().get("place") in {"在", "到"} and not _PLACES.search(match["slot"])
    return _is_noun(match["slot"]) and not moves


def _is_run(match: re.Match[str]) -> bool:
    """True for a part of a team's work with where it runs: CI跑在GitHub Actions上."""
    return len(match.groupdict().get("place") or "") > 1 and bool(_LATIN.match(match["value"]))


def _is_noun(slot: str) -> bool:
    """True for a noun that something of one's own is called by."""
    tags = tagged(slot)
    if slot in words("no_attributes") or tags[-1].text in words("no_attributes") | words("vague"):
        return False
    if tags[0].tag in "vmt" or any(map(is_name, tags)) or re.search(_pets(), slot):
        return False
    return all(word.tag in _NOUNS | _WITHIN for word in tags[:-1]) and tags[-1].tag in _NOUNS


def _is_value(value: str) -> bool:
    """True for a value that is named: no judgement, no deed, nothing pointed at."""
    if POINTS.search(value) or value in words("vague") or value[0] == "第":
        return False
    if _COLOURED.fullmatch(value):
        return True
    tags: list[Word] = tagged(value)
    plain = all(word.tag in _VALUES | {"a", "b", "uj", "c", "t", "q"} for word in tags[:-1])
    named = len(value) > 1 and tags[-1].tag in _VALUES and tags[-1].text not in words("vague")
    return plain and named


@cache
def _pets() -> str:
    return rf"{alternation('pets')}$"


@cache
def _form(pattern: str) -> re.Pattern[str]:
    for name in ("kin", "social"):
        pattern = pattern.replace(f"{{{name}}}", alternation(name))
    return re.compile(pattern.replace("{{", "{").replace("}}", "}"))
