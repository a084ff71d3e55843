"""The write gate: what was extracted, by rules or by a model, is stored only if it holds up.

It fails closed. Each item has to cite events of its lecture that may be learned from, and no fact
may tell a secret; its names, numbers, dates and quoted words have to occur in what they say; it
must not come out of a system prompt or of text that was injected, restate a request, or say
nothing; it must be sure and important enough (settings group `write_gate`), and must not repeat
another of its batch. What is refused is counted with its reason: the first that applies.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from anamnesis_ingestion.learning.earlier import LearnedEarlier
from anamnesis_ingestion.learning.evidence import dated, evidence_of, supporting, told, years
from anamnesis_ingestion.learning.injected import learnable_text
from anamnesis_ingestion.learning.knowledge import (
    ExtractionInput,
    Knowledge,
    LearnedFact,
    LearnedLesson,
    LearnedMention,
    LearnedProcedure,
    Refused,
)
from anamnesis_ingestion.learning.local.guards import only_asks, tells_nothing
from anamnesis_ingestion.learning.secrets import tells_secret
from anamnesis_ingestion.learning.spelling import as_spelled, refused
from anamnesis_ingestion.learning.support import contradicts, missing, shared_words, telling_words
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.settings import WriteGate

_Item = TypeVar("_Item", LearnedFact, LearnedLesson, LearnedProcedure, LearnedMention)

_REQUEST = re.compile(
    r"^(?:the )?(?:user|human|customer|person|speaker|\w+) (?:is asking|asks?|asked|requests?"
    r"|requested|wants? (?:the )?(?:assistant|agent|ai|model|you|help|me)\b"
    r"|wanted (?:the )?(?:assistant|agent|help)|needs? (?:help|assistance)|would like (?:the "
    r"assistant|help)|instructs?|instructed|inquir\w+|enquir\w+|is looking for help)"
    r"|^(?:用户|使用者)?(?:请求|询问|要求助手|请助手|让助手|想让助手|问了?|想问|希望助手|需要帮助)"
    r"|\b(?:you are (?:a|an) (?:helpful|ai)|as an ai|language model|system prompt)\b",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"^(?:the )?(?:user|\w+)(?: is| has| likes| does| wants| said| was|:)? (?:a |an |some "
    r"|many |various |different |good |nice |interesting )*"
    r"(?:person|human|people|things?|stuff|something|someone|user|interests?|preferences?"
    r"|opinions?|conversation|chat|questions?|tasks?|goals?|plans?|happy|here|there|fine"
    r"|ok(?:ay)?|good)\.?$"
    r"|^(?:用户|使用者)(?:是|有|喜欢|想)?(?:一个|一些|很多)?(?:人|东西|事情|事|爱好|兴趣|偏好|问题|想法)。?$",
    re.IGNORECASE,
)
_TITLE = re.compile(r"\b(Prof|Dr|Mr|Mrs|Ms|St|Jr|Sr)\.")
"""A title, which names are told without the stop of."""
_TELLING_MIN = 1
_OF_PLACES = frozenset({"lives_in", "is_from", "works_in", "born_in", "studies_in", "located_in"})


def passed(knowledge: Knowledge, lecture: ExtractionInput, limits: WriteGate) -> Knowledge:
    """Return the knowledge that passes the gate, with the refused items counted."""
    gate = _Gate(lecture, limits, LearnedEarlier(lecture))
    kept = Knowledge(
        facts=gate.kept(knowledge.facts, gate.fact),
        lessons=gate.kept(knowledge.lessons, gate.lesson),
        procedures=gate.kept(knowledge.procedures, gate.procedure),
        refusals=knowledge.refusals,
        mentions=gate.kept(map(gate.spelled, knowledge.mentions), gate.mention),
    )
    return kept.with_refusals(gate.refusals)


@dataclass(slots=True)
class _Gate:
    lecture: ExtractionInput
    limits: WriteGate
    earlier: LearnedEarlier
    refusals: Counter[Refused] = field(default_factory=Counter)

    def kept(
        self, items: Iterable[_Item], judge: "Callable[[_Item], Refused | None]"
    ) -> tuple[_Item, ...]:
        """The items that are not refused, each once."""
        kept: list[_Item] = []
        seen: set[tuple[str, ...]] = set()
        for item in items:
            keys = set(_keys(item))
            reason = judge(item) or (Refused.REPEATED if keys & seen else None)
            if reason is None:
                kept.append(item)
                seen |= keys
            else:
                self.refusals[reason] += 1
        return tuple(kept)

    def fact(self, fact: LearnedFact) -> Refused | None:
        """The reason why a fact is refused; None if it is accepted."""
        cited = self._cited(fact.sources)
        if not cited:
            return Refused.NO_SOURCE
        if tells_secret(fact):
            return Refused.WITHHELD
        fact = self._unsigned(fact, cited)
        text = f"{fact.statement}\n{fact.object}"
        return (
            self._origin(text, cited, spoken=True)
            or self._unsupported_fact(fact, cited)
            or _restated(fact, cited)
            or _low(
                fact.confidence,
                fact.importance,
                self.limits.fact_confidence_min,
                self.limits.fact_importance_min,
            )
        )

    def lesson(self, lesson: LearnedLesson) -> Refused | None:
        """The reason why a lesson is refused; None if it is accepted."""
        cited = self._cited(lesson.sources)
        if not cited:
            return Refused.NO_SOURCE
        text = f"{lesson.title}\n{lesson.resolution}"
        return (
            self._origin(text, cited, spoken=False)
            or (None if self._supports(text, cited) else Refused.UNSUPPORTED)
            or (Refused.GENERALITY if telling_words(lesson.resolution) < 2 else None)
            or _low(
                lesson.confidence,
                lesson.importance,
                self.limits.lesson_confidence_min,
                self.limits.lesson_importance_min,
            )
        )

    def procedure(self, procedure: LearnedProcedure) -> Refused | None:
        """The reason why a procedure is refused; None if it is accepted."""
        cited = self._cited(procedure.sources)
        if not cited:
            return Refused.NO_SOURCE
        text = "\n".join(
            [procedure.goal, *(f"{step.action} {step.spec}" for step in procedure.steps)]
        )
        return (
            self._origin(text, cited, spoken=False)
            or (None if self._supports(text, cited) else Refused.UNSUPPORTED)
            or (Refused.GENERALITY if len(procedure.steps) < 2 else None)
            or _low(
                procedure.confidence,
                procedure.importance,
                self.limits.procedure_confidence_min,
                self.limits.procedure_importance_min,
            )
        )

    def mention(self, mention: LearnedMention) -> Refused | None:
        """The reason why a name is refused; None if it is accepted."""
        cited = self._cited(mention.sources)
        return refused(mention, cited) if cited else Refused.NO_SOURCE

    def spelled(self, mention: LearnedMention) -> LearnedMention:
        """The mention with what its events do not spell left out."""
        return as_spelled(mention, self._cited(mention.sources))

    def _cited(self, sources: Sequence[int]) -> list[LedgerEvent]:
        """The events cited; none where one of them is not of this lecture."""
        events = {
            at if event.index is None else event.index: event
            for at, event in enumerate(self.lecture.events)
        }
        return [events[each] for each in sources] if all(each in events for each in sources) else []

    def _origin(self, text: str, cited: Sequence[LedgerEvent], *, spoken: bool) -> Refused | None:
        """The reason to refuse a text by its origin; None if there is none."""
        if all(event.role is Role.SYSTEM for event in cited) or self._of_system_prompt(text, cited):
            return Refused.SYSTEM_PROMPT
        evidence = evidence_of(cited)
        if not evidence.strip():
            return (
                Refused.INJECTED
                if any(event.content.strip() for event in cited)
                else Refused.UNSUPPORTED
            )
        if not self._held(text, evidence) and self._held(
            text, "\n".join(event.content for event in cited)
        ):
            return Refused.INJECTED
        if spoken and all(event.role is Role.ASSISTANT and not event.name for event in cited):
            return Refused.UNSUPPORTED
        return None

    def _of_system_prompt(self, text: str, cited: Sequence[LedgerEvent]) -> bool:
        """True if a system event holds the text and the cited events do not."""
        prompts = [
            e.content
            for e in (*self.lecture.context, *self.lecture.events)
            if e.role is Role.SYSTEM
        ]
        return (
            bool(prompts)
            and self._held(text, "\n".join(prompts))
            and not self._held(text, evidence_of(cited))
        )

    def _held(self, text: str, evidence: str) -> bool:
        enough = shared_words(text, evidence) >= max(self.limits.words_shared_min, 0.01)
        return enough and not any(missing(text, evidence, self._names()))

    def _supports(self, text: str, cited: Sequence[LedgerEvent]) -> bool:
        return self._held(text, evidence_of(cited))

    def _unsigned(self, fact: LearnedFact, cited: Sequence[LedgerEvent]) -> LearnedFact:
        """The fact without the name of who said it: an id need not stand in what they say."""
        speakers = {self.lecture.user, *(event.name for event in cited)} - {""}
        statement, subject = fact.statement, fact.subject
        for speaker in sorted(speakers, key=len, reverse=True):
            if speaker not in subject and speaker not in statement:
                continue
            statement = _without(statement, speaker)
            subject = _without(subject, speaker) or subject
        return replace(fact, statement=statement, subject=subject)

    def _unsupported_fact(self, fact: LearnedFact, cited: Sequence[LedgerEvent]) -> Refused | None:
        evidence = supporting(fact, self.lecture, cited)
        last = max(fact.sources)
        earlier = self.earlier.until(last)
        known = {
            *self._names(),
            *(event.speaker for event in cited if event.speaker),
            *years(cited),
        }
        known |= {
            name
            for name in (fact.subject, *fact.persons)
            if name and (name in earlier or name.casefold() in earlier.casefold())
        }
        gone = any(missing(f"{fact.statement}\n{fact.object}", evidence, known))
        spelled = _TITLE.sub(r"\1", evidence).casefold()
        absent = any(name.casefold() not in spelled and name not in known for name in fact.persons)
        least = self.limits.words_shared_min
        thin = fact.object not in known and (
            shared_words(fact.object, evidence) < least
            and shared_words(fact.object, f"{evidence}\n{earlier}") < least
        )
        quoted = fact.statement.partition(": ")[2]
        asserted = not (fact.presupposed or (quoted and quoted in evidence))
        denied = asserted and contradicts(told(fact), evidence)
        if gone or absent or thin or denied or not dated(fact, cited):
            return Refused.UNSUPPORTED
        return Refused.GENERALITY if _EMPTY.match(fact.statement) or _says_little(fact) else None

    def _names(self) -> set[str]:
        """Words that need no support: the two sides, and whoever takes part in the talk."""
        sides = {self.lecture.user, self.lecture.agent, "User", "用户"}
        sides |= {event.speaker for event in self.lecture.events}
        return {each for each in sides if each}


def _says_little(fact: LearnedFact) -> bool:
    """True for a statement of the words of grammar alone; a town's name is none: 是成都人."""
    names_place = fact.predicate in _OF_PLACES and len(fact.object) > 1
    return not names_place and telling_words(told(fact)) < _TELLING_MIN


def _without(text: str, speaker: str) -> str:
    """The text with "The user" for the speaker's id or name."""
    return re.sub(rf"(?<!\w){re.escape(speaker)}(?!\w)", "The user", text)


def _restated(fact: LearnedFact, cited: Sequence[LedgerEvent]) -> Refused | None:
    """A request or a question is no fact, nor is a text that was given to be worked on."""
    spoken = [learnable_text(event).strip() for event in cited if event.role is not Role.SYSTEM]
    asked = not fact.presupposed and all(map(only_asks, spoken))
    if _REQUEST.search(fact.statement) or asked or all(tells_nothing(text) for text in spoken):
        return Refused.RESTATED_PROMPT
    return None


def _low(
    confidence: float, importance: float, confidence_min: float, importance_min: float
) -> Refused | None:
    if not confidence >= confidence_min:
        return Refused.LOW_CONFIDENCE
    return None if importance >= importance_min else Refused.LOW_IMPORTANCE


def _keys(
    item: LearnedFact | LearnedLesson | LearnedProcedure | LearnedMention,
) -> Iterable[tuple[str, ...]]:
    """The keys that two items of a batch must not share."""
    if isinstance(item, LearnedFact):
        yield ("fact", item.subject.casefold(), item.predicate.casefold(), item.object.casefold())
        yield ("said", item.statement.casefold(), item.predicate, item.object.casefold())
    elif isinstance(item, LearnedLesson):
        yield ("lesson", item.title.casefold(), item.resolution.casefold())
    elif isinstance(item, LearnedMention):
        yield ("name", item.name.casefold(), item.kind, *map(str, item.sources))
    else:
        yield ("path", *(f"{step.action} {step.spec}".casefold() for step in item.steps))
