"""Learned facts out of the Chinese of a lecture's events."""

from collections.abc import Callable, Iterator

from anamnesis_ingestion.learning.chinese.found import FoundFact, in_one_place
from anamnesis_ingestion.learning.chinese.reader import read
from anamnesis_ingestion.learning.chinese.subjects import Subjects, speaker
from anamnesis_ingestion.learning.emoji import without_moods
from anamnesis_ingestion.learning.injected import own_words
from anamnesis_ingestion.learning.knowledge import UNNAMED, ExtractionInput, LearnedFact
from anamnesis_ingestion.learning.listeners import listeners
from anamnesis_ingestion.learning.local.guards import tells_nothing
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role

EVENT_CHARS_MAX = 20_000
_CONFIDENCE_MIN, _CONFIDENCE_MAX = 0.7, 0.95


def chinese_facts(
    lecture: ExtractionInput, speaks: Callable[[LedgerEvent, ExtractionInput], bool]
) -> Iterator[LearnedFact]:
    """The facts that the lecture's Chinese states; the context says only who was named."""
    readers: dict[str, Subjects] = {}
    events = [*lecture.context, *lecture.events]
    spoken = [speaks(event, lecture) for event in events]
    with_agent = any(
        event.role is Role.ASSISTANT and not each
        for event, each in zip(events, spoken, strict=True)
    )
    persons = [event.name if each else "" for event, each in zip(events, spoken, strict=True)]
    for place, (event, listener) in enumerate(zip(events, listeners(persons), strict=True)):
        if not spoken[place]:
            continue
        name = "" if event.role is Role.FILE else event.name or lecture.user or UNNAMED
        subjects = readers.setdefault(name, Subjects(speaker(name)))
        to_agent = with_agent or not event.name
        for found in _of_event(event, subjects, listener, to_agent=to_agent):
            if place >= len(lecture.context):
                yield _fact(found, event, lecture)


def _of_event(
    event: LedgerEvent, subjects: Subjects, listener: str, *, to_agent: bool
) -> Iterator[FoundFact]:
    text = without_moods(own_words(event)[:EVENT_CHARS_MAX])
    if not tells_nothing(text):
        found = read(text, subjects, event.event_time, to_agent=to_agent, listener=listener)
        yield from in_one_place(found)


def _fact(found: FoundFact, event: LedgerEvent, lecture: ExtractionInput) -> LearnedFact:
    return LearnedFact(
        statement=found.statement,
        subject=found.subject,
        predicate=found.predicate,
        object=found.object,
        kind=found.kind,
        sources=(event.index or 0,),
        persons=found.persons,
        topic=lecture.topic,
        time=found.time,
        ended=found.ended,
        ends_only=found.ends_only,
        said_at=event.event_time,
        single_valued=found.single_valued,
        presupposed=found.assumed,
        confidence=_CONFIDENCE_MIN + (_CONFIDENCE_MAX - _CONFIDENCE_MIN) * found.worth,
        importance=found.worth,
    )
