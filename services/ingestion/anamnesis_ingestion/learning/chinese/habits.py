"""Deeds of every day or week: 每天六点起床, 周三周五有课; an order for every day is none."""

import re
from functools import cache

from anamnesis_ingestion.learning.chinese.cutting import POINTS
from anamnesis_ingestion.learning.chinese.frames import Claim
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.tagging import tagged
from anamnesis_ingestion.learning.chinese.vocabulary import alternation

_OFTEN = r"(?:现在|平均|平时|一般|通常|基本上|基本|都|从小|坚持|已经|还|就|固定)*"
_DAY = r"(?:周|星期|礼拜)(?:[一二三四五六日天末])"
_CLOCK = (
    r"(?:(?:\d{1,2}|[一二三四五六七八九十]{1,3})(?:点(?:[半一二三四五\d][十刻\d]?五?分?)?|:\d\d)"
    r"(?:多|左右|之?前|以前|之?后|以后)?(?:就|才)?)"
)
_PART = (
    r"(?:通勤路上|上班路上|下班路上|路上|睡觉前|早上|早晨|清晨|上午|中午|下午|傍晚|晚上|夜里"
    r"|睡前|饭后|空腹|早|晚)*"
)
_EVERY = (
    rf"(?:每隔?[两三四五六七八九十\d]{{1,2}}个?(?:天|周|月|年|星期)|每个?月的?[一二三四五六七八九十\d]{{1,3}}[号日]|每[逢到][^，我你他她了]{{1,6}}?|每个?周末|每(?:天|晚|早|周|个?月|年|隔|个?星期|逢|到)?[一二三四五六日天末两]*(?!点)(?:[和跟、]?(?:周|星期)[一二三四五六日天])*|天天|{_DAY}[和跟、]?{_DAY}|周[一二三四五六][二三四五六日][四五六日]?"
    rf"|隔天|工作日|(?:平时|一般|通常)(?={_PART}{_CLOCK}))"
)
_HABIT = (
    rf"(?:从[^，]{{2,8}}?(?:开始|起|以来))?(?:我)?{_OFTEN}(?P<held>{_EVERY}{_PART}(?P<me>我)?{_PART}{_CLOCK}?"
    r"(?:[一二两三四五六七八九十\d]{1,2}[次回趟])?(?:都|要|会|就|起来|下班后?|先|坚持|固定|必须|得)*"
    r"(?P<deed>[^，了过]{1,18}))"
)
_WEEKLY = (
    rf"(?:我)?{_OFTEN}(?P<held>(?<![这下上本])(?:{_DAY}|周末){_PART}(?P<me>我)?{_OFTEN}"
    r"(?P<deed>(?:有|要上|上|是)?[^，了过会]{0,8}(?:课|晚班|夜班|早班|白班|值班|休息|轮休|单休|双休)))"
)
_ALWAYS = (
    r"(?:我)?(?P<held>(?:(?!前|去|那|上|.{0,4}[之以]前|.{0,3}当|.{0,3}曾)[^，我你他她它的了在是]{1,6})?(?P<me>我)?(?:一般|通常|平时都?|一直|从来都?|基本上?都?|向来|常年|长期)(?:都|就)?"
    r"(?P<deed>(?:吃|喝|用|点|看|听|穿|坐|骑|开|住|走|去|在|写|玩|睡)[^，了过]{1,12}))"
)
"""What is always so: 狗粮一直吃皇家的."""
_OFTEN_DONE = (
    r"(?:我)?(?P<held>(?:一周|一个月|一年|一天|每周|每个?月|每年)(?P<me>我)?(?:会|要|都|大概|至少|差不多)*"
    r"(?P<deed>(?:去|打|吃|看|跑|回|做|游|练|喝|爬|踢|洗|剪|上|聚|聊|量|称|测)[一二两三四五六七八九十\d]{1,2}(?:次|回|趟|场|顿|杯|节|遍)[^，了过]{0,8}))"
)
"""How often something is done: 一个月去一次剧场."""
_CLOCKED = (
    rf"(?:我)?(?P<held>(?:现在)?(?P<me>我)?(?:一般|通常|平时|都|改成|改为|调到|基本)*{_PART}{_CLOCK}(?:就|才|准时)?"
    r"(?P<deed>睡得着|睡觉?|起床?|上班|下班|出门|到家|上床|开门|关门|开店|吃饭))了?"
)
"""When somebody sleeps, rises, works: 现在改成十二点睡."""
_NOW_SO = re.compile(r"才睡得|一般|通常|平时|都|改成|改为|调到|基本")
_RIDES = (
    r"(?:现在|目前)?(?:我)?(?P<held>(?:平时|一般|通常|上下班|上班|上学)(?P<me>我)?(?:都|就|一般|基本)*"
    r"(?P<deed>(?:坐|骑|开|乘|走路|步行)[^，了过]{1,10})"
    r"|(?:坐|骑|开|乘)(?!过|了)[^，了过我]{1,8}(?:通勤|上下班|上班|上学))"
)
_MEAL = r"(?:早餐|午餐|中餐|晚餐|早饭|午饭|晚饭|宵夜)"
_WHILE = (
    rf"(?:{_DAY}|周末|{_MEAL}|早上|早晨|上午|白天|夜里|中午|下午|晚上|睡前|饭后|下班后?|放学后?|上班"
    r"|通勤路上|上班路上|下班路上|午休|冬天|夏天|春天|秋天|假期|放假)"
)
_FIXED = (
    rf"(?:我的?)?(?P<held>(?<![这下上本今明昨每]){_WHILE}{_PART}(?P<me>我)?(?:一般|固定|通常|经常|常常?|总是|老|基本上?|基本都|雷打不动|有空就|没事就|都会|都要|都|习惯)+"
    r"(?:去)?(?P<deed>[^，了过]{1,18}))"
)
"""What is done on one day of the week, and said to be so always: 周五晚上固定打羽毛球."""
_LIMIT = (
    r"(?:我)?(?P<held>(?:[^，我你他她它]{1,6})?(?P<me>我)?(?:一周|一天|每周|每天|一个月|每个?月|一顿|一年)"
    r"(?:最多|只|至多|顶多|不超过|只能)(?P<deed>[喝吃抽玩用花跑练做买看点][^，了过]{1,10}"
    r"|[\d一二两三半]{1,3}(?:杯|根|顿|次|小时|片|个小时|瓶|碗)))了?"
)
"""How much somebody allows themselves: 奶茶一周最多喝一杯."""
_SELDOM = (
    r"(?:我)?(?P<held>(?:[^，我你他她它的]{1,8}(?:的东西)?)?(?P<me>我)?(?:基本上?|几乎|从来|平时|一般)(?:都)?(?:不|很少|从不)"
    r"(?P<deed>[\u4e00-\u9fff][^，了过]{0,8}))"
)
"""What somebody hardly ever does: 我基本不开车."""
_SELDOM_DONE = re.compile(
    r"(?:怎么|大|太|再)?(?:吃|喝|碰|用|开车|开火|做饭|出门|熬夜|加班|化妆|看|玩|打|写|买|点外卖|逛|抽|喝酒|参加|联系|运动|应酬|发|戴|坐|骑|睡午觉|午睡|住|回|穿)[^，是在]{0,6}"
)
_LISTED = r"{habits}[^，了过]{{0,14}}(?<![去打踢喝学练骑])"
_NO_DEED = re.compile(
    r"[会能想可应需怕被把给让请叫用记](?!爸|妈|父|老|孩|儿|女|家里)|觉得|感觉|认为|希望|看到|遇到|听到|知道|说|问|聊|忙|累|担心|面对|等|发生|像|陪我|有(?!.*[课班会])|是|提醒|推送|发(?!工资|薪|奖金|货)|生成|输出|汇报|告诉|帮"
)
"""A deed that says little of whoever does it so often, or that may be an order."""


_SO_MUCH = re.compile(r"[走跑骑喝吃睡做练写背读看游打][\d一二两三四五六七八九十百千万]+.")
_AT_A_PLACE = re.compile(
    r"(?:回去|过去|回家)(?:吃饭|看看|住|陪.{1,4}|看.{1,4})|(?:在|去|回)[^，是了过]{1,8}?(?:吃|吃饭|睡|午睡|办公|远程办公|上班|练|跑步|看书|画画|做饭|带娃|加班|休息|健身|自习)"
)
_DEED_CHARS_MIN = 2
_WITH = re.compile(
    r"^(?:跟|和|陪|带|送|接)[^，去打踢看吃爬跑逛玩回学练上]{1,6}?(?=去|打|踢|看|吃|爬|跑|逛|玩|回|学|练|上)"
)
"""Whom something is done with, before the deed."""
_MY_KIN = re.compile(
    r"我(?=[爸妈姐哥弟妹们家]|爷爷|奶奶|外[婆公]|老[公婆])|(?<=[\u4e00-\u9fff])那(?=[儿边里])"
)
"""Words for one's own people and where they are, which point at nothing."""


def habit(whole: Piece, *, goes_on: bool = False) -> Claim | None:
    """The habit that a clause tells, with its days; the clause is without its subject.

    `goes_on` is true where the clause before told of one: 一般十一点睡，七点起.
    """
    clocked = re.fullmatch(_CLOCKED, whole.text)
    if clocked is not None and (goes_on or _NOW_SO.search(clocked["held"])):
        return Claim("does", _without_me(whole, clocked))
    for pattern in _patterns():
        match = pattern.fullmatch(whole.text)
        if match is None or POINTS.search(_MY_KIN.sub("", match["held"]).replace("我", "")):
            continue
        if "提醒" in match["held"] or not _fits(pattern.pattern, match["deed"] or ""):
            continue
        return Claim("does", _without_me(whole, match))
    return None


def _without_me(whole: Piece, match: re.Match[str]) -> Piece:
    held = whole.part(*match.span("held"))
    at = match.start("me") - match.start("held")
    return held.without(at, at + 1) if match["me"] else held


def _fits(pattern: str, deed: str) -> bool:
    if pattern == _SELDOM:
        return _SELDOM_DONE.fullmatch(deed) is not None
    if pattern == _ALWAYS and deed.endswith("的") and deed[0] in "吃喝用穿":
        return True
    return pattern in {_RIDES, _LIMIT, _OFTEN_DONE} or _is_deed(
        _WITH.sub("", _MY_KIN.sub("", deed))
    )


def _is_deed(deed: str) -> bool:
    """True for a deed by its verb, and what it is done to or where."""
    if re.fullmatch(_listed(), deed):
        return True
    if _NO_DEED.match(deed) or len(deed) < _DEED_CHARS_MIN:
        return False
    if _SO_MUCH.match(deed):
        return True
    tags = tagged(deed)
    if len(tags) == 1:
        return tags[0].tag == "l" or (tags[0].tag == "n" and deed[0] in "开上打做练学写读看")
    if _AT_A_PLACE.fullmatch(deed) or re.fullmatch(r"[吃喝][^，是了过饱完]{2,10}", deed):
        return True
    acts = tags[0].tag[0] == "v" or (tags[0].text in "在去到有上给" and len(tags) > 1)
    return acts and any(word.tag[0] in "nmtjel" or word.tag == "vn" for word in tags[1:])


@cache
def _listed() -> str:
    return _LISTED.format(habits=alternation("habits"))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(
        map(re.compile, (_HABIT, _WEEKLY, _FIXED, _OFTEN_DONE, _ALWAYS, _RIDES, _LIMIT, _SELDOM))
    )
