"""Chinese clauses to facts: the subject is read first, then the predicate by its pattern.

A clause without a subject goes on with the one before it; where there was none it is the
speaker, for patterns that people say of themselves only.
"""

import re
from collections.abc import Iterator

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import chinese_words as words
from services.ingestion.learning.local.chinese_patterns import COMING, PAST, PATTERNS, SPECIFIC, STANDING, WISH, Pattern, Who
from services.ingestion.learning.local.drafts import Clause, Draft
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.learning.local.scene import UNNAMED, Scene

_K, _P = FactKind, Predicate
_NAME = rf"(?:{words.LATIN_NAME}|{words.SHORT_NAME})"
_ROLE = rf"(?:{words.KIN}|{words.SOCIAL}|{words.PET})"
_SUBJECT = re.compile(
    rf"^(?P<s>(?P<we>我们|咱们|大家一起)|(?:(?:我|我们|咱|他|她)(?:家)?(?:的)?)?(?:新来的|最好的|以前的|现在的|前|新|大学|高中|直属|二|三|小|大)?(?P<role>{_ROLE})(?:的)?(?P<name>{_NAME})?"
    rf"|(?P<i>我自己|我本人|本人|我家(?!的)|我(?!们|国|校|司))|(?P<third>他们|她们|他|她)|(?P<group>(?:我们|我|咱们)?(?:{words.GROUPS}))|(?P<named>{_NAME}))"
)
_RELATION = (
    re.compile(rf"(?:我|我们|咱|我家|跟我|和我|家里|家)(?:的)?(?:新|前|最好的|大学|高中|直属)?(?P<role>{_ROLE})(?:名字)?(?:是|叫做?|名叫)?(?P<name>{words.LATIN_NAME}|{words.SHORT_NAME})"),
    re.compile(rf"(?:我|我们|咱|我家|跟我|和我|家里|家)(?:的)?(?:新|前|最好的|大学|高中|直属)?(?P<role>{_ROLE})(?:名字)?(?:叫做?|名叫|名字叫)(?P<name>[\u4e00-\u9fffA-Za-z]{{1,10}})$"),
    re.compile(rf"(?:跟|和|同|与)我(?:的)?(?P<role>{words.KIN})(?P<name>[\u4e00-\u9fff]{{2}})(?=一起|去|在|结|住|过|吃|看|到)"),
    re.compile(rf"^(?:新来的|新|我们的?|我的)(?P<role>{_ROLE})(?:叫|是)(?P<name>[\u4e00-\u9fffA-Za-z]{{1,10}})$"),
    re.compile(rf"^(?P<name>{words.LATIN_NAME}|{words.SHORT_NAME}|[\u4e00-\u9fff]{{2,3}})是我(?:们)?(?:的)?(?:新|前|最好的|大学|高中|直属)?(?P<role>{_ROLE})$"),
)
_NOT_NAMES = re.compile(r"^(?:[他她它我你这那]|什么|不|也|都|就|是|在|很|有|没)")
_THING = re.compile(r"^(?P<s>[\u4e00-\u9fffA-Za-z][\w\u4e00-\u9fff .-]{0,14}?)(?:的(?P<p>[\w\u4e00-\u9fff ]{1,16}?))?(?:是|为|在|有|跑在|用的是|端口是|版本是)(?P<o>.{1,40})$")
_THING_NOT = re.compile(r"^(?:[这那它你您]|什么|如果|问题|原因|主要|有|就|都|不|我|他|她|大家|有人|关键|今天|现在|重点|结果|目的|意思)")
_ELIDED_STATE = re.compile(r"^(?P<o>[\u4e00-\u9fff]{1,4})(?:都|也)?(?P<v>可以|不行|能吃|不能吃|没问题|不要)$")


def chinese_facts(clause: Clause, scene: Scene) -> list[Draft]:
    """The facts of one clause; the scene learns who was spoken of."""
    plain = words.plain(clause.text)
    found = list(_relations(plain, clause, scene))
    subject, rest, written = _read_subject(plain, scene)
    if found and re.search(r"叫|是", plain):
        scene.carried = found[0].persons[0]
        return found
    wish = _wish(plain, clause, scene)
    if wish:
        return [*found, wish]
    draft = _told(clause, scene, subject, rest, written) or _thing(plain, clause, scene, subject)
    if subject:
        scene.carried = subject
    return [*found, draft] if draft else found


def _relations(plain: str, clause: Clause, scene: Scene) -> Iterator[Draft]:
    """Who is what to the speaker, where a name is told."""
    for pattern in _RELATION:
        match = pattern.search(plain)
        if match and not _NOT_NAMES.match(match["name"]) and not re.search(r"[的了]|(?:" + _ROLE + r")$", match["name"]):
            name = clause.text[match.start("name") : match.end("name")]
            scene.mention(name)
            kin = re.fullmatch(words.KIN, match["role"]) is not None
            yield Draft(
                clause=clause, subject=scene.speaker, predicate=_P.HAS_RELATIVE if kin else _P.KNOWS,
                object=f"{match['role']}{name}", statement=f"{_speaker(scene)}的{match['role']}是{name}",
                kind=_K.RELATIONSHIP, persons=(name,), confidence=0.85, dated=False,
            )
            return


def _read_subject(plain: str, scene: Scene) -> tuple[str, str, bool]:
    """The subject ("" where none is told), what is said of it, and whether it was written."""
    at = words.head_length(plain)
    match = _SUBJECT.match(plain[at:])
    if match is None:
        return "", plain[at:], False
    rest = words.without_head(plain[at + match.end() :])
    return _who(match, scene), rest, True


def _who(match: re.Match[str], scene: Scene) -> str:
    if match["we"]:
        return "我们"
    if match["i"]:
        return scene.speaker
    if match["third"]:
        return scene.third
    if match["group"]:
        return re.sub(r"^(?:我们|我|咱们)", "", match["group"])
    subject = match["name"] or match["role"] or match["named"]
    scene.mention(subject)
    return str(subject)


def _told(clause: Clause, scene: Scene, subject: str, rest: str, written: bool) -> Draft | None:
    who = subject or (scene.carried if not written else "")
    for pattern in PATTERNS:
        match = pattern.pattern.match(rest)
        if match and match["o"].strip() and _takes(pattern, who, scene, written):
            return _draft(clause, who or scene.speaker, match["o"], pattern, scene)
    return _happened(clause, scene, who, rest)


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
    past = PAST.match(rest)
    if re.match(r"^(?:没|不|别)", rest) or (not who and not (clause.opens and re.match(r".{0,8}(?:刚|终于|总算|昨|前天|上周|去年)", words.plain(clause.text)))):
        return None
    who = who or scene.speaker
    if past and not re.search(r"(?:吗|呢|吧)$|^(?:问|说|觉得|看了一?下|试了|发了|改了)", rest):
        speaks = who in {scene.speaker, "我们"}
        event = not speaks and re.search(words.KIN, who) is not None
        made = Pattern(PAST, _P.HAPPENED if event else _P.DID, _K.EXPERIENCE, Who.ANY, False, 0.7, True)
        return _draft(clause, who, past["o"], made, scene)
    coming = COMING.match(rest)
    timed = re.search(words.TIME, words.plain(clause.text))
    if coming and timed and not re.match(r"(?:你|不|是|说|求|么|好)", coming["o"]):
        kind = _K.EVENT if who not in {scene.speaker, "我们"} else _K.GOAL
        return _draft(clause, who, coming["o"], Pattern(COMING, _P.WILL_HAPPEN, kind, Who.ANY, False, 0.7, True), scene)
    return None


def _wish(plain: str, clause: Clause, scene: Scene) -> Draft | None:
    """A lasting wish about how the agent works: told with `以后`, `统一` and the like."""
    if STANDING.search(plain) and not re.match(r".{0,3}(?:我|他|她)(?!回|用)", plain):
        scene.things = ["standing"]
    elif clause.opens or not scene.things or not re.match(r"(?:请|也)?(?:尽量|不要|别|不用|用|请|避开|都)", plain):
        scene.things = []
        return None
    match = WISH.match(plain)
    if match is None:
        return None
    pattern = Pattern(WISH, _P.PREFERS, _K.PREFERENCE, Who.ANY, False, 0.75, False)
    return _draft(clause, scene.speaker, match["o"], pattern, scene)


def _thing(plain: str, clause: Clause, scene: Scene, subject: str) -> Draft | None:
    """A thing's property, where it is definite; or what goes and what does not, after a taste."""
    state = _ELIDED_STATE.match(plain)
    if state and scene.carried:
        bad = state["v"] in {"不行", "不能吃", "不要"}
        pattern = Pattern(_ELIDED_STATE, _P.DOES_NOT_EAT if bad else _P.EATS, _K.PREFERENCE, Who.ANY, False, 0.7, False)
        return _draft(clause, scene.carried, plain, pattern, scene)
    match = _THING.match(plain)
    if subject or match is None or _THING_NOT.match(plain) or not SPECIFIC.search(match["o"]):
        return None
    pattern = Pattern(_THING, _P.HAS_PROPERTY, _K.OTHER, Who.ANY, False, 0.65, False)
    return _draft(clause, match["s"], match["o"], pattern, scene)


def _draft(clause: Clause, subject: str, said: str, pattern: Pattern, scene: Scene) -> Draft:
    return Draft(
        clause=clause,
        subject=subject,
        predicate=pattern.predicate,
        object=_as_written(said, clause).strip(" ，,。"),
        statement=_statement(clause.text, subject, scene),
        kind=pattern.kind,
        confidence=pattern.confidence,
        dated=pattern.dated,
    )


def _as_written(said: str, clause: Clause) -> str:
    """The words in the script of the clause."""
    at = words.plain(clause.text).find(said)
    return clause.text[at : at + len(said)] if at >= 0 else said


def _speaker(scene: Scene) -> str:
    return "用户" if scene.speaker == UNNAMED else scene.speaker


def _statement(text: str, subject: str, scene: Scene) -> str:
    """The clause with `我` replaced; a clause without its subject gets it in front."""
    if re.search(r"我们|咱|我們", text):
        return f"{_speaker(scene)}：{text}"
    said = text.replace("我", _speaker(scene))
    named = _speaker(scene) if subject == scene.speaker else subject
    if re.match(r"[他她]", text[words.head_length(words.plain(text)) :]):
        return re.sub(r"[他她]", subject, said, count=1)
    if named in said:
        return said
    return f"{named}：{said}" if subject == scene.speaker and not text[:1].isalnum() else f"{named}{said}"
