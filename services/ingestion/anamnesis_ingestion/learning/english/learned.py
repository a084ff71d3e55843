"""Between a lecture and the English reader: turns out of events, learned facts out of claims."""

import re
from collections.abc import Iterator, Sequence

from anamnesis_ingestion.learning.emoji import without_moods
from anamnesis_ingestion.learning.english.answers import answered
from anamnesis_ingestion.learning.english.claims import Claim, Turn
from anamnesis_ingestion.learning.english.cleaning import apart, cleaned
from anamnesis_ingestion.learning.english.splices import with_new_employer
from anamnesis_ingestion.learning.injected import own_words
from anamnesis_ingestion.learning.knowledge import (
    UNNAMED,
    Dated,
    ExtractionInput,
    FactKind,
    LearnedFact,
    Precision,
)
from anamnesis_ingestion.learning.local.guards import tells_nothing, unquoted
from anamnesis_ingestion.learning.local.sentences import Language, language_of, sentences
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role

EVENT_CHARS_MAX = 20_000
_QUESTION_CHARS_MAX = 300
_NAME_LIKE = re.compile(r"[^\W\d_]+(?:[ .'’-]+[^\W\d_]+)*\.?")
_CONFIDENCE_MIN, _CONFIDENCE_MAX = 0.7, 0.95
_USER = "The user"
_INSIDE = re.compile(r"(?<=[a-z,] )The user\b")
_FELT = re.compile(
    r", which (?:is|was|has been|feels|felt|seems|makes|made)\b(?-i:[^A-Z0-9]{0,120})$"
)
"""What ends a sentence and names nothing: ", which is exciting yet daunting"."""
_LAST_NAME = re.compile(r",\s*(?P<name>[A-Z]\w{2,30})(?P<kept>[.!?]*)$")
_FIRST_NAME = re.compile(r"^(?:[A-Za-z]{2,6} )?(?P<name>[A-Z]\w{2,30})(?P<kept>),\s+")
_CALLED = r"^(?:(?:hi|hey|hello|ok|okay|thanks|please)\s+)?{}\s*,\s+"
"""The name of the agent that is spoken to, at the head of a sentence."""


def turn_of(
    event: LedgerEvent, lecture: ExtractionInput, *, to_agent: bool, listener: str = ""
) -> Turn:
    """The turn of an event: its English sentences, answers completed, and its speaker."""
    subject = "" if event.role is Role.FILE else event.name or lecture.user or UNNAMED
    said = _sentences(event, lecture.agent, listeners(event, lecture))
    return Turn(
        sentences=answered(_asked_before(event, lecture), said),
        subject=subject,
        shown=shown(subject),
        said_at=event.event_time,
        to_agent=to_agent,
        listener=listener,
    )


def _asked_before(event: LedgerEvent, lecture: ExtractionInput) -> str:
    """The question that ends what somebody else, or the agent, said right before; "" for none."""
    said = [*lecture.context, *lecture.events]
    place = said.index(event)
    before = said[place - 1] if place else None
    if before is None or (before.role, before.name) == (event.role, event.name):
        return ""
    last = before.content[-_QUESTION_CHARS_MAX:].rstrip()
    return list(sentences(last))[-1] if last.endswith("?") else ""


def shown(subject: str) -> str:
    """The speaker in a statement: a name as it is, an opaque id as "The user"."""
    named = _NAME_LIKE.fullmatch(subject) is not None and subject.casefold() != UNNAMED
    return subject if named else _USER


def listeners(event: LedgerEvent, lecture: ExtractionInput) -> frozenset[str]:
    """The first names of whoever else speaks: a name of theirs may only call them."""
    others = {each.name for each in lecture.events if each.name and each.name != event.name}
    return frozenset(name.split()[0].casefold() for name in others)


def _uncalled(sentence: str, called: frozenset[str]) -> str:
    """The sentence without the name that calls a listener: "I agree, Mel!"."""
    for place in (_FIRST_NAME, _LAST_NAME):
        found = place.search(sentence)
        if found is not None and _calls(found["name"], called):
            sentence = sentence[: found.start()] + found["kept"] + sentence[found.end() :]
    return sentence


def _calls(name: str, called: frozenset[str]) -> bool:
    """True for a listener's name or a short form of it: "Mel" of Melanie."""
    return any(each.startswith(name.casefold()) for each in called)


def _sentences(event: LedgerEvent, agent: str, called_so: frozenset[str]) -> tuple[str, ...]:
    text = without_moods(unquoted(own_words(event)[:EVENT_CHARS_MAX]))
    if tells_nothing(text):
        return ()
    english = (each for each in sentences(text) if language_of(each) is Language.ENGLISH)
    called = re.compile(_CALLED.format(re.escape(agent)), re.IGNORECASE) if agent else None
    said = (called.sub("", each) if called else each for each in english)
    told = (_uncalled(text, called_so) for each in said if (text := cleaned(each)))
    return tuple(with_new_employer([part for each in told for part in apart(each)]))


def facts_of(
    claims: Sequence[Claim], event: LedgerEvent, lecture: ExtractionInput
) -> Iterator[LearnedFact]:
    """The claims of one event as facts, each once, with the time of telling."""
    seen: set[tuple[str, str, str]] = set()
    for claim in claims:
        key = (claim.subject, claim.predicate, claim.object)
        if key not in seen and not _is_known(claim):
            seen.add(key)
            yield _fact(claim, event, lecture)


def _is_known(claim: Claim) -> bool:
    """True for a part of the name that the subject bears already."""
    told, known = claim.object.casefold(), claim.subject.casefold().replace("-", " ")
    return claim.predicate == "is_named" and told in known and told != known


def _time(claim: Claim, event: LedgerEvent) -> Dated:
    """The time of a claim; what begins without a date does so when it is told."""
    if claim.begins and claim.since is None and event.event_time is not None:
        return Dated(event.event_time, None, Precision.INSTANT)
    return Dated(claim.since, claim.until, Precision(claim.precision))


def _fact(claim: Claim, event: LedgerEvent, lecture: ExtractionInput) -> LearnedFact:
    return LearnedFact(
        statement=_plain(claim.statement),
        subject=claim.subject,
        predicate=claim.predicate,
        object=claim.object,
        kind=FactKind(claim.kind),
        sources=(event.index or 0,),
        persons=claim.persons,
        location=claim.location,
        topic=lecture.topic,
        time=_time(claim, event),
        ended=claim.ended,
        ends_only=claim.ends_only,
        said_at=event.event_time,
        single_valued=claim.single_valued,
        presupposed=claim.presupposed,
        confidence=_CONFIDENCE_MIN + (_CONFIDENCE_MAX - _CONFIDENCE_MIN) * claim.worth,
        importance=claim.worth,
    )


def _plain(statement: str) -> str:
    """The statement without what the speaker felt about it, and with "the user" inside of it."""
    return _INSIDE.sub("the user", _FELT.sub("", statement))
