"""Who a Chinese clause is about, and a draft of what it says."""

import re

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import chinese_words as words
from services.ingestion.learning.local.chinese_frames import thing_of
from services.ingestion.learning.local.chinese_pattern import Pattern, Who
from services.ingestion.learning.local.chinese_patterns import WISH
from services.ingestion.learning.local.chinese_people import NAME, ROLE, statement
from services.ingestion.learning.local.drafts import Clause, Draft
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.learning.local.scene import Scene

_K, _P = FactKind, Predicate
_SUBJECT = re.compile(
    rf"^(?P<s>(?P<we>我们|咱们|咱俩|我俩|大家一起)|(?:(?:我|我们|咱|俺|他"
    rf"|她)(?:家)?(?:的)?)?(?:新来的|最好的|以前的|现在的|前|新|大学|高中"
    rf"|直属)?(?P<role>{ROLE})(?:的)?(?P<name>{NAME})?"
    rf"|(?P<i>我自己|我本人|俺(?!家)|咱(?![们俩家])|本人|我家(?!的)|我(?!们|国|校|司))"
    rf"|(?P<third>他们|她们|他|她)|(?P<group>(?:我们|我"
    rf"|咱们)?(?:{words.GROUPS}))|(?P<named>{NAME}|{words.FULL_NAME}))"
)
FOUND = re.compile(
    r"^(?:是|原来|原因是|问题是|问题出在|因为|\s)*(?P<s>[A-Za-z][\w.-]*"
    r"|(?![我他她它你这那])[\u4e00-\u9fff]{2,6}?)(?= ?(?:的|是|太|慢|会|不"
    r"|没|只|都|在|被|有|和|跟|里|老|总|配|把|设))"
)


def read_subject(plain: str, scene: Scene) -> tuple[str, str, bool]:
    """The subject ("" where none is told), what is said of it, and whether it was written."""
    at = words.head_length(plain)
    match = _SUBJECT.match(plain[at:])
    if match is None:
        return "", plain[at:], False
    return who_is(match, scene), plain[at + match.end() :].strip(), True


def who_is(match: re.Match[str], scene: Scene) -> str:
    """Who the written subject is; who is spoken of is remembered."""
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


def named(written: str, scene: Scene) -> str:
    """The subject that is written so: a person, a group or a thing."""
    if written in {"俺", "咱", "带我"} or written.startswith("我这"):
        return scene.speaker
    if written in {"咱俩", "我俩"}:
        return "我们"
    match = _SUBJECT.match(written)
    whole = match is not None and match.end() == len(written)
    return who_is(match, scene) if match is not None and whole else thing_of(written)


def ad_hoc(
    pattern: re.Pattern[str],
    predicate: Predicate,
    kind: FactKind,
    confidence: float = 0.7,
    *,
    dated: bool = False,
) -> Pattern:
    """A pattern outside the table, for a clause whose subject is known."""
    return Pattern(
        pattern, predicate, kind, Who.ANY, bare=False, confidence=confidence, dated=dated
    )


def drafted(clause: Clause, subject: str, said: str, pattern: Pattern, scene: Scene) -> Draft:
    """What a pattern found in a clause, as a fact of its subject."""
    return Draft(
        clause=clause,
        subject=subject,
        predicate=pattern.predicate,
        object=as_written(said, clause).strip(" ，,。"),
        statement=statement(clause.text, "" if pattern.pattern is WISH else subject, scene),
        kind=pattern.kind,
        confidence=pattern.confidence,
        dated=pattern.dated,
    )


def as_written(said: str, clause: Clause) -> str:
    """The words in the script of the clause."""
    at = words.plain(clause.text).find(said)
    return clause.text[at : at + len(said)] if at >= 0 else said
