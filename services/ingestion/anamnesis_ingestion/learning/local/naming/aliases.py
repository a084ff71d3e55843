"""Other names that a text gives: `aka`, `short for`, in brackets, 简称, 又名."""

import re
from collections.abc import Sequence

from anamnesis_ingestion.learning.chinese.vocabulary import alternation
from anamnesis_ingestion.learning.local.naming.sightings import Sighting

_NAME = r"[A-Z][\w.&'’+-]*(?: [A-Z][\w.&'’+-]*){0,3}"
_HAN_NAME = r"[\u3400-\u9fff]{2,4}"
"""A name in brackets in the other script: Lin Yue (林悦)."""
_PINYIN = re.compile(
    r"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?[aeiouü]{1,3}(?:ng|n|r(?![aeiou]))?){1,2}",
    re.IGNORECASE,
)
_HAN = r"[\u3400-\u9fff]{2,6}?"
_OTHER = rf"[\"“'‘「]?(?P<alias>{_NAME}|{_HAN})[\"”'’」]?"
_BEHIND = tuple(
    re.compile(pattern)
    for pattern in (
        # Robert, also called Bobby
        r",? ?\(?(?:is )?(?:also (?:called|known as)|aka|a\.k\.a\.?|better known as|known as"
        rf"|nicknamed|goes by) {_OTHER}(?=[\s,.;:!?)]|$)",
        # (short: ISC), (aka Bobby)
        rf" ?[(（](?:short:? |called |aka |简称|又称|即|以下简称)?{_OTHER}[)）]",
        # 赵磊又名赵小石, 赵磊的英文名叫Leo, 赵磊，也就是Leo
        r"[，,]?\s*的?(?:又名|又称|也叫|又叫|简称|俗称|外号|小名|昵称|网名|英文名字?|也就是)"
        rf"(?:是|叫|为)?\s*{_OTHER}"
        r"(?=[，。,.!！？?；;、）)\s]|$)",
    )
)
_BETWEEN = re.compile(r"\b(?i:call|calls|called) (?:the |it |him |her )?$")
_FOR_SHORT = re.compile(rf" (?P<alias>{_NAME})(?: for short)\b")
_SHORT_FOR = re.compile(rf"\b(?P<alias>{_NAME})(?: is|,)? (?:short|an abbreviation) for (?:the )?$")
_BRACKETED = re.compile(r"^ ?[(（]")
_BEFORE_CHARS = 60


def aliases_in(text: str, named: Sequence[Sighting]) -> dict[Sighting, list[tuple[int, str]]]:
    """The other names of each sighting, each with where it stands; they may be sightings too."""
    found: dict[Sighting, list[tuple[int, str]]] = {}
    for one in named:
        other = _behind(text, one) or _before(text, one)
        if other is not None and other[1].casefold() != one.name.casefold():
            found.setdefault(one, []).append(other)
    return found


def _behind(text: str, one: Sighting) -> tuple[int, str] | None:
    after = text[one.end : one.end + _BEFORE_CHARS]
    for pattern in _BEHIND:
        match = pattern.match(after)
        if match and _may_be(after, one.name, match["alias"]):
            return one.end + match.start("alias"), match["alias"]
    match = _FOR_SHORT.match(after)
    if match and _BETWEEN.search(text[max(0, one.start - _BEFORE_CHARS) : one.start]):
        return one.end + match.start("alias"), match["alias"]
    return None


def _before(text: str, one: Sighting) -> tuple[int, str] | None:
    start = max(0, one.start - _BEFORE_CHARS)
    match = _SHORT_FOR.search(text[start : one.start])
    return (start + match.start("alias"), match["alias"]) if match else None


def _sounds_chinese(name: str) -> bool:
    """True for a name in two or three words of pinyin: Lin Yue."""
    words = name.split()
    return len(words) in (2, 3) and all(map(_PINYIN.fullmatch, words))


def _may_be(after: str, name: str, alias: str) -> bool:
    """True if an alias is accepted: alone in brackets it is in the other script, or initials."""
    plain = re.match(r"^ ?[(（][\"“'‘「]?[^\s)）]", after) and not re.match(
        r"^ ?[(（](?:short:? |called |aka |简称|又称|即|以下简称)", after
    )
    if not (_BRACKETED.match(after) and plain):
        return True
    if _sounds_chinese(name) and re.match(alternation("surnames"), alias):
        return re.fullmatch(_HAN_NAME, alias) is not None
    initials = "".join(word[0] for word in name.split() if word[0].isupper())
    if re.search(r"[\u3400-\u9fff]", name):
        return bool(re.fullmatch(r"[A-Z]{2,8}|[A-Z][\w-]+(?: [A-Z][\w-]+){0,4}", alias))
    return len(alias) > 1 and alias.upper() == alias and alias == initials
