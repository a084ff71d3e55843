"""A clause stripped to its predicate: what it denies or ends, and when it was so."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.subjects import name_at
from anamnesis_ingestion.learning.chinese.tagging import splits, tagged
from anamnesis_ingestion.learning.chinese.vocabulary import DURATION, alternation

_NO_LONGER = re.compile(r"(?:早就|已经|也|都|就)?(?:不再(?!见)|再也不|再也没|不会再|没再)")
_NOT = re.compile(
    r"(?:从来没有?|从没|从未|从不|从来不|并没(?=有)|并没|并不|没(?=有)|没|未|不|别|甭)"
)
_WITH = re.compile(
    r"(?:和|跟|与|同)[^，]{1,8}?(?<!在)(?:一起(?!住(?!在)|生活(?!在))|一块儿|一块|一同|合伙)"
)
_WHERE = re.compile(
    r"在[^，了的]{1,8}(?:里面|里|上(?!学|班|课|大|高|初|小|网)|外面|门口|附近)|(?:在)?[^，了是]{1,14}的时候"
)
"""The place or time of a deed; what is done there is read by the frames."""
_DEEDS = r"(?:也|还|就|又|刚|看|读|听|发现|买|学|参加|认识|通过)"
_OVER = re.compile(r"了[\d一二两三四五六七八九十几半多年月天]*$")
_EVER = re.compile(r"[\u4e00-\u9fff]过(?!敏|年|期|分|来|去|得|程|渡|节)")
_PARTICLES = re.compile(
    r"(?:的呢|呢|啦|啊|呀|哦|噢|哈|嘛|哟|喔|咯|喽|哒|呐|等等|等|什么的|之类的)+$"
)
_DURATION_BEFORE = re.compile(rf"(?:都|已经|快)?{DURATION}(?=没|不)")
_BEING = re.compile(r"是(?=[对在从住跟和])")
_TOPIC = re.compile(
    r"(?:[那这]?[辆台部架间款])?(?P<topic>(?![我你他她它这那])(?:吉他|[^我你他她它，]){1,20}?) ?"
    r"(?P<said>我(?:也|都|一直|就|是|早就|已经)*(?:非常|很|特别|最|超)?"
    r"(?:喜欢|不喜欢|讨厌|不会说|会说|不会|会|不[吃喝打踢玩用抽养弹拉吹练学写]|辞|退|卖|捐|扔))"
    r"(?P<over>了?)"
)
_GIVEN_UP = re.compile(
    r"(?P<topic>吉他|[^，我你他她它的了在是把被不再都也]{2,8})(?:我)?(?:也|都|现在|已经)*(?P<said>不再?[练学玩做喝吃用养上打踢弹抽戴拉跑追看])(?P<over>了)"
)
"""What is done no more, before its verb: 瑜伽不练了."""
_ELIDED = re.compile(
    r"(?P<topic>[^，我你他她它的了又也把被在]{1,8}?)(?P<said>(?:又|重新)(?:开始)?[打踢弹拉吹练下])起来"
    r"(?P<over>了)"
    r"|(?P<thing>[^，我你他她它的了又也把被在周上下][^，我你他她它的了又也把被在]{0,9}?)(?:已经|就|刚|刚刚|终于|都)*"
    r"(?P<done>卖掉|卖|辞掉|辞|戒掉|戒|考过|考下来|拿到手|拿到|通过|过)(?P<fin>了)"
    r"|(?P<gone>[^，我你他她它的了又也把被在][^，我你的了又也把被在]{1,7}?)(?:已经|就|全|都)?(?P<stopped>停|摘|拆|卸)(?:掉|用|药)?(?P<end>了)"
)
"""A topic before a verb whose subject is left out: 羽毛球又打起来了, 阿司匹林停了, 车卖了."""
_SEPARABLE = re.compile(r"[辞离结领分退搬转毕升提](?P<mark>[了的完])(?=[职婚证手休家学业分])")
"""A verb with its noun, parted by a particle: 辞了职, 离的婚."""
_STRESSED = re.compile(r"是(?=我[^，是]{1,12}的)")
"""是 before the one who did it: 是我提的分手."""
_AFTER = re.compile(r"[^，我你他她如]{2,12}(?:以后|之后)(?=我[^，]*了)")
"""A clause of time before its subject, where what follows has happened: 孩子出生以后我就辞职了."""
_SINCE_THEN = re.compile(
    r"[^，我你他她如]{2,12}(?:出生|去世|过世|走|毕业|结婚|离婚|生病|住院|上学|退休)(?:了)?(?:以后|之后|后)(?=就|才|一直|便)"
)
"""The same where who goes on is left out: 老二出生以后就没上班了 is told of the speaker."""
_BEFORE = (_STRESSED, _AFTER, _SINCE_THEN)
_GRADE = r"(?:小学|初中|高中|大学|本科|大[一二三四]|研[一二三]|初[一二三]|高[一二三])"
_FROM_GRADE = re.compile(rf"从{_GRADE}(?:的时候|时|毕业)?(?:就)?(?:起|开始)(?:就|一直)*")
_OBJECT_STRESSED = re.compile(
    r"[\u4e00-\u9fff]{1,2}(?P<mark>的是)(?=.)|[喝学吃用做住读教卖开坐玩练养带](?P<bare>的)(?!时候|人|话|$)(?=..)"
)
_COMPANION = re.compile(r"(?:和|跟|与|同)")
_INNER = frozenset(
    (
        "也",
        "都",
        "就",
        "还",
        "才",
        "真",
        "真的",
        "已经",
        "又",
        "一直",
        "目前",
        "现在",
        "大概",
        "差不多",
        "主要",
        "基本",
        "只",
        "全",
        "全都",
        "其实",
    )
)
"""Adverbs that change no predicate, wherever they stand in it."""
_HEAD_STEPS_MAX = 8


_AND_ME = re.compile(r"(?:和|跟|与)我(?![们的家国俩])")
_LEFT_ME = re.compile(r"(?:刚刚|刚|已经)?把我(?P<left>甩|踹|蹬|抛弃|开除|辞退|解雇|裁)")
_NOT_MINE = re.compile(
    r"(?P<who>[^，我]{1,12}?)(?:自然|也|都|就|现在|已经)*(?P<no>不)归(?P<me>我)(?P<verb>[带管])(?P<over>了)"
)
_GAVE_ME = re.compile(r"(?:医生|大夫|医院|专家)给(?P<me>我)(?P<gave>开|配|换成|换|改成|加)")


class Polarity(StrEnum):
    """The polarity of a clause: it asserts, denies or ends its predicate."""

    ASSERTED = "asserted"
    DENIED = "denied"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Predicate:
    """The predicate of a clause, with its polarity and its marks of time."""

    piece: Piece
    polarity: Polarity
    known: Collection[str]
    habitual: bool
    again: bool
    """True if the predicate holds again: 又, 重新."""
    formerly: bool
    completed: bool
    """了, 的 or a time says that it has happened."""
    planned: bool
    """True if the predicate is planned, or might come."""


def without_connectives(piece: Piece) -> Piece:
    """The clause after the words that join it to others."""
    return _stripped(piece, _connectives())[0]


def opening(piece: Piece) -> tuple[Piece, bool]:
    """The clause from its subject on, and true if it opens with a word such as 以前."""
    piece = without_connectives(piece)
    before = next(filter(None, (each.match(piece.text) for each in _BEFORE)), None)
    piece = piece if before is None else piece.part(before.end())
    former = _opened(_former()).match(piece.text)
    if former is not None:
        return piece.part(former.end("head")), True
    lead = _opened(_adverbs()).match(piece.text)
    return (piece.part(lead.end("head")) if lead is not None else piece), False


@cache
def _opened(heads: re.Pattern[str]) -> re.Pattern[str]:
    """The pattern of the heads before a written subject."""
    return re.compile(rf"(?P<head>{heads.pattern})(?=[我他她俺咱]|{alternation('kin')})")


def topic_last(piece: Piece) -> Piece:
    """The clause with its topic behind the verb: 文艺片我也喜欢 as 我也喜欢文艺片."""
    forms = (_TOPIC, _refused_food(), _lasting_topic(), _GIVEN_UP)
    match = next(filter(None, (each.fullmatch(piece.text) for each in forms)), None)
    if match is None:
        return piece
    (start, end), topic = match.span("said"), piece.part(*match.span("topic"))
    said, over = piece.part(start, end), piece.part(*match.span("over"))
    return Piece(said.text + topic.text + over.text, said.at + topic.at + over.at)


@cache
def _refused_food() -> re.Pattern[str]:
    """Food before the verb that refuses it: 海鲜啤酒真不能碰了."""
    return re.compile(
        rf"(?:一点儿?|一口)?(?P<topic>(?:{alternation('foods')}[、和跟]?)+)(?:我)?(?:是|真|真的|也|都|就|一点|一口|现在|目前|儿)*"
        r"(?P<said>(?:从)?不(?:能|敢|让|可以|怎么|太)?(?:再)?[吃喝碰沾])(?P<over>了?)"
    )


@cache
def _lasting_topic() -> re.Pattern[str]:
    """The pattern of a deed that has lasted, its thing before its verb: 牙套戴了一年半."""
    return re.compile(
        r"(?P<topic>[^，我你他她它的了在是把被]{1,6})(?:我|都|已经|也)*"
        rf"(?P<said>[戴吃用学练养开做写追喝打骑租卖读看跑带教玩弹拉]了)(?P<over>{DURATION}了?)"
    )


def elided_last(piece: Piece) -> Piece | None:
    """The clause of a speaker who is left out, with its topic behind the verb: 又打羽毛球了.

    None for any other clause.
    """
    match = _ELIDED.fullmatch(piece.text)
    if match is None:
        return None
    groups = (("said", "topic", "over"), ("done", "thing", "fin"), ("stopped", "gone", "end"))
    if match["thing"] and (name_at(match["thing"]) or re.match(alternation("kin"), match["thing"])):
        return None
    names = next(names for names in groups if match[names[1]])
    verb, topic, over = (piece.part(*match.span(name)) for name in names)
    return verb.then(topic).then(over)


def speaker_first(piece: Piece, name: str) -> Piece:
    """The clause with the speaker as its subject, where it begins with somebody else.

    小雅和我订婚了 is read as 我和小雅订婚了, 小雅把我甩了 as 我被小雅甩了, 医生给我开了胰岛素 as
    我开了胰岛素, 小杨不归我带了 as 我不带小杨了.
    """
    left = _NOT_MINE.fullmatch(piece.text)
    if left is not None:
        order = ("me", "no", "verb", "who", "over")
        me, no, verb, who, over = (piece.part(*left.span(name)) for name in order)
        return me.then(no).then(verb).then(who).then(over)
    gave = _GAVE_ME.match(piece.text)
    if gave is not None:
        return piece.part(*gave.span("me")).then(piece.part(gave.start("gave")))
    end = len(name)
    also = _AND_ME.match(piece.text, end) if name else None
    left = _LEFT_ME.match(piece.text, end) if name else None
    if also is not None:
        me, joint = piece.part(also.end() - 1, also.end()), piece.part(end, also.end() - 1)
        return me.then(joint).then(piece.part(0, end)).then(piece.part(also.end()))
    if left is not None:
        at = left.start("left") - 2
        by = Piece("被", piece.at[at : at + 1])
        me = piece.part(at + 1, at + 2)
        return me.then(by).then(piece.part(0, end)).then(piece.part(at + 2))
    return piece


def predicate_of(
    piece: Piece,
    *,
    timed: bool,
    formerly: bool = False,
    known: Collection[str] = (),
    habitual: bool = False,
    again: bool = False,
) -> Predicate:
    """The predicate of a clause whose subject is cut off."""
    piece, joined = _joined(piece)
    ending = joined or piece.text.endswith("的")
    now = re.search(r"现在|如今|已经", piece.text) is not None
    particles = _PARTICLES.search(piece.text)
    if particles is not None and particles.start() > 0:
        piece = piece.part(0, particles.start())
    for _ in range(_HEAD_STEPS_MAX):
        piece, had = _stripped(piece, _former())
        formerly = formerly or had
        piece, moved = _stripped(piece, _adverbs())
        rest = _without_circumstance(piece)
        if not had and not moved and rest is piece:
            break
        piece = rest
    polarity = _polarity(piece.text)
    if polarity is Polarity.DENIED and now:
        polarity = Polarity.ENDED
    planned = _plans().match(piece.text) is not None or _EVER.search(piece.text) is not None
    return Predicate(
        piece=piece,
        polarity=polarity,
        known=known,
        habitual=habitual,
        again=again,
        formerly=formerly,
        completed=timed or ending,
        planned=planned,
    )


def _without_circumstance(piece: Piece) -> Piece:
    """The piece without the company, the place or the time that a predicate opens with."""
    together = _WITH.match(piece.text)
    if together is not None and len(together.group()) < len(piece.text):
        piece = piece.part(together.end())
    where = _WHERE.match(piece.text)
    if where is not None and re.match(_DEEDS, piece.text[where.end() :]):
        piece = piece.part(where.end())
    grade = _FROM_GRADE.match(piece.text)
    if grade is not None:
        piece = piece.part(grade.end())
    return piece.part(1) if _BEING.match(piece.text) else piece


def without_companion(piece: Piece, known: Collection[str]) -> Piece | None:
    """The predicate without who took part: 和陆川搬到了上海; None where nobody is named."""
    match = _COMPANION.match(piece.text)
    if match is None:
        return None
    rest = piece.part(match.end())
    named = next((name for name in known if rest.text.startswith(name)), "") or name_at(rest.text)
    kin = re.match(rf"(?:我的?)?{alternation('kin')}", rest.text)
    length = len(named) or (kin.end() if kin is not None else 0)
    return rest.part(length) if 0 < length < len(rest.text) else None


def as_plain(piece: Piece) -> Piece | None:
    """The predicate without what stresses its object or itself: 上的是夜校, 是开出租的."""
    stressed = _OBJECT_STRESSED.match(piece.text)
    if stressed is not None:
        return piece.without(*stressed.span("mark" if stressed["mark"] else "bare"))
    heads = tagged(piece.text)
    whole = piece.text.startswith("是") and piece.text.endswith("的") and len(heads) > 2
    return piece.part(1) if whole and heads[1].tag.startswith("v") else None


def without_adverbs(piece: Piece) -> Piece | None:
    """The predicate without the adverbs inside it: 尿酸也高; None where it has none."""
    found = [word for word in tagged(piece.text) if word.start and word.text in _INNER]
    for word in reversed(found):
        piece = piece.without(word.start, word.end)
    return piece if found else None


def denied(piece: Piece) -> Piece | None:
    """The part of a clause that is denied or ended; None if the clause denies nothing."""
    lasting = _DURATION_BEFORE.match(piece.text)
    start = lasting.end() if lasting else 0
    match = _NO_LONGER.match(piece.text, start) or _NOT.match(piece.text, start)
    return piece.part(match.end()) if match is not None else None


def _joined(piece: Piece) -> tuple[Piece, bool]:
    """The piece with its verb and noun together, and true if they were parted: 辞的职."""
    parted = _SEPARABLE.search(piece.text)
    if parted is None:
        return piece, False
    return piece.without(*parted.span("mark")), True


def _polarity(text: str) -> Polarity:
    if _NO_LONGER.match(text):
        return Polarity.ENDED
    if _NOT.match(text):
        return Polarity.ENDED if _OVER.search(text) else Polarity.DENIED
    return Polarity.ASSERTED


def _stripped(piece: Piece, heads: re.Pattern[str]) -> tuple[Piece, bool]:
    """The piece without such words at its head, where they are words and not part of one."""
    match = heads.match(piece.text)
    if match is None or match.end() >= len(piece.text) or splits(piece.text, match.end()):
        return piece, False
    return piece.part(match.end()), True


@cache
def _connectives() -> re.Pattern[str]:
    return re.compile(rf"(?:{alternation('connectives')}[ ，]*){{1,3}}")


@cache
def _adverbs() -> re.Pattern[str]:
    return re.compile(alternation("adverbs"))


@cache
def _former() -> re.Pattern[str]:
    return re.compile(alternation("formerly"))


@cache
def _plans() -> re.Pattern[str]:
    return re.compile(alternation("plans"))
