"""Places of values within a slot: measure words, colours and owners cut off, lists parted."""

import re
from collections.abc import Callable

from anamnesis_ingestion.learning.chinese.vocabulary import DURATION, alternation, words

Found = list[tuple[int, int]]
"""The places of values within a slot."""
MEASURE = re.compile(
    r"[个名位](?!人)|(?:[一两二三四五六七八九十几]|\d{1,3})(?:个|只|条|名|位|辆|台|部|家|所|间|把|架|套|栋|本|款|种|门|匹|份|块|艘|首|支)"
)
COLOUR = re.compile(
    r"(?:[红黄蓝绿黑白灰橙紫银金棕粉]色?|红色|旧|新|小|大|老|很可爱|可爱|漂亮|二手)(?:色)?的"
)
OWNER = re.compile(
    r"(?:这边|那边|这里|当地)的|(?:我们|我|自己)(?:的)?(?:那|这)?(?:辆|台|部|把|架|套|只)?"
)
POINTS = re.compile(r"[你我她它这那您谁哪某]|(?<!吉)他|自己|别人|大家|什么|怎么|一起|咱")
_LONG = re.compile(DURATION)
JOINTS = re.compile(
    r"、|以及|还有|加(?=[A-Z])| ?\+ ?(?=[A-Z])|和(?!牛|服|平|谐|声|面)|跟|与|及(?!格|时)|或者|或"
)


def whole(text: str, start: int = 0) -> Found:
    """The whole slot from a place on; nothing where nothing is left."""
    return [(start, len(text))] if len(text) > start else []


def cut(text: str, *heads: re.Pattern[str]) -> int:
    """The position at which a text begins once its owner, measure word and colour are cut off."""
    at = 0
    for head in heads:
        match = head.match(text, at)
        if match is not None and match.end() < len(text):
            at = match.end()
    return at


def parts_of(text: str) -> Found:
    """The items of a list."""
    found, at = [], 0
    for joint in [*(match.span() for match in JOINTS.finditer(text)), (len(text), len(text))]:
        start = at + (1 if text[at : at + 1] == "、" and at < joint[0] else 0)
        said = text[start : joint[0]]
        if said.strip():
            start += len(said) - len(said.lstrip())
            found.append((start, start + len(said.strip())))
        at = joint[1]
    return found


def listed(name: str, *heads: re.Pattern[str]) -> Callable[[str], Found]:
    """A rule that takes the words of a list, with what stands before them."""

    def found(text: str) -> Found:
        start = cut(text, *heads)
        return whole(text, start) if text[start:] in words(name) else []

    return found


def ending(name: str, chars_max: int, *heads: re.Pattern[str]) -> Callable[[str], Found]:
    """A rule that takes what ends in a word of a list."""

    def found(text: str) -> Found:
        start = cut(text, *heads)
        said = text[start:]
        ends = re.search(rf"{alternation(name)}$", said) is not None
        fits = (
            ends
            and len(said) <= chars_max
            and not POINTS.search(said)
            and not re.search(r"[了过]", said)
            and not _LONG.match(said)
        )
        return whole(text, start) if fits else []

    return found


def each(name: str) -> Callable[[str], Found]:
    """A rule that takes a list whose items all stand in a word list."""

    def found(text: str) -> Found:
        parts = [(start + cut(text[start:end], MEASURE), end) for start, end in parts_of(text)]
        return parts if all(text[start:end] in words(name) for start, end in parts) else []

    return found


def short(pattern: re.Pattern[str]) -> Callable[[str], Found]:
    """A rule that accepts a text if the pattern covers all of it."""

    def found(text: str) -> Found:
        return whole(text) if pattern.fullmatch(text) else []

    return found
