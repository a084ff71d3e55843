"""The extractor that needs no model: rules of grammar over what people say."""

from collections.abc import Iterator
from dataclasses import replace

from anamnesis_ingestion.learning.chinese.learned import chinese_facts
from anamnesis_ingestion.learning.english.learned import facts_of, turn_of
from anamnesis_ingestion.learning.knowledge import (
    ExtractionInput,
    FactKind,
    Knowledge,
    LearnedFact,
    LearnedLesson,
    Refused,
)
from anamnesis_ingestion.learning.listeners import listeners
from anamnesis_ingestion.learning.local.lessons import corrected_at, lessons_of, proven_lessons_of
from anamnesis_ingestion.learning.local.naming.finder import mentions_of
from anamnesis_ingestion.learning.local.procedures import procedures_of
from anamnesis_ingestion.learning.local.standing_rules import is_at_work, standing_rules_of
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.run.worker import Overran, Worker

WORKER = Worker()
"""The one process of this suite that learns."""
_WISHES = "prefers"
_OF_THE_PERSON = frozenset(
    {
        FactKind.PREFERENCE,
        FactKind.RELATIONSHIP,
        FactKind.SKILL,
        FactKind.IDENTITY,
        FactKind.CONSTRAINT,
    }
)
"""What people are, at work too; else they tell there what they did to it and how it looks."""


class LocalExtractor:
    """An Extractor by rules: deterministic, without a network, in English and Chinese."""

    def __init__(self, worker: Worker = WORKER) -> None:
        self._worker = worker

    @property
    def name(self) -> str:
        """`local`."""
        return "local"

    @property
    def reads_held(self) -> bool:
        """False: rules read what is said, whatever holds."""
        return False

    async def learn(self, lecture: ExtractionInput) -> Knowledge:
        """Return what the events teach; lessons and procedures where they are wanted.

        A lecture that takes too long is read in halves, until what does so is alone: that event
        teaches nothing, and is counted among the refusals.
        """
        try:
            return await self._worker.run(knowledge_of, _light(lecture))
        except Overran:
            middle = len(lecture.events) // 2
            if not middle:
                return Knowledge(refusals={Refused.OVERRAN: 1})
        before = await self.learn(replace(lecture, events=lecture.events[:middle]))
        return before + await self.learn(replace(lecture, events=lecture.events[middle:]))


def _light(lecture: ExtractionInput) -> ExtractionInput:
    """The lecture without vectors, which teach rules nothing and weigh on the way."""
    return replace(
        lecture,
        events=[replace(event, embedding=()) for event in lecture.events],
        context=[replace(event, embedding=()) for event in lecture.context],
    )


def knowledge_of(lecture: ExtractionInput) -> Knowledge:
    """The knowledge that the local methods find in the events."""
    wanted = lecture.lessons
    return Knowledge(
        facts=tuple(_facts(lecture)) if lecture.facts else (),
        lessons=tuple(_lessons(lecture)),
        procedures=tuple(procedures_of(lecture.events)) if wanted else (),
        mentions=mentions_of(lecture) if lecture.facts else (),
    )


def _lessons(lecture: ExtractionInput) -> Iterator[LearnedLesson]:
    if lecture.lessons:
        yield from lessons_of(lecture.events)
    elif lecture.proven:
        yield from proven_lessons_of(lecture.events)


def _facts(lecture: ExtractionInput) -> Iterator[LearnedFact]:
    yield from _english(lecture)
    yield from _chinese(lecture)
    yield from standing_rules_of(lecture)


def _english(lecture: ExtractionInput) -> Iterator[LearnedFact]:
    """The facts told in English; the parser is loaded where there is any."""
    spoken = [_speaks(event, lecture) for event in lecture.events]
    events = [event for event, each in zip(lecture.events, spoken, strict=True) if each]
    to_agent = any(
        event.role is Role.ASSISTANT and not each
        for event, each in zip(lecture.events, spoken, strict=True)
    )
    heard = listeners([event.name for event in events]) if not to_agent else [""] * len(events)
    turns = [
        turn_of(event, lecture, to_agent=to_agent, listener=listener)
        for event, listener in zip(events, heard, strict=True)
    ]
    if not any(turn.sentences for turn in turns):
        return
    from anamnesis_ingestion.learning.english.reader import read

    at_work = is_at_work(lecture.events)
    for claims, event in zip(read(turns), events, strict=True):
        facts = facts_of(claims, event, lecture)
        yield from (fact for fact in facts if not at_work or fact.kind in _OF_THE_PERSON)


def _chinese(lecture: ExtractionInput) -> Iterator[LearnedFact]:
    """The facts told in Chinese; how the agent's work is to be mended is a lesson."""
    events = lecture.events
    mended = {events[at].index or 0 for at in corrected_at(events)}
    for fact in chinese_facts(lecture, _speaks):
        if fact.predicate != _WISHES or mended.isdisjoint(fact.sources):
            yield fact


def _speaks(event: LedgerEvent, lecture: ExtractionInput) -> bool:
    """True if the speaker of an event is a person or a file.

    An assistant is a person only by a name, and not by that of the agent itself.
    """
    if event.role is not Role.ASSISTANT:
        return event.role in {Role.USER, Role.FILE}
    return bool(event.name) and event.name.casefold() != lecture.agent.casefold()
