"""The extractor that needs no model: rules of grammar over what people say."""

import asyncio
from collections.abc import Iterator

from services.ingestion.learning.chinese.learned import chinese_facts
from services.ingestion.learning.english.learned import facts_of, turn_of
from services.ingestion.learning.english.worker import WORKER, ReadsEnglish
from services.ingestion.learning.knowledge import Knowledge, LearnedFact, Lecture
from services.ingestion.learning.local.lessons import corrected_at, lessons_of
from services.ingestion.learning.local.naming.finder import mentions_of
from services.ingestion.learning.local.procedures import procedures_of
from services.ingestion.ledger import LedgerEvent
from services.ingestion.model import Role

_WISHES = "prefers"


class LocalExtractor:
    """An Extractor by rules: deterministic, without a network, in English and Chinese."""

    def __init__(self, english: ReadsEnglish = WORKER) -> None:
        self._english = english

    @property
    def name(self) -> str:
        """`local`."""
        return "local"

    async def learn(self, lecture: Lecture) -> Knowledge:
        """Return what the events teach; lessons and procedures where they are wanted."""
        english = await self._english_facts(lecture) if lecture.facts else ()
        return await asyncio.to_thread(_knowledge, lecture, english)

    async def _english_facts(self, lecture: Lecture) -> tuple[LearnedFact, ...]:
        events = [event for event in lecture.events if _speaks(event, lecture)]
        to_agent = any(
            event.role is Role.ASSISTANT and not _speaks(event, lecture) for event in lecture.events
        )
        turns = await asyncio.to_thread(
            lambda: [turn_of(event, lecture, to_agent=to_agent) for event in events]
        )
        claims = await self._english.read(turns)
        pairs = zip(claims, events, strict=True)
        return tuple(fact for told, event in pairs for fact in facts_of(told, event, lecture))


def _knowledge(lecture: Lecture, english: tuple[LearnedFact, ...]) -> Knowledge:
    wanted = lecture.lessons
    return Knowledge(
        facts=(*english, *_chinese(lecture)) if lecture.facts else (),
        lessons=tuple(lessons_of(lecture.events)) if wanted else (),
        procedures=tuple(procedures_of(lecture.events)) if wanted else (),
        mentions=mentions_of(lecture) if lecture.facts else (),
    )


def _chinese(lecture: Lecture) -> Iterator[LearnedFact]:
    """The facts told in Chinese; how the agent's work is to be mended is a lesson."""
    events = lecture.events
    mended = {events[at].index or 0 for at in corrected_at(events)}
    for fact in chinese_facts(lecture, _speaks):
        if fact.predicate != _WISHES or mended.isdisjoint(fact.sources):
            yield fact


def _speaks(event: LedgerEvent, lecture: Lecture) -> bool:
    """Whether a person says it, or a file.

    An assistant is a person only by a name, and not by that of the agent itself.
    """
    if event.role is not Role.ASSISTANT:
        return event.role in {Role.USER, Role.FILE}
    return bool(event.name) and event.name.casefold() != lecture.agent.casefold()
