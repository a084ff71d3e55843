"""Deeds that somebody means to do: 打算明年搬去大理, 下个月去日本出差.

A plan is told as one, and never as what holds. An order is no plan: 准备一份报告 needs its subject
or its day. Nor is what anybody does tonight.
"""

import re
from dataclasses import dataclass

from anamnesis_ingestion.learning.chinese.cutting import POINTS
from anamnesis_ingestion.learning.chinese.frames import Claim
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.tagging import splits, tagged
from anamnesis_ingestion.learning.chinese.vocabulary import Change, alternation

_MEANT = re.compile(
    r"(?P<no>不|没|并不|并没|没有)?(?P<word>打算|决定|计划|准备|想好|约好|约了|约|说好|定好|报好了?名)(?:了|好)?(?:着|要|再|就|先)*(?P<deed>.{2,20}?)(?P<over>了?)"
)
_AHEAD = re.compile(
    r"(?P<day>这?(?:周|星期|礼拜)[一二三四五六日天末](?:[早晚]上|[上下]午)?)?"
    r"(?P<will>(?:就|要|将|会|得|准备|打算|计划|决定)*)(?P<deed>(?:(?:带|陪|送|跟|和)[^，去]{1,5}?(?:一起)?去?)?{deeds}.{0,16}?)了?"
)
_BOOKED = re.compile(
    r"(?:订|买|抢|定)(?:了|的是|到了?|好了?)(?:张|的)*(?:飞机|机票|高铁票?|动车票?|火车票?|航班|船票|票)(?P<deed>(?:去|到|飞|回)[^，我你他她了]{2,8})了?"
)
"""A journey by its ticket: 订了后天的飞机去昆明."""
_MY_KIN = re.compile(r"我(?=[爸妈姐哥弟妹]|爷爷|奶奶|外[婆公]|老[公婆]|女儿|儿子|孩子)")
_CANCELLED = re.compile(
    r"(?P<deed>(?!每)[^，我你他她它的了]{2,8}?)(?:被|又|也|都|最后|还是)*(?:取消|黄|泡汤|吹|作废)了"
)
_WILL = frozenset("要得将")
_ORDERS = frozenset({"计划", "准备"})
"""Verbs that are an order where nobody is said to do it."""
_IDLE = re.compile(
    r"(?:去|先|再|好好|继续|开始)*(?:睡|吃|休息|试试|看看|问|说|聊|想|写|发|做(?!手术|生意|胃镜|肠镜|检查|体检|核磁|产检)|下班|起床|出门|洗|弄|搞|查|给|跟|和|把|用|让|请|不|放弃|了解)"
)

_SPOILT = re.compile(r"^(?:生日|纪念日)$|[吗呢吧？?]|^搬过[去来]$|一下|^[没有是]")


@dataclass(frozen=True, slots=True)
class Plan:
    """A deed that is meant; `off` is true where it is meant no more."""

    deed: Piece
    off: bool

    @property
    def claim(self) -> Claim:
        """The plan as a claim."""
        return Claim("plans", self.deed, Change.END if self.off else Change.STATE)


def plan(predicate: Piece, *, ahead: bool, timed: bool, written: bool) -> Plan | None:
    """The plan that a predicate tells, without its words of time.

    `timed` is true where it has any, `ahead` where they lie ahead of the telling, and `written`
    where its subject is.
    """
    off = _CANCELLED.fullmatch(predicate.text)
    if off is not None:
        return Plan(predicate.part(*off.span("deed")), off=True)
    meant = _MEANT.fullmatch(predicate.text)
    if meant is not None:
        deed = predicate.part(*meant.span("deed"))
        parted = splits(predicate.text, meant.end("word"))
        led = tagged(deed.text)[0].tag == "p" or re.match(alternation("deeds"), deed.text)
        ordered = meant["word"] in _ORDERS and not (written or ahead or led)
        return None if parted or ordered else _plan(deed, off=meant["no"] is not None)
    booked = _BOOKED.fullmatch(predicate.text)
    if booked is not None and ahead:
        return Plan(predicate.part(*booked.span("deed")), off=False)
    to_come = re.fullmatch(_AHEAD.pattern.replace("{deeds}", alternation("deeds")), predicate.text)
    if to_come is None:
        return None
    willed = not _WILL.isdisjoint(to_come["will"]) and (timed or to_come["day"])
    return _plan(predicate.part(*to_come.span("deed")), off=False) if ahead or willed else None


def _plan(deed: Piece, *, off: bool) -> Plan | None:
    text = _MY_KIN.sub("", deed.text)
    acts = (
        tagged(text)[0].tag[0] in "vp" or text[0] in "带陪" or re.match(alternation("deeds"), text)
    )
    spoilt = POINTS.search(text) or _SPOILT.search(text) or _IDLE.match(text)
    return Plan(deed, off) if acts and not spoilt else None
