"""Objects that are liked, eaten, used, learnt: nouns and deeds in a few words."""

import re

from anamnesis_ingestion.learning.chinese.cutting import (
    COLOUR,
    MEASURE,
    OWNER,
    POINTS,
    Found,
    cut,
    parts_of,
    whole,
)
from anamnesis_ingestion.learning.chinese.tagging import is_unlisted, tagged
from anamnesis_ingestion.learning.chinese.vocabulary import alternation, words

_NOUN_TAGS = frozenset(
    ["n", "nz", "nt", "ns", "nr", "nrt", "nrfg", "eng", "vn", "an", "j", "l", "i", "ng", "x"]
)
_MODEL = re.compile(r"(?P<maker>[\u4e00-\u9fff]{2,4})[A-Za-z\d][A-Za-z\d +]{0,12}")
"""A device by its maker and model: 华为Mate."""
_LATIN_TOOL = re.compile(r"[A-Za-z][A-Za-z\d.+#-]{0,20}")
_GRAMMAR = re.compile(
    r"[的了在是有不也都就又还已很太再才全正只没别把被给让去来到得着过我你他她它这那个一两三四]"
)
_TASTE_CHARS_MAX = 20
_NO_SUBJECTS = frozenset(("如", "会", "到", "习", "着", "过", "好", "了解"))
_NO_HEADS = frozenset("的得上过不人事")
"""Words that open nothing that is liked: 喜欢过, 喜欢上; 上学 is a word of its own."""
_BRAND_CHARS = 2
"""A program by a name that no dictionary has."""
_WHEN = re.compile(
    r"(?:周末|平时|有空|闲暇时|晚上|早上|清晨|下班后|在家里?|一个人|独自|和朋友一起|跟朋友一起|和家人一起|每天|经常)*(?:去)?(?=[\u4e00-\u9fff《A-Za-z])"
)
_THING_CHARS_MAX = 8
_LIST_MAX = 6


def taste(text: str) -> Found:
    """The things and deeds that somebody likes: short ones, several in a list."""
    parts = parts_of(text)
    if not 1 <= len(parts) <= _LIST_MAX:
        return []
    found = []
    for first, end in parts:
        start = first + cut(text[first:end], _WHEN)
        if text[start:end] in words("vague") and len(parts) > 1:
            continue
        if not _is_taste(text[start:end]):
            return []
        found.append((start, end))
    return found


def _is_taste(said: str) -> bool:
    if not 1 <= len(said) <= _TASTE_CHARS_MAX or said in words("vague") or POINTS.search(said):
        return False
    if re.search(
        r"[了着是]|[没不]$|^有|一[门种个款]|的$|起来|之类|时候|概念|时$|[更最][高低好快慢]$|^个|越来越|一下|一家|一部|一本|一件|一场|一首",
        said,
    ):
        return False
    head = re.search(r"的(?P<head>[^的]{1,8})$", said)
    if head is not None and head["head"] in words("vague") and len(said) < len(head["head"]) + 4:
        return False
    tags = tagged(said)
    if tags[0].text in _NO_HEADS or (len(said) == 1 and tags[0].tag != "n"):
        return False
    return any(word.tag[0] in "nvajleixst" and word.text not in words("vague") for word in tags)


def nouns(text: str) -> Found:
    """A short list of things by their nouns: foods, goods, subjects."""
    found = []
    for start, end in parts_of(text)[:_LIST_MAX]:
        at = start + cut(text[start:end], OWNER, MEASURE, COLOUR)
        said = text[at:end]
        if not _is_taste(said) or len(said) > 10:
            return []
        found.append((at, end))
    return found


def thing(text: str) -> Found:
    """Something that people are allergic to."""
    if re.search(r"[没不有会是对就]", text) or POINTS.search(text):
        return []
    single = [(0, len(text))] if tagged(text)[-1].tag.startswith("n") else []
    found = nouns(text) or single
    return found if all(end - start <= _THING_CHARS_MAX for start, end in found) else []


def drink(text: str) -> Found:
    """Something to drink, by the noun that it ends in: 黑咖啡."""
    ends = re.search(rf"{alternation('drinks')}$", text)
    return whole(text) if ends is not None and len(text) <= 6 and not POINTS.search(text) else []


def food(text: str) -> Found:
    """Foods that are known, in a list or one behind the other: 海鲜啤酒."""
    any_food = alternation("foods")
    if re.fullmatch(rf"{any_food}{{2,4}}", text) and text not in words("foods"):
        return [match.span() for match in re.finditer(any_food, text)]
    parts = parts_of(text)
    known = all(text[start:end] in words("foods") for start, end in parts)
    return parts if known and len(parts) <= _LIST_MAX else []


def dish(text: str) -> Found:
    """Something to eat or drink by its noun."""
    tags = tagged(text)
    noun = 2 <= len(text) <= 4 and all(word.tag in {"n", "nz", "nr"} for word in tags)
    return food(text) or (whole(text) if noun and text not in words("vague") else [])


def tool(text: str) -> Found:
    """A program or a device: Latin letters, or a short noun."""
    parts = parts_of(text)
    if len(parts) > 1:
        names = (text[first:last].strip() for first, last in parts)
        known = all(each in words("tools") or _LATIN_TOOL.fullmatch(each) for each in names)
        return [_tight(text, *each) for each in parts] if known else []
    start = cut(text, OWNER, MEASURE)
    said = text[start:]
    if said.startswith(("新", "旧", "别的")):
        return []
    latin = (
        re.fullmatch(r"[A-Za-z][A-Za-z\d.+# -]{0,20}(?:语言|编辑器|数据库|系统)?", said) is not None
    )
    if latin or said in words("orgs") | words("tools"):
        return whole(text, start)
    model = _MODEL.fullmatch(said)
    if model is not None and model["maker"] in words("orgs") | words("makers"):
        return whole(text, start)
    tags = tagged(said)
    short = 2 <= len(said) <= 6 and not POINTS.search(said) and said not in words("vague")
    nouns = bool(tags) and all(word.tag in {"n", "nz", "nr", "x", "nt"} for word in tags)
    unlisted = len(said) == _BRAND_CHARS and is_unlisted(said) and not _GRAMMAR.search(said)
    return whole(text, start) if (short and nouns) or unlisted else []


def _tight(text: str, start: int, end: int) -> tuple[int, int]:
    """The place without the blanks around it."""
    said = text[start:end]
    return start + len(said) - len(said.lstrip()), end - len(said) + len(said.rstrip())


def skill(text: str) -> Found:
    """The skills in a list; each begins with a verb of a skill."""
    parts = parts_of(text)
    verbs = words("skill_verbs")
    fits = all(
        any(text[start:end].startswith(verb) for verb in verbs)
        and _is_taste(text[start:end])
        and end - start <= 10
        and text[end - 1] not in "好完到掉"
        for start, end in parts
    )
    return parts if fits and len(parts) <= _LIST_MAX else []


def subject(text: str) -> Found:
    """The subjects that somebody studies: nouns, and deeds with their object."""
    found = taste(text)
    fits = all(
        2 <= end - start <= 12 and text[start:end] not in {"中", "了解"} for start, end in found
    )
    return found if fits and tagged(text)[0].text not in _NO_SUBJECTS else []


def aim(text: str) -> Found:
    """The aim that somebody prepares for: a noun with words of its own."""
    start = cut(text, re.compile(r"一(?:个|场|次|门|篇)"))
    said = text[start:]
    tags = tagged(said)
    fits = 2 <= len(said) <= 14 and not POINTS.search(said) and not re.search(r"[了着过去]", said)
    noun = (
        bool(tags)
        and tags[-1].tag in {"n", "vn", "nz", "nr", "l", "eng", "nt", "v"}
        and said not in words("vague")
    )
    return whole(text, start) if fits and noun and tags[0].tag not in {"v", "p"} else []
