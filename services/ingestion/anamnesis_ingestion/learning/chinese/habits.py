"""Deeds of every day or week: 每天六点起床, 一个月休四天; an order for every day is none.

A habit is a deed behind words of how often or when it is done. The words are read one after the
other; what is left is the deed.
"""

import re
from dataclasses import dataclass
from functools import cache

from anamnesis_ingestion.learning.chinese.cutting import POINTS
from anamnesis_ingestion.learning.chinese.frames import Claim
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.tagging import splits, tagged
from anamnesis_ingestion.learning.chinese.vocabulary import alternation

_COUNT = r"[半\d一二两三四五六七八九十]{1,2}"
_DAY = r"(?:周|星期|礼拜)[一二三四五六日天末]"
_TIMES = rf"(?=[^，]{{1,8}}?{_COUNT}[次回趟天顿遍针片粒杯瓶根场个])"
_EVERY = (
    rf"每隔?{_COUNT}个?(?:天|周|月|年|星期)|每个?月的?{_COUNT}[号日]|每[逢到][^，我你他她了]{{1,6}}?(?=[都要会去回]|$)"
    rf"|每(?:天|晚|早|周|个?月|年|隔|个?星期|个?周末)[一二三四五六日天末两]*(?!点)(?:[和跟、](?:周|星期)?[一二三四五六日天]|(?:周|星期)[一二三四五六日天])*"
    rf"|天天|隔天|工作日|{_DAY}[和跟、]?{_DAY}|周[一二三四五六][二三四五六日][四五六日]?"
    rf"|{_COUNT}个?(?:天|周|月|星期|年|学期|顿){_TIMES}|(?:一周|一天|一个月|一顿)(?=最多|只|至多|顶多|不超过)"
)
_OFTEN = (
    r"一般|通常|平时|平常|经常|常常|时常|常年|长期|常|总是|老是|总|老|一直|向来|从来|定期|固定|习惯|偶尔|有时候?|几乎"
    r"|基本上?|从小|坚持|雷打不动|一向|(?:有空|没事)就|最多|至多|顶多|不超过|只能|只"
    r"|(?:睡觉|出门|上班|上学|上课|吃饭|开会|做饭|开车|下班|回家|过年|放假)(?=(?:都|要|得|总|必须|基本)+[^，]{2}|[戴穿用])"
)
_WHEN = (
    r"(?:通勤|上班|下班|回家)路上|(?:睡觉?|饭|课|吃饭|上班|下班|放学|断电)[之以]?[前后]|早上|早晨|清晨|上午|中午|下午|傍晚|晚上|夜里|午休|白天|空腹"
    r"|(?:早|午|中|晚)[餐饭]|宵夜|[春夏秋冬]天|秋假|寒假|暑假|假期|放假|下班|放学|上班(?=[^，])|早|晚|路上|周末"
)
_CLOCK = (
    r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})(?:点(?:[半一二三四五\d][十刻\d]?五?分?)?|:\d\d)"
    r"(?:多|左右|之?前|以前|之?后|以后)?"
)
_CLOCK = rf"{_CLOCK}(?:到(?:凌晨|早上|下午|晚上)?{_CLOCK})?"
_FILL = (
    rf"从[^，]{{2,8}}?(?:开始|起|以来)|现在|目前|平均|都|要|会|就|起来|先|必须|得|也|还|才"
    rf"|差不多|大概|至少|主要|已经|自己|准时|{_COUNT}[次回趟]"
)
_STEP = re.compile(
    rf"(?P<every>{_EVERY})|(?P<often>{_OFTEN})|(?P<day>(?<![这下上本今明昨每]){_DAY})|(?P<when>{_WHEN})|(?P<clock>{_CLOCK})"
    rf"|(?P<fill>{_FILL})|(?P<me>我)"
)
_SIGNS = frozenset({"every", "often"})
_TOPIC_CHARS_MAX = 8
_CLOCKED = re.compile(
    r"睡得着|睡觉?|起床?|上班|下班|出门|到家|上床|开门|关门|开店|吃饭|午睡|熄灯|断电|上课|放学"
)
"""What is done by the clock."""
_CHANGED = re.compile(r"改成|改为|调到|才睡得")
_NOWHERE = re.compile(rf"[去来]{_COUNT}[次回趟]")
"""Where to is not said: 每周去三次."""
_SHIFTS = re.compile(
    r"(?:有|要上|上|是)?[^，了过会]{0,8}(?:课|晚班|夜班|早班|白班|值班|休息|轮休|单休|双休)"
)
"""What is done on one day of a week, without a word more."""
_RIDES = re.compile(
    r"(?:坐|骑|开|乘|走路|步行|打车)(?!过|了)[^，了过我]{0,8}(?:通勤|上下班|[上下]班|上学|[去到](?:学校|公司|单位))"
)
"""How somebody gets to work."""
_SELDOM = re.compile(r"很少|从不|不")
_SELDOM_DONE = re.compile(
    r"(?:怎么|大|太|再)?(?:吃|喝|碰|用|开车|开火|做饭|出门|熬夜|加班|化妆|看|玩|打|写|买|点外卖|逛|抽|喝酒|参加|联系|运动|应酬|发|戴|坐|骑|睡午觉|午睡|住|回|穿)[^，是在]{0,6}"
)
_LISTED = r"{habits}[^，了过]{{0,14}}(?<![去打踢喝学练骑])"
_NO_DEED = re.compile(
    r"比如|例如|尤其|往|忘|[会能想可应需怕被把给让请叫用记](?!爸|妈|父|老|孩|儿|女|家里)|觉得|感觉|认为|希望|看到|遇到|听到|知道|说|问|聊|忙|累|担心|面对|等|发生|像|陪我|有(?!.*[课班会])|是|提醒|推送|发(?!工资|薪|奖金|货|一次)|生成|输出|汇报|告诉|帮"
)
"""A deed that says little of whoever does it so often, or that may be an order."""
_SO_MUCH = re.compile(
    r"[走跑骑喝吃睡做练写背读看游打去休上洗剪爬踢发吸抽][\d一二两三四五六七八九十百千万半]+."
)
_AT_A_PLACE = re.compile(
    r"(?:回去|过去|回家)(?:吃饭|看看|住|陪.{1,4}|看.{1,4})|(?:在|去|回)[^，是了过]{1,8}?(?:吃|吃饭|睡|午睡|办公|远程办公|上班|练|跑步|看书|画画|做饭|带娃|加班|休息|健身|自习)"
)
_DEED_CHARS_MIN, _DEED_CHARS_MAX = 2, 20
_WITH = re.compile(
    r"^(?:跟|和|陪|带|送|接)[^，去打踢看吃爬跑逛玩回学练上]{1,6}?(?=去|打|踢|看|吃|爬|跑|逛|玩|回|学|练|上)"
)
"""Whom something is done with, before the deed."""
_MY_KIN = re.compile(
    r"我(?=[爸妈姐哥弟妹们家]|爷爷|奶奶|外[婆公]|老[公婆])|(?<=[\u4e00-\u9fff])那(?=[儿边里])"
)
"""Words for one's own people and where they are, which point at nothing."""


@dataclass(frozen=True, slots=True)
class _Lead:
    """The words of how often and when that a clause opens with, and where its deed begins."""

    kinds: frozenset[str]
    deed: int
    last: int
    """The place where the last of these words begins."""
    me: tuple[int, ...]


def habit(whole: Piece, *, goes_on: bool = False) -> Claim | None:
    """The habit that a clause tells, with its days; the clause is without its subject.

    `goes_on` is true where the clause before told of one: 一般十一点睡，七点起.
    """
    text = whole.text.rstrip("了") if _CHANGED.search(whole.text) else whole.text
    if _RIDES.fullmatch(text):
        return Claim("does", whole.part(0, len(text)))
    lead = _lead(text, 0) or _behind_topic(text)
    if lead is None and not goes_on:
        return None
    lead = lead or _Lead(frozenset(), 0, 0, ())
    deed = text[lead.deed :] or text[lead.last :]
    if not _is_habit(deed, lead, text, goes_on=goes_on) or _points(text):
        return None
    held = whole.part(0, len(text))
    for at in reversed(lead.me):
        held = held.without(at, at + 1)
    return Claim("does", held)


def _lead(text: str, start: int) -> _Lead | None:
    """The words of how often and when from a place on; None for none."""
    kinds, me, at, last = set(), [], start, start
    while (step := _STEP.match(text, at)) is not None and step.end() > at:
        if splits(text, step.end()) and step.lastgroup != "every":
            break
        kinds.add(step.lastgroup or "")
        me += [at] if step.lastgroup == "me" else []
        at, last = step.end(), at
    return _Lead(frozenset(kinds), at, last, tuple(me)) if kinds else None


def _behind_topic(text: str) -> _Lead | None:
    """The same behind a noun that is spoken of: 奶茶一周最多喝一杯."""
    for end in range(1, min(_TOPIC_CHARS_MAX, len(text) - 1) + 1):
        step = _STEP.match(text, end)
        if step is None or step.lastgroup not in _SIGNS or splits(text, end):
            continue
        topic = tagged(text[:end])
        nominal = all(word.tag[0] in "nljx" or word.tag in {"uj", "vn"} for word in topic)
        return _lead(text, end) if nominal else None
    return None


def _is_habit(deed: str, lead: _Lead, text: str, *, goes_on: bool) -> bool:
    """True for a deed that is done as often as its words say, or goes on with another."""
    if len(deed) > _DEED_CHARS_MAX or re.search(r"[，了过]", deed) or "提醒" in text:
        return False
    if _NOWHERE.fullmatch(deed):
        return False
    often = not _SIGNS.isdisjoint(lead.kinds)
    if "clock" in lead.kinds and _CLOCKED.fullmatch(deed):
        return often or goes_on or _CHANGED.search(text) is not None
    if "day" in lead.kinds and _SHIFTS.fullmatch(deed):
        return True
    seldom = _SELDOM.match(deed)
    if seldom is not None:
        return often and _SELDOM_DONE.fullmatch(deed, seldom.end()) is not None
    return (often or goes_on) and _is_deed(_WITH.sub("", _MY_KIN.sub("", deed)))


def _points(text: str) -> bool:
    return POINTS.search(_MY_KIN.sub("", text).replace("我", "")) is not None


def _is_deed(deed: str) -> bool:
    """True for a deed by its verb, and what it is done to or where."""
    if re.fullmatch(_listed(), deed):
        return True
    if _NO_DEED.match(deed) or len(deed) < _DEED_CHARS_MIN:
        return False
    tags = tagged(deed)
    if _SO_MUCH.match(deed) or any(word.tag in {"ud", "uv"} for word in tags):
        return _SO_MUCH.match(deed) is not None
    if len(tags) == 1:
        return tags[0].tag == "l" or (tags[0].tag == "n" and deed[0] in "开上打做练学写读看")
    if _AT_A_PLACE.fullmatch(deed) or re.fullmatch(r"[吃喝用穿][^，是了过饱完]{2,10}", deed):
        return True
    noun_first = tags[0].tag == "n" and tags[1].tag == "v" and re.search(_CLOCK, deed) is not None
    acts = (
        noun_first
        or tags[0].tag[0] == "v"
        or (tags[0].text in "在去到有上给戴穿" and len(tags) > 1)
    )
    return acts and any(word.tag[0] in "nmtjel" or word.tag == "vn" for word in tags[1:])


@cache
def _listed() -> str:
    return _LISTED.format(habits=alternation("habits"))
