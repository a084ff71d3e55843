"""Relatives, friends and pets in Chinese clauses, and who is spoken of in statements."""

import re
from collections.abc import Iterator

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import chinese_words as words
from services.ingestion.learning.local.drafts import Clause, Draft
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.learning.local.scene import UNNAMED, Scene

_K, _P = FactKind, Predicate
NAME = rf"(?:{words.LATIN_NAME}|{words.SHORT_NAME})"
ROLE = rf"(?:{words.KIN}|{words.SOCIAL}|{words.PET})"
_RELATION = (
    re.compile(
        rf"(?:我|我们|咱|我家|跟我|和我|家里|家)(?:的)?(?:新|前|最好的|大学|高中"
        rf"|直属)?(?P<role>{ROLE})(?:名字)?(?:是|叫做?"
        rf"|名叫)?\s*(?P<name>{words.LATIN_NAME}|{words.SHORT_NAME})"
    ),
    re.compile(
        rf"(?:我|我们|咱|我家|跟我|和我|家里|家)(?:的)?(?:新|前|最好的|大学|高中"
        rf"|直属)?(?P<role>{ROLE})(?:名字)?(?:叫做?"
        rf"|名叫|名字叫)\s*(?P<name>[\u4e00-\u9fffA-Za-z]{{1,10}})$"
    ),
    re.compile(
        rf"(?:跟|和|同|与)我(?:的)?(?P<role>{words.KIN})(?P<name>[\u4e00-\u9fff]{{2}})(?=一起|去"
        rf"|在|结|住"
        rf"|过|吃|看|到)"
    ),
    re.compile(
        rf"^(?:新来的|新|我们的?|我的)(?P<role>{ROLE})(?:叫做?|是"
        rf"|名叫)\s*(?P<name>[\u4e00-\u9fffA-Za-z]{{1,10}})$"
    ),
    re.compile(
        rf"^(?P<name>{words.LATIN_NAME}|{words.SHORT_NAME}"
        rf"|[\u4e00-\u9fff]{{2,3}})是我(?:们)?(?:的)?(?:新|前|最好的|大学|高中"
        rf"|直属)?(?P<role>{ROLE})$"
    ),
)
_NOT_NAMES = re.compile(r"^(?:[他她它我你这那]|什么|不|也|都|就|是|在|很|有|没)")


def relations(plain: str, clause: Clause, scene: Scene) -> Iterator[Draft]:
    """Who is what to the speaker, where a name is told."""
    for pattern in _RELATION if scene.speaker else ():
        match = pattern.search(plain)
        if (
            match
            and not _NOT_NAMES.match(match["name"])
            and not re.search(r"[的了]|(?:" + ROLE + r")$", match["name"])
        ):
            name = clause.text[match.start("name") : match.end("name")]
            scene.mention(name)
            kin = re.fullmatch(words.KIN, match["role"]) is not None
            yield Draft(
                clause=clause,
                subject=scene.speaker,
                predicate=_P.HAS_RELATIVE if kin else _P.KNOWS,
                object=f"{match['role']}{name}",
                statement=f"{_speaker(scene)}的{match['role']}是{name}",
                kind=_K.RELATIONSHIP,
                persons=(name,),
                confidence=0.85,
                dated=False,
            )
            return


def _speaker(scene: Scene) -> str:
    if not scene.speaker:
        return ""
    return "用户" if scene.speaker == UNNAMED else scene.speaker


def statement(text: str, subject: str, scene: Scene) -> str:
    """The clause with `我` replaced; a clause without its subject gets it in front."""
    if not scene.speaker:
        return text
    if not subject or re.search(r"我们|咱|我們", text):
        return f"{_speaker(scene)}：{text}"
    said = text.replace("我", _speaker(scene))
    named = _speaker(scene) if subject == scene.speaker else subject
    if re.match(r"[他她]", text[words.head_length(words.plain(text)) :]):
        return re.sub(r"[他她]", subject, said, count=1)
    if named in said:
        return said
    return (
        f"{named}：{said}"
        if subject == scene.speaker and not text[:1].isalnum()
        else f"{named}{said}"
    )
