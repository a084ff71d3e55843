"""Frames of English: set ways to say a thing about somebody, with a place for who it is.

In a pattern `<S>` stands for the subject (a pronoun, a possessed or definite noun, a name),
`<BE>` and `<HAVE>` for those verbs in the present with their adverbs, `<ME>` for a pronoun or a
noun in object position, which is the subject of the fact then, `<NAME>` for a name. The object is
group `o`. A frame without a subject is of the subject before it in the sentence, else of the
speaker.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local.drafts import Clause, Draft
from services.ingestion.learning.local.english_grammar import read
from services.ingestion.learning.local.english_statements import quoted, retold
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.learning.local.scene import Scene

_NO_NAME = (
    r"let|my|our|your|his|her|their|the|a|an|and|but|so|if|when|while|what|who|that|this|these"
    r"|those|it|there|here|yes|no|not|just|then|now|how|why|where|everyone|everybody|nobody"
    r"|people|some|most|many|all|both|each|every|lots|tons|loads|plenty|thanks|please|maybe|also"
    r"|oh|wow|hey|hi|ok|okay|sure|great|glad|sorry|you|one|someone|somebody|something|anything"
    r"|everything|nothing|being|having|doing|must|can|could|will|would|should|may|might|only"
    r"|finally|recently|i|we|he|she|they|is|are|was|were|do|does|did|has|have|had|\w+day"
)
NAME = (
    rf"(?!(?:{_NO_NAME})\b)"
    r"(?-i:(?:(?:Dr|Mr|Mrs|Ms|Prof|Professor)\.? )?[A-Z][\w'’-]*\w(?:\s[A-Z][\w-]*\w){0,2})"
)
_NOUN = r"(?:my|our|his|her|their|the|this)\s+[\w'’-]+(?:\s+[\w'’&-]+){0,3}?"
_SUBJECT = rf"(?P<s>i|we|he|she|they|{_NOUN}|{NAME})"
_ADVERBS = (
    r"(?:\s+(?:also|still|now|always|really|very|quite|pretty|just|so|both|only|currently|actually"
    r"|honestly|finally|never|absolutely|totally|a bit|all|even|once|recently|already|simply))*"
)
_MACROS = {
    "<S>": _SUBJECT,
    "<BE>": rf"(?:['’]?(?:m|s|re)|\s+(?:am|is|are)){_ADVERBS}",
    "<HAVE>": rf"(?:['’]ve|['’]s|\s+(?:have|has|had))?{_ADVERBS}",
    "<ADV>": _ADVERBS,
    "<ME>": rf"(?P<s>me|us|him|her|them|{_NOUN}|{NAME})",
    "<NAME>": NAME,
    "<NOT>": r"(?:\s+(?:not|never)|n['’]?t)",
}
_LEAD = (
    r"^(?:(?:and|but|so|because|also|plus|well|yes|yeah|yep|no|oh|honestly|actually|btw|fyi|now"
    r"|then"
    r"|today|luckily|sadly|apart from that|to be honest|tbh|in the end|anyway)\s+)*"
    r"(?:(?:after|before|in|on|at|during|last|by|when|for|this|since|as)\b[^?]{2,50}?\s)??"
)
_OBJECT_PRONOUNS = {"me": "i", "us": "we", "him": "he", "her": "she", "them": "they"}
_NOTHING = re.compile(
    r"^(?:no|nothing|none|nobody|it|that|this|them|those|what|which|how|you|your|anything|something"
    r"|everything|so|too|there|here)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to say something. `told` names the object where it may begin with any word."""

    pattern: re.Pattern[str]
    predicate: Predicate
    kind: FactKind
    confidence: float
    dated: bool
    any_object: bool


def frame(
    pattern: str,
    predicate: Predicate,
    kind: FactKind,
    *,
    confidence: float = 0.8,
    dated: bool = False,
    any_object: bool = False,
) -> Frame:
    """A frame from its pattern with places."""
    for place, written in _MACROS.items():
        pattern = pattern.replace(place, written)
    compiled = re.compile(_LEAD + pattern, re.IGNORECASE)
    return Frame(compiled, predicate, kind, confidence, dated, any_object)


def framed(
    clause: Clause, scene: Scene, frames: Sequence[Frame], named: Callable[[str], str]
) -> Iterator[Draft]:
    """The fact of the first frame that fits; `named` resolves a written subject."""
    for each in frames:
        match = each.pattern.match(clause.text)
        if match is None or (_NOTHING.match(match["o"]) and not each.any_object):
            continue
        written = match.groupdict().get("s") or ""
        subject = _subject(written, clause, scene, named)
        if subject:
            scene.carried = subject
            yield _draft(clause, scene, each, match, subject)
        return


def _subject(written: str, clause: Clause, scene: Scene, named: Callable[[str], str]) -> str:
    if written:
        return named(_OBJECT_PRONOUNS.get(written.lower(), written))
    return scene.speaker if clause.opens or not scene.carried else scene.carried


def _draft(clause: Clause, scene: Scene, each: Frame, match: re.Match[str], subject: str) -> Draft:
    said = read(clause.text) if match.groupdict().get("s") else None
    opens = said is not None and said.subject_start == match.start("s")
    return Draft(
        clause=clause,
        subject=subject,
        predicate=each.predicate,
        object=match["o"].strip(" ,.:"),
        statement=retold(clause.text, said, subject, scene)
        if said is not None and opens
        else quoted(clause.text, scene),
        kind=each.kind,
        confidence=each.confidence,
        dated=each.dated,
    )
