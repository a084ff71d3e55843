"""Somebody who is told of for the first time, and the clauses about them: 我有个同事，叫李雷.

Such clauses have no subject, and read by themselves they would be about the speaker. Where one of
them names somebody, all up to the next subject are given theirs: the name, or what they are to the
speaker. Of somebody who is nothing to the speaker (认识了个人) only what stands behind a name that
is known for one is learned.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.vocabulary import alternation, words

_ANYBODY = (
    "(?:[\u4e00-\u9fff]{0,3}[人客员师生手友户民长]|男的|女的|男生|女生|男孩|女孩|姑娘|小伙子|小伙|妹子|帅哥|美女|小哥|大哥|大姐|大叔|大爷"
    "|相亲对象|网友|新人|司机|医生|大夫|中介|家教|阿姨)"
)
_MEETS = (
    "(?:有|认识|交|谈|请|招|雇|找|聘|来|搬来|住|带|收|加|见|换|介绍|面试|碰到|碰见|遇到|遇见)"
    "(?:到|来|过|进|着)?了?"
)
_TELLS_ON = re.compile(
    r"(?:名字)?(?:叫做|名叫|叫)"
    r"(?P<name>(?!我|他|她|你|得|什么|醒|人|了|着|过|外卖|车|上|来|去|苦|停|救护)[\u4e00-\u9fff]{2,4}|[A-Z][a-z]+)$"
    r"|姓[\u4e00-\u9fff]{1,2}$"
)
"""A clause that names whom the one before it tells of."""
_ANOTHER = re.compile(
    r"[我咱俺你您他她它这那谁]|大家|人家|别人|请|帮|麻烦|记|给|推荐|怎么|如何|有没有|能|可以|是不是"
    r"|是一回事|先|别|不要|不用|想|要不|要是|如果|该|哪|提醒"
)
"""The opening of a clause that has a subject of its own, or wants something."""
_OF_ONESELF = re.compile(r"[我咱俺]|本人|好|嗨|新来|岁|后|员|师|生|是")
"""Before a family name without subject: who speaks tells of themselves, 你好，姓王."""
_OF_THEM = re.compile(
    r"叫|名|姓|是|在|住|今年|\d|[一二三四五六七八九十]+岁|来自|从|对|不|退休|离|结|刚|已经|教|学|做|开"
    r"|[\u4e00-\u9fff]{1,2}(?:阿姨|师傅|老师|姐|哥|叔)$"
)
"""A clause that may tell of somebody without a name: 人挺好 would be taken for one."""
_BETWEEN_MAX = 2
"""So many clauses may stand before the one that names them."""
_SOMEBODY = "这人"
"""Somebody of whom nothing is learned."""


class _Newcomer(NamedTuple):
    """Whoever is told of: what they are to the speaker, or nothing; then their name."""

    role: Piece | None
    name: Piece | None = None

    def told(self, clause: Piece) -> Piece:
        """A clause without subject, as told of them."""
        if self.name is not None:
            return self.name.then(clause)
        at = clause.at[:1]
        if self.role is None or not _OF_THEM.match(clause.text):
            return Piece(_SOMEBODY, at * len(_SOMEBODY)).then(clause)
        mine = "我" if self.role.text in words("kin") else "我的"
        return Piece(mine, at * len(mine)).then(self.role).then(clause)


def of_newcomers(clauses: Iterable[Piece]) -> Iterator[Piece]:
    """The clauses, those about somebody who was just told of with their subject."""
    held = list(clauses)
    who: _Newcomer | None = None
    for place, clause in enumerate(held):
        come = _newcomer(clause)
        if come is not None and _are_named(held[place + 1 :]):
            who = come
            yield clause
            continue
        if who is None and place and clause.text[0] == "姓" and _TELLS_ON.match(clause.text):
            of_speaker = any(_OF_ONESELF.search(each.text) for each in held[:place])
            yield clause if of_speaker else _Newcomer(None).told(clause)
            continue
        if who is None or _ANOTHER.match(clause.text):
            who = who if who is not None and clause.text[:1] in "他她" else None
            yield clause
            continue
        yield who.told(clause)
        named = _TELLS_ON.match(clause.text)
        if named is not None and named["name"]:
            who = who._replace(name=clause.part(*named.span("name")))


def _are_named(following: Sequence[Piece]) -> bool:
    """True where one of the clauses behind names whom they tell of, before another subject."""
    for clause in following[: _BETWEEN_MAX + 1]:
        if _TELLS_ON.match(clause.text):
            return True
        if _ANOTHER.match(clause.text):
            return False
    return False


def _newcomer(clause: Piece) -> _Newcomer | None:
    """Whom a clause tells of as new; None where it tells of nobody."""
    found = _introduced().search(clause.text) or _arrived().match(clause.text)
    if found is None:
        return None
    is_mine = found["role"] and not _of_another().match(clause.text)
    return _Newcomer(clause.part(*found.span("role")) if is_mine else None)


@cache
def _of_another() -> re.Pattern[str]:
    """The head of a clause about somebody else: whom they know is nothing to the speaker."""
    return re.compile(rf"[他她]|(?:我们?)?家?的?{alternation('kin')}")


@cache
def _introduced() -> re.Pattern[str]:
    """The end of a clause: 我有个同事, 请了保姆, 来了个新领导, 楼上搬来一个邻居."""
    known = rf"(?P<role>{alternation('social')}|{alternation('kin')}|{alternation('staff')})"
    what = r"(?:新的?|前|老|大学|高中|初中|小学|[\u4e00-\u9fff]{1,6}的)??"
    met = r"(?:请|雇|聘|招|找|见|约)到?了|(?:见|碰|遇)到了?"
    return re.compile(rf"(?:{_MEETS}一?[个位名]|{met}){what}(?:{known}|{_ANYBODY})了?$")


@cache
def _arrived() -> re.Pattern[str]:
    """A clause with the newcomer at its head: 新保姆找到了, 新租客是个拉大提琴的姑娘."""
    known = rf"(?:我们?家?的?)?新?来?的?(?P<role>{alternation('social')}|{alternation('staff')})"
    found = r"(?:已经|终于|也|总算)?(?:(?:找|请|定|招|换|选)(?:到|好)?|来|上岗|到岗|上任)了"
    return re.compile(rf"{known}(?:{found}|是一?[个位名].{{1,14}})$")
