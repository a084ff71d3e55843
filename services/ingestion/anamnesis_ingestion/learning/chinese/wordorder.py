"""Clauses told in the plain order: what comes before its verb is put behind it.

瑜伽不练了 is read as 不练瑜伽了, 领导把我调去海外组了 as 我调去海外组了.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce

from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.subjects import name_at
from anamnesis_ingestion.learning.chinese.tagging import tagged
from anamnesis_ingestion.learning.chinese.vocabulary import DURATION, alternation

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
    r"(?P<done>卖掉|卖|买|提到|租到|辞掉|辞|戒掉|戒|考过|考下来|拿到手|拿到|通过|过)(?P<fin>了)"
    r"|(?P<gone>[^，我你他她它的了又也把被在][^，我你的了又也把被在]{1,7}?)(?:已经|就|全|都)?(?P<stopped>停|摘|拆|卸)(?:掉|用|药)?"
    rf"(?P<end>了(?:(?:快|都|有)?{DURATION}了)?)"
)
"""A topic before a verb whose subject is left out: 羽毛球又打起来了, 阿司匹林停了, 车卖了."""
_AND_ME = re.compile(r"(?:和|跟|与)我(?![们的家国俩])")
_LEFT_ME = re.compile(r"(?:刚刚|刚|已经)?把我(?P<left>甩|踹|蹬|抛弃|开除|辞退|解雇|裁)")
_NOT_MINE = re.compile(
    r"(?P<who>[^，我]{1,12}?)(?:自然|也|都|就|现在|已经)*(?P<no>不)归(?P<me>我)(?P<verb>[带管])(?P<over>了)"
)
_GAVE_ME = re.compile(
    r"(?:医生|大夫|医院|专家|公司|单位|学校|老板|领导|房东)(?:又|刚|新)?给(?P<me>我)?(?:们)?"
    r"(?P<gave>开|配|换成|换|改成|加|发|升|涨|调到|调)"
)
_HAVE_ONE = re.compile(
    r"(?P<me>我)(?:还|也)?有一?个(?P<who>{kin}(?:今年|刚|已经|现在|都|快|在|上|读|学)[^，叫]{1,14}|{kin}[\d一二三四五六七八九十两]{1,3}岁[^，]{0,4})"
)
"""A relative who is told of with what they are: 我有个女儿三岁了."""
_SENT_PET = re.compile(r"[^，我]{1,6}(?P<gave>送)(?:给)?了?(?P<me>我)了?(?P<pet>[一两三]只.{1,8})")
_IS_MINE = re.compile(
    r"(?P<what>[^，是我你他她它这那的][^，是我你他她它这那]{0,13}?)(?P<be>就?是)(?P<me>我)的?"
    r"(?P<noun>最(?:喜欢|爱)的[^，]{1,6}|(?!的|{kin}|{social})[^，们]{2,4}(?:的[^，]{1,4})?)"
)
"""What is mine, with the word for it behind: 米老鼠是我最喜欢的角色."""
_NOT_THAT = re.compile(
    r"(?:应该|其实)?(?P<so>是[^，不]{1,10}?)(?:才对)?(?:[，,]?(?:而)?不是[^，]{1,10})$|(?P<end>才对)$"
)
"""What is corrected: 应该是4岁不是3岁."""
_BOSS = r"(?:我们)?(?:公司|单位|学校|医院|老板|领导|组织|部队|总部|集团|部门|经理|主管|上面|上级)"
_MOVES = r"(?=调|派|外派|借调|安排)"
_SENT = re.compile(rf"(?:被|让|叫|给){_BOSS}(?:又|给)?{_MOVES}")
"""Who sends somebody somewhere is no part of where they are: 让公司派到越南去了."""
_SENT_ME = re.compile(rf"{_BOSS}(?:又|刚|已经|就)*(?:把|将|让|派)(?P<me>我)(?:给)?{_MOVES}")
_LET_GO = re.compile(rf"(?P<by>让|叫|给)(?={_BOSS}(?:给)?(?:裁|辞|开除|优化|劝退|炒|解雇))")
_GIVEN = re.compile(
    r"(?<=[^，我你他她])给(?=换|改|配|调|卖|退|停|删|升|裁|辞|优化|弄丢|取消|拆|挪|搬|戒|卸)"
)
"""给 right before its verb says nothing: 电脑给换成了ThinkPad."""
_COPIED = re.compile(
    rf"(?P<verb>[\u4e00-\u9fff])(?P<thing>[^，了过]{{1,8}})(?P<again>(?P=verb))(?=了(?:快|有|都)?{DURATION}了)"
)
"""A verb said again behind its object: 戴隐形眼镜戴了十年."""
_GOES_BACK = re.compile(
    r"(?:回去|回头|回过头来?|倒回去)(?:又|来)?(?=用|吃|喝|做|练|写|开|坐|骑|学|玩)"
)
"""Going back to something is doing it again: 又回去用安卓了."""
_FRONTED = re.compile(
    r"(?P<topic>(?![我你他她它这那])[^，我你他她它把被让给]{1,10}?)(?P<such>这些|那些|这种|那种|这类|之类的?|什么的|的东西)?"
    r"(?P<me>我(?:自己)?)?(?P<adverbs>(?:早就|早已|早|已经|也|都|就|一直|从来|现在|目前|平时|一般|真的|真|是|又|再|全|刚|终于|其实|本来就)*)"
    r"(?P<said>(?:不再|再也不|不太|不怎么|不大|不能|不敢|不|没再|没|很|特别|最|挺)?(?:能|会|爱|敢)?"
    r"(?:吃|喝|碰|沾|用|戒|练|学|玩|打|踢|弹|抽|看|追|做|写|说|卖|退|停|辞|扔|捐|养|卸载|卸|注销|退订|取消|喜欢|爱|讨厌|会|懂|听得懂|戴|买|开|骑|考)"
    r"(?:掉|完|不得|不了|不惯|得懂|腻|过|到|下来|下)?)(?P<over>了?)"
)
_STRESSED = re.compile(
    r"(?:我们?的?|我家的?|这|那)?(?P<topic>[^，我你他她它的了是]{1,6})是(?:我|我们)?(?P<said>买|租|领养|养|换|捡|装|修|办|考|拿)(?:下来?|到)?(?P<over>的)"
)
"""The stress on when something was done: 房子是前年买的."""
_WITH_BA = re.compile(
    r"(?P<adverbs>(?:已经|刚|终于|总算|也|都|就|先)*)(?:把|将)(?P<topic>[^，我你他她它这那把被]{1,10}?)(?:给)?"
    r"(?P<said>(?:考|拿|卖|退|停|戒|辞|买|租|卸|注销|取消|扔|捐|还|换|修|装)(?:下来|下|到手|掉|完|过|到)?)(?P<over>了)"
)
"""A thing before its verb by 把: 把驾照考下来了."""
_ONLY_TOPIC = re.compile(
    r"(?P<topic>[^，我你他她它这那的了在是把被让给跟和]{1,8}(?:的时候)?)(?=我(?![们家爸妈哥姐弟妹的]))"
)
"""What a clause is of, before 我 and a predicate that is whole: 小组作业我负责做PPT."""
_NO_TOPICS = re.compile(
    r"^(?:[今昨明后前每]|上|下|周|星期|早|晚|现在|以前|后来|刚|又|不|没|再|从|在|跟|和|对)|[的了着过]$|时候?$"
)


@dataclass(frozen=True, slots=True)
class Fronted:
    """A clause with its topic put behind its verb."""

    piece: Piece
    of_speaker: bool
    """True if the clause says 我 between the topic and the verb."""


def plain_voice(piece: Piece) -> Piece:
    """The clause without the one who made it so, and without what is said twice.

    老公让公司派到越南去了 is read as 老公派到越南去了, 跑步跑了五年 as 跑步了五年.
    """
    sent = _SENT_ME.match(piece.text)
    if sent is not None:
        piece = piece.part(*sent.span("me")).then(piece.part(sent.end()))
    let_go = _LET_GO.search(piece.text)
    if let_go is not None:
        at = let_go.start("by")
        by = Piece("被", piece.at[at : at + 1])
        piece = piece.part(0, at).then(by).then(piece.part(at + 1))
    corrected = _NOT_THAT.search(piece.text)
    if corrected is not None:
        head, so = piece.part(0, corrected.start()), piece.part(*corrected.span("so"))
        piece = head.then(so) if corrected["so"] else head
    given = () if _GAVE_ME.match(piece.text) else (_GIVEN,)
    for pattern in (_SENT, *given, _GOES_BACK):
        found = pattern.search(piece.text)
        piece = piece if found is None else piece.without(*found.span())
    copied = _COPIED.search(piece.text)
    if copied is not None and any(
        word.start == copied.start("verb") and word.tag[0] in "vn" for word in tagged(piece.text)
    ):
        piece = piece.without(*copied.span("again"))
    return piece


def goes_back(clause: str) -> bool:
    """True for a clause that says so of what is done again: 又回去用安卓了."""
    return _GOES_BACK.search(clause) is not None


def fronted(piece: Piece) -> Fronted | None:
    """The clause with the noun that it opens with behind its verb: 咖啡我早戒了 as 我早戒咖啡了.

    None for a clause that opens with somebody, or with no noun.
    """
    by_ba = _WITH_BA.fullmatch(piece.text)
    if by_ba is not None:
        return Fronted(_in_order(piece, by_ba, ("said", "over", "topic")), of_speaker=False)
    match = _FRONTED.fullmatch(piece.text)
    if match is None:
        return _without_topic(piece)
    if _NO_TOPICS.search(match["topic"].removesuffix("的")):
        return None
    topic = match["topic"]
    if name_at(topic + "说") == topic or re.match(alternation("kin"), topic):
        return None
    if not all(
        word.tag[0] in "nxjleizabg" or word.tag == "vn" for word in tagged(topic.rstrip("的"))
    ):
        return None
    turned = _in_order(piece, match, ("me", "adverbs", "said", "topic", "over"))
    return Fronted(turned, of_speaker=match["me"] is not None)


def _without_topic(piece: Piece) -> Fronted | None:
    """The clause from 我 on, behind a noun that says only of what it is."""
    match = _ONLY_TOPIC.match(piece.text)
    if match is None or name_at(match["topic"] + "说") == match["topic"]:
        return None
    nouns = all(word.tag[0] in "njx" or word.tag == "vn" for word in tagged(match["topic"]))
    kin = re.match(alternation("kin"), match["topic"]) is not None
    return Fronted(piece.part(match.end()), of_speaker=True) if nouns and not kin else None


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
        r"(?P<said>(?:从)?不(?:能|敢|让|可以|怎么|太)?(?:再|多)?[吃喝碰沾])(?P<over>了?)"
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
    stressed = _STRESSED.fullmatch(piece.text)
    if stressed is not None:
        said, topic = piece.part(*stressed.span("said")), piece.part(*stressed.span("topic"))
        over = Piece("了", piece.at[stressed.start("over") :])
        return said.then(over).then(topic)
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
    我开了胰岛素, 公司给配了电脑 as 配了电脑, 小杨不归我带了 as 我不带小杨了.
    """
    told = _told_of_me(piece)
    if told is not None:
        return told
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


def _told_of_me(piece: Piece) -> Piece | None:
    """The clause as told of the speaker, where somebody did something for them."""
    left = _NOT_MINE.fullmatch(piece.text)
    if left is not None:
        return _in_order(piece, left, ("me", "no", "verb", "who", "over"))
    one = _with_kin(_HAVE_ONE).fullmatch(piece.text)
    if one is not None:
        return _in_order(piece, one, ("me", "who"))
    mine = _with_kin(_IS_MINE).fullmatch(piece.text)
    if mine is not None:
        return _in_order(piece, mine, ("me", "noun", "be", "what"))
    sent = _SENT_PET.fullmatch(piece.text)
    if sent is not None:
        have = Piece("有", piece.at[sent.start("gave") :][:1])
        return piece.part(*sent.span("me")).then(have).then(piece.part(*sent.span("pet")))
    gave = _GAVE_ME.match(piece.text)
    if gave is None:
        return None
    done = piece.part(gave.start("gave"))
    return done if gave["me"] is None else piece.part(*gave.span("me")).then(done)


def _in_order(piece: Piece, match: re.Match[str], names: Sequence[str]) -> Piece:
    """The groups of a match that are there, in this order."""
    parts = [piece.part(*match.span(name)) for name in names if match[name]]
    return reduce(Piece.then, parts)


@cache
def _with_kin(pattern: re.Pattern[str]) -> re.Pattern[str]:
    text = pattern.pattern.replace("{kin}", alternation("kin"))
    return re.compile(text.replace("{social}", alternation("social")))
