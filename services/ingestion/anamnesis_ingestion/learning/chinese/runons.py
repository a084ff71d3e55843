"""Clauses that run on without a comma, parted where one ends: 我们搬到回龙观了 离地铁很近.

Quick typing and voice input leave commas out. A clause ends where it has a predicate and a noun, a
figure, a quality or a final 了 behind it, and the next one begins with a word of time, with whom it
tells of, with 还 or 又; behind a final 了, with any predicate. Where a noun that a clause describes
ends (我买的车), or 就 tells what follows from it, nothing is parted.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.tagging import Word, tagged
from anamnesis_ingestion.learning.chinese.vocabulary import words

CLAUSE_CHARS_MIN = 9
"""A shorter clause holds no two."""
_PART_CHARS_MIN = 4
_WHO = frozenset("我咱俺他她它")
_NOW = frozenset(("现在", "目前"))
_NOMINAL = frozenset({"n", "nz", "ns", "nt", "nr", "nrt", "eng", "j", "s", "an"})
_ENDING = _NOMINAL | {"m", "a", "l", "i", "zg"}
"""Tags of what a clause may end in."""
_DEEDS = frozenset({"v", "p", "d", "c"})
"""Tags of what begins a clause behind a final 了, where an object would be a noun."""
_TOLD = frozenset({"v", "a", "m", "l", "i"})
"""Tags of what a clause may tell."""
_SUFFERED = frozenset(("过敏", "不好"))
"""Words that end a clause of themselves: 我海鲜过敏 吃虾就起疹子, 我膝盖不好 医生不让爬山."""
_FOLLOWS = frozenset(("就", "才", "再", "的", "得", "着", "过"))
"""What goes on with the clause before it: 坐久了就疼."""
_OPEN_ENDED = frozenset(("忘", "怕", "想", "到", "为", "除", "决定", "打算", "觉得", "知道"))
"""Verbs that what is told behind their 了 belongs to: 忘了带伞."""


def parted(piece: Piece) -> Iterator[Piece]:
    """The clause, or the clauses that run on in it."""
    start = 0
    if len(piece.text) >= CLAUSE_CHARS_MIN:
        told = tagged(piece.text)
        for at in range(1, len(told)):
            left = [each for each in told[:at] if each.start >= start]
            if _is_cut(left, told[at:]) and told[at].start - start >= _PART_CHARS_MIN:
                yield piece.part(start, told[at].start)
                start = told[at].start
    yield piece.part(start)


def _is_cut(left: Sequence[Word], right: Sequence[Word]) -> bool:
    """True if a clause ends before the first word of `right`."""
    if not left or right[0].text in _FOLLOWS or right[-1].end - right[0].start < 2:
        return False
    if _is_named(left) and _opens_behind_name(right[0]):
        return True
    if left[-1].text in _SUFFERED:
        return right[0].tag in {"v", "t", "d"} or _opens(left, right)
    if left[-1].text == "了":
        return _tells(right) and _is_over(left, right)
    if not (_has_predicate(left) and _tells(right)):
        return False
    return _is_time(right) if _is_stressed(left) else _is_closed(left) and _opens(left, right)


def _tells(right: Sequence[Word]) -> bool:
    """True for words that may tell something: a predicate, or what is so now."""
    told = any(each.tag in _TOLD or each.text == "了" for each in right)
    return told or right[0].text in _NOW


def _is_over(left: Sequence[Word], right: Sequence[Word]) -> bool:
    """True if 了 ends the clause, and is no mark of a verb whose object follows: 领养了一只狗."""
    if right[0].tag == "m" and len(right) > 1 and right[1].tag in _NOMINAL:
        return False
    if len(left) > 1 and left[-2].tag not in {"v", "zg"}:
        return True
    described = any(each.text == "的" for each in right[:-1])
    begins = right[0].tag in _DEEDS or _is_time(right)
    return begins and not described and left[-2].text not in _OPEN_ENDED


def _is_closed(left: Sequence[Word]) -> bool:
    """True for a clause that has what its predicate asks for, and no noun that one describes."""
    last = left[-1]
    deed = last.tag == "v" and len(last.text) > 1 and last.text not in _OPEN_ENDED
    return (last.tag in _ENDING or (deed and _has_predicate(left[:-1]))) and not _is_described(left)


def _is_stressed(left: Sequence[Word]) -> bool:
    """True for a clause of 是 and 的: 我是跑滴滴的."""
    return left[-1].text == "的" and any(each.text == "是" for each in left)


def _has_predicate(told: Sequence[Word]) -> bool:
    return any(each.tag == "v" for each in told)


def _is_described(left: Sequence[Word]) -> bool:
    """True for a noun with the clause that describes it: 我买的车."""
    last = next((at for at in range(len(left) - 1, 0, -1) if left[at].text == "的"), 0)
    return 0 < last < len(left) - 1 and _has_predicate(left[:last])


def _opens(left: Sequence[Word], right: Sequence[Word]) -> bool:
    """True for words that begin a clause: when, of whom, what is so besides."""
    first = right[0]
    counted = left[-1].tag == "m" and first.tag == "n"
    if left[-1].tag == "v":
        return first.text in _NOW or first.text[0] == "每"
    joined = first.text[0] in _WHO or first.text in words("run_on_openers")
    return _is_time(right) or (joined and not counted)


def _is_time(right: Sequence[Word]) -> bool:
    timed = right[0].tag == "t" or right[0].text in words("run_on_times")
    return timed and (len(right) < 2 or right[1].text != "的")


def _is_named(left: Sequence[Word]) -> bool:
    """True where a name has just been told: 她叫李娜."""
    called = len(left) > 1 and left[-2].text.endswith(("叫", "叫做"))
    known = left[-1].text in _persons() or left[-1].tag in {"r", "m", "v", "p", "d"}
    return called and not known


def _opens_behind_name(word: Word) -> bool:
    return word.tag in {"v", "p", "t", "d", "a", "ud"} and word.text not in {
        "来",
        "去",
        "到",
        "过来",
    }


@cache
def _persons() -> frozenset[str]:
    return frozenset(words("kin") | words("social") | words("jobs"))
