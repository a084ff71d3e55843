"""Relatives, friends, colleagues and pets in English clauses, with their names."""

import re
from collections.abc import Iterator

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import english_words as words
from services.ingestion.learning.local.drafts import Clause, Draft
from services.ingestion.learning.local.english_statements import possessive
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.learning.local.scene import Scene

_ROLE = (
    rf"(?P<role>(?:(?:new|older|younger|elder|big|little|eldest|youngest|twin|late|current"
    rf"|direct|line|former|own) )*(?:{words.KIN}|{words.SOCIAL}|{words.PET}))"
)
_NAME = (
    r"(?P<name>(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?[A-Z][\w'’-]*[a-z](?: (?:van |de |da |von "
    r")?[A-Z][\w-]*[a-z])?)"
)
_STOP = r"(?!['’]s? )"
_RELATIONS = tuple(
    re.compile(pattern)
    for pattern in (
        (
            rf"\b(?i:my|our) {_ROLE},? +(?:(?i:is |is called |is named |called |named |['’]s "
            rf"called |['’]s name is |['’]s name['’]s ))?{_NAME}\b"
        ),
        rf"\b(?i:my|our) {_ROLE}['’]s {_NAME}$",
        rf"\b{_NAME},? (?:(?i:is |was |who is |['’]s |, ))?(?i:my|our) {_ROLE}\b(?!['’])",
        (
            rf"\b(?i:i have|i['’]ve got|we have|we['’]ve got|i got|we got) (?:a|an|one) (?:\w+ "
            rf"){{0,2}}?{_ROLE},? (?:(?i:called|named) )?{_NAME}\b"
        ),
        rf"\b(?i:the|a) new {_ROLE} (?i:is|is called) {_NAME}\b",
    )
)
_GERUND = re.compile(r"[A-Z][a-z]+ing (?i:my|our) ")
_KNOWN = re.compile(
    rf"\b(?i:i|we)(?:['’]ve| have)? (?i:known|met|married|dated|befriended) {_NAME}\b"
)
_COUNT = re.compile(
    rf"\b(?i:i|we)(?:['’]ve)? (?i:have |got |have got )(?P<o>(?:a|an|two|three|four|five|six"
    rf"|no|\d) (?:\w+ ){{0,2}}?(?:{words.KIN}|{words.PET})\b.*)$"
)
_NO_NAMES = re.compile(
    r"^(?:I|We|He|She|They|The|A|My|Our|And|But|So|If|When|Yes|No|It|That|This|Her|His|Monday"
    r"|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b"
)


def relations(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """Who is what to the speaker, where a name is told; the persons are remembered."""
    seen: set[str] = set()
    if not scene.speaker:
        return
    for pattern in _RELATIONS:
        for match in pattern.finditer(clause.text):
            name, role = re.sub(r"['’]s$", "", match["name"]), match["role"].lower()
            if name in seen or _NO_NAMES.match(name) or _GERUND.match(match.group()):
                continue
            seen.add(name)
            scene.mention(name)
            yield _relation(clause, scene, name, role)
    for match in _KNOWN.finditer(clause.text):
        if match["name"] not in seen and not _NO_NAMES.match(match["name"]):
            scene.mention(match["name"])
            seen.add(match["name"])
            yield _relation(clause, scene, match["name"], "acquaintance")


_MENTIONED = re.compile(rf"\b(?i:my|our|the|your|his|her) (?P<role>(?i:{words.KIN}))\b(?!['’])")


def mentions(text: str) -> Iterator[str]:
    """Relatives that a message speaks of, even in a question: who `they` are in the answer."""
    return (match["role"].lower() for match in _MENTIONED.finditer(text))


def is_kin_or_pet(role: str) -> bool:
    """Whether a role is of the family: `the cat` is ours only where it was named before."""
    return re.fullmatch(rf"(?:{words.KIN}|{words.PET})", role, re.IGNORECASE) is not None


def known_role(text: str) -> str:
    """The word for a relative, friend or pet that a noun phrase such as `my mum` ends with."""
    match = re.search(rf"(?:{words.KIN}|{words.SOCIAL}|{words.PET})$", text.strip(), re.IGNORECASE)
    return match.group().lower() if match else ""


def _relation(clause: Clause, scene: Scene, name: str, role: str) -> Draft:
    return Draft(
        clause=clause,
        subject=scene.speaker,
        predicate=Predicate.HAS_RELATIVE
        if re.search(rf"(?:{words.KIN})$", role)
        else Predicate.KNOWS,
        object=f"{role} {name}",
        statement=f"{possessive(scene)} {role} is {name}",
        kind=FactKind.RELATIONSHIP,
        persons=(name,),
        confidence=0.85,
        dated=False,
    )
