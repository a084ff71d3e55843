"""Cures that are told in words: "WAL and a busy timeout cured the locked database".

Told is what mended a failure, or what caused it, as something that is so: no order, plan, question
or hope. The failure is what somebody reported before, in the same task; a cause that a person tells
of what the agent just worked on ("it was the cache that did it") is one of that, and a cure that a
person tells names a failure by itself ("a bigger queue cured the timeouts"). An agent's word
counts where no tools were used, and nobody said afterwards that it still fails.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from anamnesis_ingestion.learning.injected import own_words
from anamnesis_ingestion.learning.local.guards import is_question, is_unreal
from anamnesis_ingestion.learning.local.sentences import sentences
from anamnesis_ingestion.learning.local.turns import Turn, failing_line, reports_failure
from anamnesis_ingestion.learning.support import shared_words
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role

_CURED = re.compile(
    r"^(?P<cure>[^.;:!?]{3,120}?)\s+(?:has |have |had )?(?:(?:finally|really|indeed) )?"
    r"(?:cured|fixed|solved|resolved|got rid of|did away with)\s+"
    r"(?!(?:it|that|this|them|by|with|after|once|since|when)\b)"
    r"(?P<error>[^.;:!?]{3,120})"
    r"|(?P<passive>[^.;:!?]{3,120}?) (?:(?:was|were|got|is|are) (?:finally )?"
    r"(?:cured|fixed|solved|resolved|gone)|disappeared|went away) "
    r"(?:by|with|after|once|since|when|as soon as) (?!(?:that|this|it)\b)[^.;:!?]{3,120}"
    r"|\b(?:we|i) (?:finally )?(?:cured|fixed|solved|resolved) (?P<active>[^.;:!?]{3,120}?) by "
    r"(?!(?:that|this|it)\b)[^;:!?]{3,120}"
    r"|[^。；！？]{2,40}(?:解决了|修好了|治好了|消除了)(?P<han_error>[^。；！？]{2,40})"
    r"|(?P<han_by>[^，。；！？]{2,40}?)是?(?:靠|用|通过)[^，。；！？]{3,60}?(?:解决|修好|搞定)[的了]",
    re.IGNORECASE,
)
_FAULTS = ("error", "passive", "active", "han_error", "han_by")
_POINTS = re.compile(
    r"^\W*(?:and |but |so )?(?:it|that|this|these|those|which|who)\b", re.IGNORECASE
)
_CAUSED = re.compile(
    r"\b(?:it was|it['’]s|turns? out (?:that )?it was) (?:actually )?(?:[^.;:!?,]|\.(?=\S)){3,120}?"
    r" (?:that|which|who) (?:did|caused|broke|made|triggered|produced) [^.;!?]{2,120}"
    r"|\b(?:was|were) (?:actually )?caused by [^.;!?]{3,120}"
    r"|\bthe (?:root cause|cause|culprit)(?: of [^.;!?]{3,80})? (?:was|turned out to be) "
    r"[^.;!?]{3,120}"
    r"|(?:原因|罪魁祸首)(?:其实|就)?是[^。；！？]{2,60}|是[^。；！？]{2,40}(?:导致|引起|造成)的",
    re.IGNORECASE,
)
NOT_SO = re.compile(
    r"\b(?:hopefully|maybe|perhaps|probably|should|would|could|might|may|will|if|hope|think|guess"
    r"|until|unless)\b|可能|也许|大概|应该|希望|如果",
    re.IGNORECASE,
)
"""Words of hope, plan and condition."""
_DENIED = re.compile(r"\b(?:not|never|nor|neither|please)\b|n['’]t\b|没|不是|吗", re.IGNORECASE)
_COLON = re.compile(r"^[^:：]{0,60}[:：]\s+")
_TEXT_CHARS_MAX = 400
_SAID_CHARS_MAX = 300
_TOLD_MAX = 8
"""Sentences of one event that are held against what was reported."""
_SIGN = re.compile(
    r"cured|fixed|solved|got rid|did away|gone|disappeared|went away|that|which|who|caus|culprit"
    r"|解决|修好|治好|消除|搞定|原因|罪魁|导致|引起|造成",
    re.IGNORECASE,
)
"""Words without which no sentence tells either: the forms themselves are dear to look for."""


@dataclass(frozen=True, slots=True)
class ToldCure:
    """From the report to the sentence, by place; title, context and resolution."""

    first: int
    last: int
    words: tuple[str, str, str]


def told_cures(events: Sequence[LedgerEvent], turns: Sequence[Turn]) -> Iterator[ToldCure]:
    """Yield what people, and agents without tools, say of how a failure was mended or came."""
    used_tools = any(turn.attempts for turn in turns)
    for at, turn in enumerate(turns):
        for place in range(turn.start, min(turn.end, len(events) - 1) + 1):
            event = events[place]
            if event.role is Role.USER or (event.role is Role.ASSISTANT and not used_tools):
                found = _told(events, turns, at, place)
                if found is not None:
                    yield found
                    break


def _told(
    events: Sequence[LedgerEvent], turns: Sequence[Turn], at: int, place: int
) -> ToldCure | None:
    for said in islice(_telling(own_words(events[place])), _TOLD_MAX):
        report = _reported(turns, at, said, by_agent=events[place].role is Role.ASSISTANT)
        if report is not None:
            cured = _CURED.search(said) is not None
            told = _explained(events, report.start, place, said) if cured else said
            title = failing_line(report.request)
            context = report.request[:_TEXT_CHARS_MAX]
            return ToldCure(report.start, place, (title, context, told))
    return None


def _telling(text: str) -> Iterator[str]:
    """Yield the sentences of a text that may tell a cure or a cause, without what leads them in."""
    for sentence in sentences(text):
        said = _COLON.sub("", sentence)
        if len(said) > _SAID_CHARS_MAX or not _SIGN.search(said):
            continue
        if is_question(sentence) or is_unreal(sentence):
            continue
        if _CURED.search(said) or _CAUSED.search(said):
            yield said


def _reported(turns: Sequence[Turn], at: int, said: str, *, by_agent: bool) -> Turn | None:
    """The turn of whose failure a sentence tells cure or cause; None where it tells none."""
    cured, caused = _CURED.search(said), _CAUSED.search(said)
    asserted = not NOT_SO.search(said) and not _DENIED.search(said)
    if at + 1 < len(turns) and reports_failure(turns[at + 1].request):
        return None
    if cured and asserted:
        error = next(filter(None, cured.group(*_FAULTS)), "")
        earlier = reversed(turns[:at] if by_agent else turns[: at + 1])
        reports = (turn for turn in earlier if reports_failure(turn.request.replace(said, " ")))
        report = next((turn for turn in reports if shared_words(error, turn.request) > 0), None)
        alone = not by_agent and reports_failure(error) and not _POINTS.match(said)
        return report or (turns[at] if alone else None)
    if caused and not by_agent and at and not NOT_SO.search(said):
        return turns[at - 1]
    return None


def _explained(events: Sequence[LedgerEvent], first: int, last: int, said: str) -> str:
    """The sentence, behind those between that have words of it."""
    before = [
        sentence
        for event in events[first + 1 : last]
        if event.role is Role.ASSISTANT
        for sentence in sentences(own_words(event))
        if not is_question(sentence) and shared_words(said, sentence) > 0
    ]
    return "\n".join([said, *before])
