"""Chinese clauses to facts: the subject is read first, then the predicate by its pattern.

A clause without a subject goes on with the one before it; where there was none it is the
speaker, for patterns that people say of themselves only.
"""

import re

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import chinese_words as words
from services.ingestion.learning.local.chinese_events import EVENT_FRAMES, THING_FRAMES
from services.ingestion.learning.local.chinese_frames import (
    BOUND_FRAMES,
    SKILL_FRAMES,
    TASTE_FRAMES,
    TIE_FRAMES,
    frame_of,
)
from services.ingestion.learning.local.chinese_pattern import Pattern, Who
from services.ingestion.learning.local.chinese_patterns import (
    AS_TOLD,
    CHORES,
    COMING,
    FUTURE,
    HABIT,
    PAST,
    PATTERNS,
    SKILL_TOPIC,
    SOON,
    SPECIFIC,
    STANDING,
    WISH,
)
from services.ingestion.learning.local.chinese_people import NAME, ROLE, relations
from services.ingestion.learning.local.chinese_reading import (
    FOUND,
    ad_hoc,
    drafted,
    named,
    read_subject,
)
from services.ingestion.learning.local.drafts import Clause, Draft
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.learning.local.scene import Scene

_K, _P = FactKind, Predicate
PERSON_FRAMES = (*TIE_FRAMES, *BOUND_FRAMES, *TASTE_FRAMES, *SKILL_FRAMES, *EVENT_FRAMES)
_THING = re.compile(
    r"^(?P<s>[\u4e00-\u9fffA-Za-z][\w\u4e00-\u9fff .-]{0,14}?)"
    r"(?:的(?P<p>[\w\u4e00-\u9fff ]{1,16}?))?"
    r"(?:是|为|在|有|跑在|用的是|端口是|版本是)(?P<o>.{1,40})$"
)
_THING_NOT = re.compile(
    r"^(?:[这那它你您]|什么|如果|问题|原因|主要|有|就|都|不|我|他|她|大家|有人|关键|今天|现在"
    r"|默认|重点|结果|目的|意思|.{0,8}(?:写|说|用|看)的是)"
)
_IDLE_PAST = re.compile(
    r"(?:吗|呢|吧)$|^(?:问|说|觉得|看了一?下|试了|发了|改了)|不"
    r"|^.{1,3}了[\d一二三四五六七八九十两几半]+(?:多)?(?:年|个月|天|次|遍|小时)$"
)
# Who is told by a doctor or a coach what to do is who it binds.
_ORDERED = re.compile(
    r"^(?:医生|大夫|教练|营养师|律师|中医)(?:说|让|叫|建议|嘱咐|叮嘱|要求)(?=(?:我|他|她)(?!们))"
)
_FORMERLY = re.compile(r"以前|之前(?!要|得)|过去|曾经|原来|原先|从前|早些年|当年|小时候")
_ANNOUNCED_CHARS_MIN = 4
_SETTLED = re.compile(
    r"(?:商量|说|讲|谈|想|打算|决定|约|定)(?:好|定|妥)了?$|定下来了?$|拍板了?$|^(?:最终"
    r"|最后)?(?:决定|结论|方案)(?:是)?$"
)
_LOOKED = re.compile(
    r"(?:查|排查|折腾|研究|调试|试|找|琢磨|观察)了?(?:.{0,4}(?:半天|天|小时|晚上|圈|遍|下来"
    r"|好久))$|(?:实测|观察|测试|对比|统计)下来$"
    r"|(?:搞|弄|查|闹)(?:清楚|明白|清)了?$|^(?:后来|现在|今天|刚刚?|我)*才(?:知道|明白|发现"
    r"|搞清楚|弄明白|意识到)$|真相大白|破案了"
)
_ELIDED_STATE = re.compile(
    r"^(?P<o>(?![一都也就这那])[\u4e00-\u9fff]{1,4})(?:都|也)?(?P<v>可以|不行|能吃|不能吃|没问题"
    r"|不要)$"
)


def chinese_facts(clause: Clause, scene: Scene) -> list[Draft]:
    """The facts of one clause; the scene learns who was spoken of."""
    plain = words.plain(clause.text)
    subject, rest, written = read_subject(_ORDERED.sub("", plain), scene)
    found = list(relations(plain, clause, scene))
    if found and re.search(r"叫|是", plain):
        scene.carried = found[0].persons[0]
        return found
    wish = _wish(plain, clause, scene)
    if wish:
        return [*found, wish]
    if scene.awaited is None and _announces(plain, scene):
        scene.carried = subject or scene.carried
        return found
    draft = (
        _announced(plain, clause, scene, subject)
        or _framed(plain, clause, scene, PERSON_FRAMES)
        or _told(clause, scene, (subject, rest, written), plain)
        or _framed(plain, clause, scene, THING_FRAMES)
        or _thing(plain, clause, scene, subject)
    )
    if subject:
        scene.carried = "" if rest.startswith("的") and draft is None else subject
    return [*found, draft] if draft else found


def _framed(plain: str, clause: Clause, scene: Scene, frames: tuple[Pattern, ...]) -> Draft | None:
    """What a clause tells with its topic first, without a subject, or of a thing."""
    found = frame_of(plain, clause, scene, lambda written: named(written, scene), frames)
    if found is None or (_FORMERLY.search(plain) and found[0].kind is not _K.EXPERIENCE):
        return None
    made, subject, said = found
    if (made.kind is _K.DECISION and CHORES.search(said)) or re.search(r"第.{1,3}行", said):
        return None
    if made.predicate is _P.DISCOVERED:
        said = re.sub(r"^(?:问题|毛病|原因|根源|症结)(?:出在|在于|是出在)", "", said)
        thing = FOUND.match(said)
        subject = thing["s"].strip() if thing else subject
    if made.kind is _K.RELATIONSHIP:
        who = re.search(rf"{NAME}|{words.FULL_NAME}|(?:{ROLE}|师傅)(?=姓)", said)
        scene.mention(who.group() if who else "")
        scene.carried = who.group() if who else scene.carried
    return drafted(clause, subject, said, made, scene)


def _announces(plain: str, scene: Scene) -> bool:
    """Whether the clause only says that something was settled or found; what, comes next."""
    settled, looked = _SETTLED.search(plain), _LOOKED.search(plain)
    scene.awaited = _K.DECISION if settled else _K.DISCOVERY if looked else None
    return scene.awaited is not None


def _announced(plain: str, clause: Clause, scene: Scene, subject: str) -> Draft | None:
    """What comes after `商量好了` or `查了半天`: a decision or a finding."""
    awaited, scene.awaited = scene.awaited, None
    if awaited is None or len(plain) < _ANNOUNCED_CHARS_MIN:
        return None
    if awaited is _K.DECISION:
        decided = ad_hoc(_SETTLED, _P.DECIDED, _K.DECISION, 0.75, dated=True)
        return drafted(clause, subject or scene.carried or scene.speaker, plain, decided, scene)
    said = re.sub(r"^(?:是|原来|结果|发现|因为|问题是)+", "", plain)
    thing = FOUND.match(said)
    found = ad_hoc(_LOOKED, _P.DISCOVERED, _K.DISCOVERY, 0.7, dated=True)
    return drafted(clause, thing["s"].strip() if thing else scene.speaker, said, found, scene)


def _told(clause: Clause, scene: Scene, read: tuple[str, str, bool], plain: str) -> Draft | None:
    subject, rest, written = read
    who = subject or (scene.carried if not written else "")
    told = words.without_head(rest)
    for pattern in PATTERNS:
        match = pattern.pattern.match(told) or pattern.pattern.match(rest)
        if not match or not match["o"].strip() or not _takes(pattern, who, scene, written):
            continue
        if _FORMERLY.search(plain) and not pattern.dated:
            return None
        if re.match(r"要(?!求)|得|需", match.group()) and not re.search("每|都|经常", plain):
            continue
        return drafted(
            clause, _about(pattern, match, who or scene.speaker, scene), match["o"], pattern, scene
        )
    return None if rest.startswith("的") else _happened(clause, scene, who, told)


def _about(pattern: Pattern, match: re.Match[str], who: str, scene: Scene) -> str:
    """A finding is about the thing found, an order about who is ordered."""
    if pattern.predicate is _P.DISCOVERED:
        thing = FOUND.match(match["o"])
        return thing["s"].strip() if thing else who
    ordered = re.match(r"(?:要求|规定|不让|不许|让)(?P<whom>他|她|我(?!们))", match.group())
    if ordered:
        return scene.third if ordered["whom"] in "他她" and scene.third else scene.speaker
    return who


def _takes(pattern: Pattern, who: str, scene: Scene, written: bool) -> bool:
    """Whether the pattern goes with the subject; without one only where people mean themselves."""
    if not who:
        return pattern.bare and not written
    group = re.fullmatch(words.GROUPS, who) is not None
    if pattern.who is Who.PERSON:
        return not group or who in {"老板", "领导", "客户", "医生", "老师", "教练", "房东"}
    if pattern.who is Who.SPEAKER:
        return who in {scene.speaker, "我们"}
    return pattern.who is Who.ANY or group


def _happened(clause: Clause, scene: Scene, who: str, rest: str) -> Draft | None:
    """What somebody did, or what is to happen to them."""
    plain = words.plain(clause.text)
    timed = re.search(words.TIME, plain)
    told = AS_TOLD.match(rest)
    if re.match(r"^(?:没|不|别)", rest) or (
        not who and not (timed or told or re.match(r"(?:刚|终于|总算)", plain))
    ):
        return None
    who = who or scene.speaker
    past = None if CHORES.search(rest) else PAST.match(rest) or told
    speaks = who in {scene.speaker, "我们"}
    if (
        past
        and not _IDLE_PAST.search(rest)
        and (speaks or timed or not re.fullmatch(words.GROUPS, who))
    ):
        event = not speaks and re.search(words.KIN, who) is not None
        made = ad_hoc(PAST, _P.HAPPENED if event else _P.DID, _K.EXPERIENCE, 0.7, dated=True)
        return drafted(clause, who, past["o"], made, scene)
    coming = COMING.match(rest)
    if coming and timed and not re.match(r"(?:你|不|是|说|求|么|好)", coming["o"]):
        kind = _K.EVENT if who not in {scene.speaker, "我们"} else _K.GOAL
        return drafted(
            clause,
            who,
            coming["o"],
            ad_hoc(COMING, _P.WILL_HAPPEN, kind, 0.7, dated=True),
            scene,
        )
    return _habit_or_plan(clause, scene, who, rest)


def _habit_or_plan(clause: Clause, scene: Scene, who: str, rest: str) -> Draft | None:
    """What somebody does every day, or is to do on a day to come."""
    plain = words.plain(clause.text)
    soon = SOON.match(rest)
    if soon and FUTURE.search(plain):
        return drafted(
            clause,
            who,
            soon["o"],
            ad_hoc(SOON, _P.WILL_HAPPEN, _K.EVENT, 0.7, dated=True),
            scene,
        )
    habit = HABIT.match(rest)
    if habit and re.search(r"每(?:天|周|晚|早|个月|个周|年|逢)", plain) and who == scene.speaker:
        return drafted(
            clause,
            who,
            habit["o"],
            ad_hoc(HABIT, _P.DOES, _K.IDENTITY, 0.65, dated=False),
            scene,
        )
    return None


def _wish(plain: str, clause: Clause, scene: Scene) -> Draft | None:
    """A lasting wish about how the agent works: told with `以后`, `统一` and the like."""
    if STANDING.search(plain) and not re.match(r".{0,3}(?:我|他|她)(?!回|用)", plain):
        scene.things = ["standing"]
    elif (
        clause.opens
        or not scene.things
        or not re.match(r"(?:请|也)?(?:尽量|不要|别|不用|用|请|避开|都)", plain)
    ):
        scene.things = []
        return None
    match = WISH.match(plain)
    if match is None or re.search(r"一律(?:都)?不[能可准许]", plain):
        return None
    pattern = ad_hoc(WISH, _P.PREFERS, _K.PREFERENCE, 0.75, dated=False)
    return drafted(clause, scene.speaker, match["o"], pattern, scene)


def _thing(plain: str, clause: Clause, scene: Scene, subject: str) -> Draft | None:
    """A thing's property, where it is definite; or what goes and what does not, after a taste."""
    state = _ELIDED_STATE.match(plain)
    if state and scene.carried:
        bad = state["v"] in {"不行", "不能吃", "不要"}
        pattern = ad_hoc(
            _ELIDED_STATE, _P.DOES_NOT_EAT if bad else _P.EATS, _K.PREFERENCE, 0.7, dated=False
        )
        return drafted(clause, scene.carried, plain, pattern, scene)
    topic = SKILL_TOPIC.match(plain[words.head_length(plain) :])
    if topic and scene.carried and not subject:
        cannot = ad_hoc(SKILL_TOPIC, _P.CANNOT, _K.SKILL, 0.7, dated=False)
        return drafted(clause, scene.carried, topic["o"], cannot, scene)
    match = _THING.match(plain)
    if subject or match is None or _THING_NOT.match(plain) or not SPECIFIC.search(match["o"]):
        return None
    pattern = ad_hoc(_THING, _P.HAS_PROPERTY, _K.OTHER, 0.65, dated=False)
    return drafted(clause, match["s"], match["o"], pattern, scene)
