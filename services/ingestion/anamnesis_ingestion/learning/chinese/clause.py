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
_EVER = re.compile(r"[\u4e00-\u9fff]过(?!敏|年|期|分|来|去|得|程|渡|节|山|滤|户|夜)")
_PARTICLES = re.compile(
    r"(?:的别忘了|别忘了|记住了|记住哈|的呢|呢|啦|啊|呀|哦|噢|哈|嘛|哟|喔|咯|喽|哒|呐|等等|等|什么的|之类的)+$"
)
_DURATION_BEFORE = re.compile(rf"(?:都|已经|快)?{DURATION}(?=没|不)")
_BEING = re.compile(r"是(?=[对在从住跟和])")
_SEPARABLE = re.compile(r"[辞离结领分退搬转毕升提](?P<mark>[了的完])(?=[职婚证手休家学业分])")
"""A verb with its noun, parted by a particle: 辞了职, 离的婚."""
_STRESSED = re.compile(r"是(?=我[^，是]{1,12}的)")
"""是 before the one who did it: 是我提的分手."""
_AFTER = re.compile(r"[^，我你他她如]{2,12}(?:以后|之后)(?=我[^，]*了)")
"""A clause of time before its subject, where what follows has happened: 孩子出生以后我就辞职了."""
_SINCE_THEN = re.compile(
    r"[^，我你他她如]{2,12}(?:出生|去世|过世|走|毕业|结婚|离婚|生病|住院|上学|退休)(?:了)?(?:以后|之后|后)(?=就|才|一直|便|[爷奶外爸妈我姥公婆])"
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
    together = piece.without(*parted.span("mark"))
    return (together.part(1) if together.text[0] == "是" else together), True


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
    return re.compile(rf"(?!每个?(?:周|星期|礼拜)[一二三四五六日天]){alternation('adverbs')}")


@cache
def _former() -> re.Pattern[str]:
    return re.compile(alternation("formerly"))


@cache
def _plans() -> re.Pattern[str]:
    return re.compile(alternation("plans"))
