"""The extractor that needs no model: rules of grammar over what people say."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace

from services.ingestion.learning.chinese.learned import chinese_facts
from services.ingestion.learning.injected import own_words
from services.ingestion.learning.knowledge import Dated, Knowledge, LearnedFact, Lecture
from services.ingestion.learning.local.clauses import clauses, language_of, sentences
from services.ingestion.learning.local.dating import dated, times_in
from services.ingestion.learning.local.drafts import Clause, Draft, Language
from services.ingestion.learning.local.english_facts import english_facts
from services.ingestion.learning.local.english_people import mentions
from services.ingestion.learning.local.guards import (
    is_idle,
    is_question,
    is_unreal,
    tells_nothing,
    unquoted,
)
from services.ingestion.learning.local.lessons import corrected_at, lessons_of
from services.ingestion.learning.local.naming.finder import mentions_of
from services.ingestion.learning.local.predicates import MEANINGS, Predicate
from services.ingestion.learning.local.procedures import procedures_of
from services.ingestion.learning.local.scene import UNNAMED, Scene
from services.ingestion.ledger import LedgerEvent
from services.ingestion.model import Role

_EVENT_CHARS_MAX = 20_000
# Whom a text without a speaker cannot mean.
_NOBODYS = frozenset({"", "we"})
_NOTHING = re.compile(r"(?:no|not|none|without)\b", re.IGNORECASE)


class LocalExtractor:
    """An Extractor by rules: deterministic, without a network, in English and Chinese."""

    @property
    def name(self) -> str:
        """`local`."""
        return "local"

    async def learn(self, lecture: Lecture) -> Knowledge:
        """Return what the events teach; lessons and procedures where they are wanted."""
        return await asyncio.to_thread(_knowledge, lecture)


def _knowledge(lecture: Lecture) -> Knowledge:
    wanted = lecture.lessons
    return Knowledge(
        facts=(*_facts(lecture), *_chinese(lecture)) if lecture.facts else (),
        lessons=tuple(lessons_of(lecture.events)) if wanted else (),
        procedures=tuple(procedures_of(lecture.events)) if wanted else (),
        mentions=mentions_of(lecture) if lecture.facts else (),
    )


def _chinese(lecture: Lecture) -> Iterator[LearnedFact]:
    """The facts told in Chinese; how the agent's work is to be mended is a lesson."""
    events = lecture.events
    mended = {events[at].index or 0 for at in corrected_at(events)}
    for fact in chinese_facts(lecture, _speaks):
        if fact.predicate != Predicate.PREFERS or mended.isdisjoint(fact.sources):
            yield fact


def _facts(lecture: Lecture) -> Iterator[LearnedFact]:
    persons = _spoken_of(lecture)
    corrected = corrected_at(lecture.events)
    for at, event in enumerate(lecture.events):
        if not _speaks(event, lecture):
            continue
        scene = _scene(event, lecture, persons)
        phrases = times_in(event)
        for draft in _drafts(event, scene):
            # How the agent's work is to be mended is a lesson, told by the correction.
            if at in corrected and draft.predicate is Predicate.PREFERS:
                continue
            yield _fact(draft, event, lecture, dated(draft, phrases, event.event_time))
        persons = scene.persons


def _spoken_of(lecture: Lecture) -> list[str]:
    """Who the context spoke of: what the first pronouns may stand for."""
    persons: list[str] = []
    for event in lecture.context:
        if _speaks(event, lecture):
            scene = _scene(event, lecture, persons)
            for _ in _drafts(event, scene):
                pass
            persons = scene.persons
    return persons


def _scene(event: LedgerEvent, lecture: Lecture, persons: list[str]) -> Scene:
    """Who speaks to whom; a file has no speaker and speaks to nobody."""
    if event.role is Role.FILE:
        return Scene("", persons, to_agent=False)
    return Scene(event.name or lecture.user or UNNAMED, persons, to_agent=not event.name)


def _speaks(event: LedgerEvent, lecture: Lecture) -> bool:
    """Whether a person says it, or a file.

    An assistant is a person only by a name, and not by that of the agent itself.
    """
    if event.role is not Role.ASSISTANT:
        return event.role in {Role.USER, Role.FILE}
    return bool(event.name) and event.name.casefold() != lecture.agent.casefold()


def _drafts(event: LedgerEvent, scene: Scene) -> Iterator[Draft]:
    text = unquoted(own_words(event)[:_EVENT_CHARS_MAX])
    for person in mentions(text):
        scene.mention(person)
    if tells_nothing(text):
        return
    for sentence in sentences(text):
        if is_question(sentence.text) or is_idle(sentence.text):
            continue
        if language_of(sentence.text) is Language.CHINESE:
            continue
        scene.begin_sentence()
        yield from _of_sentence(sentence, scene)


def _of_sentence(sentence: Clause, scene: Scene) -> Iterator[Draft]:
    times_from = sentence.start
    for clause in clauses(sentence, Language.ENGLISH):
        if is_unreal(clause.text):
            continue
        drafts = [each for each in english_facts(clause, scene) if _holds(each, scene)]
        yield from (replace(each, times_from=times_from) for each in drafts)
        if drafts:
            times_from = clause.start + len(clause.text)


def _holds(draft: Draft, scene: Scene) -> bool:
    """Whether a draft is of somebody, and of something: nobody is allergic to "no nuts"."""
    if not scene.speaker and draft.subject in _NOBODYS:
        return False
    return not (draft.predicate is Predicate.IS_ALLERGIC_TO and _NOTHING.match(draft.object))


def _fact(draft: Draft, event: LedgerEvent, lecture: Lecture, time: Dated) -> LearnedFact:
    return LearnedFact(
        statement=re.sub(r" {2,}", " ", draft.statement),
        subject=draft.subject,
        predicate=draft.predicate.value,
        object=draft.object,
        kind=draft.kind,
        sources=(event.index or 0,),
        persons=draft.persons,
        location=draft.location,
        topic=lecture.topic,
        time=time,
        confidence=draft.confidence,
        importance=MEANINGS[draft.predicate].importance,
    )
