"""Learned knowledge for the memory service: memories, and the names that drawers mention."""

from collections.abc import Mapping, Sequence
from datetime import datetime, time

from anamnesis.memory.v1 import (
    entity_pb2,
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
)
from anamnesis_ingestion.convert.enums import ENTITY_KIND, FACT_KIND, PRECISION
from anamnesis_ingestion.convert.ledger import from_time
from anamnesis_ingestion.learning.knowledge import (
    EntityKind,
    FactKind,
    LearnedFact,
    LearnedLesson,
    LearnedMention,
    LearnedProcedure,
    Precision,
)
from anamnesis_ingestion.learning.spelling import stands_in
from anamnesis_libs.zones import off_clock

_SOURCES_MAX = 100
_ENTITIES_MAX = 100


class Writer:
    """From what was learned to memories, with where each comes from."""

    def __init__(
        self, drawers: Mapping[int, str], extractor: str, mentions: Sequence[LearnedMention]
    ) -> None:
        self._drawers = drawers
        self._extractor = extractor
        # Other names first: who is told as one is then known by both.
        self._mentions = sorted(mentions, key=lambda mention: not mention.aliases)
        self._named = {mention.name.casefold(): mention for mention in reversed(self._mentions)}

    def mentions(self) -> list[ledger_service_pb2.DrawerMention]:
        """Names that each drawer mentions, each name once."""
        found: dict[tuple[str, str, EntityKind], ledger_service_pb2.DrawerMention] = {}
        for mention in self._mentions:
            for memory_id in filter(None, map(self._drawers.get, mention.sources)):
                found.setdefault(
                    (memory_id, mention.name, mention.kind),
                    ledger_service_pb2.DrawerMention(memory_id=memory_id, entity=_entity(mention)),
                )
        return list(found.values())

    def fact(self, fact: LearnedFact) -> memory_service_pb2.NewMemory:
        """A fact; its category is its kind.

        Only what is told to be over has an end: where its words say so, or else when it was told.
        The end of a time that was said is else that of its period ("in 2019"), and not of what
        began in it. What has no date is observed when it was told, so that lines settle by it.
        """
        since, told_at = _since(fact), fact.time.since or fact.said_at
        return memory_service_pb2.NewMemory(
            kind=memory_pb2.MEMORY_KIND_SEMANTIC,
            category=fact.kind.value,
            content=fact.statement,
            entities=list(dict.fromkeys([*fact.persons, fact.subject]))[:100],
            named_entities=self._entities(fact),
            importance=fact.importance,
            confidence=fact.confidence,
            event_time=from_time(told_at and off_clock(told_at, fact.utc_offset_minutes)),
            utc_offset_minutes=fact.utc_offset_minutes if told_at else None,
            provenance=self._provenance(fact.sources),
            tags=_tags(type=fact.kind.value, topic=fact.topic),
            fact=memory_pb2.Fact(
                subject=fact.subject,
                predicate=fact.predicate,
                object=fact.object,
                valid_from=from_time(since),
                valid_to=from_time(_until(fact, since)),
                single_valued=fact.single_valued,
                fact_kind=FACT_KIND.to_pb(fact.kind),
                persons=fact.persons,
                location=fact.location,
                topic=fact.topic,
                time_precision=_precision(fact),
                source_memory_ids=self._cited(fact.sources),
            ),
        )

    def lesson(self, lesson: LearnedLesson) -> memory_service_pb2.NewMemory:
        """A lesson; its text is what happened and what helped."""
        return memory_service_pb2.NewMemory(
            kind=memory_pb2.MEMORY_KIND_LEARNING,
            category=lesson.category,
            content="\n".join(filter(None, (lesson.title, lesson.context, lesson.resolution))),
            tags=[*_tags(type=lesson.category), *lesson.tags][:9],
            importance=lesson.importance,
            confidence=lesson.confidence,
            provenance=self._provenance(lesson.sources),
            lesson=memory_pb2.Lesson(
                title=lesson.title,
                context=lesson.context,
                resolution=lesson.resolution,
                impact=lesson.impact,
                evidence_memory_ids=self._cited(lesson.sources),
            ),
        )

    def procedure(self, procedure: LearnedProcedure) -> memory_service_pb2.NewMemory:
        """A procedure; its text is its goal and its steps."""
        numbered = enumerate(procedure.steps, start=1)
        steps = [f"{place}. {step.action}: {step.spec}" for place, step in numbered]
        return memory_service_pb2.NewMemory(
            kind=memory_pb2.MEMORY_KIND_PROCEDURAL,
            category="procedure",
            content="\n".join([procedure.name, procedure.goal, *steps]),
            tags=[*_tags(type="procedure"), *procedure.trigger_tags][:9],
            importance=procedure.importance,
            confidence=procedure.confidence,
            provenance=self._provenance(procedure.sources),
            procedure=memory_pb2.Procedure(
                name=procedure.name,
                goal=procedure.goal,
                steps=[
                    memory_pb2.ProcedureStep(
                        action=step.action,
                        spec=step.spec,
                        success_criteria=step.success_criteria,
                        on_failure=step.on_failure,
                    )
                    for step in procedure.steps
                ],
                avoid=procedure.avoid,
                trigger_tags=procedure.trigger_tags,
            ),
        )

    def _entities(self, fact: LearnedFact) -> list[entity_pb2.NamedEntity]:
        """The entities that a fact names, its persons and its place with their kinds."""
        told = dict.fromkeys(fact.persons, EntityKind.PERSON)
        if fact.location.casefold() in self._named or fact.location[:1].isupper():
            told.setdefault(fact.location, EntityKind.PLACE)
        subject = self._named.get(fact.subject.casefold())
        if subject is not None:
            told.setdefault(fact.subject, subject.kind)
        named = [self._entity_of(name, kind) for name, kind in told.items()]
        others = {mention.name: mention for mention in self._mentions if _names(fact, mention)}
        named += [_entity(mention) for name, mention in others.items() if name not in told]
        return named[:_ENTITIES_MAX]

    def _entity_of(self, name: str, kind: EntityKind) -> entity_pb2.NamedEntity:
        """A name of a kind, with the other names that the segment gives it."""
        mention = self._named.get(name.casefold())
        aliases = mention.aliases if mention is not None and mention.kind is kind else ()
        return _entity(LearnedMention(name=name, kind=kind, sources=(), aliases=aliases))

    def _provenance(self, sources: Sequence[int]) -> memory_pb2.Provenance:
        """The provenance of sources: rules pick out observed words, a chat model generates."""
        local = self._extractor == "local"
        return memory_pb2.Provenance(
            origin=memory_pb2.ORIGIN_OBSERVED if local else memory_pb2.ORIGIN_GENERATED,
            first_event_index=min(sources),
            last_event_index=max(sources),
            model="" if local else self._extractor,
        )

    def _cited(self, sources: Sequence[int]) -> list[str]:
        cited = (self._drawers.get(index, "") for index in sources)
        return [memory_id for memory_id in cited if memory_id][:_SOURCES_MAX]


def _end(fact: LearnedFact) -> datetime | None:
    """The end of a fact that is over, of a plan, and of what ends on a day ahead of its telling.

    None if it is not after its beginning.
    """
    told = fact.ended or fact.kind is FactKind.GOAL or _ends_ahead(fact)
    end = fact.time.until if told else None
    end = end or (fact.said_at if fact.ended else None)
    since = fact.time.since
    return None if end is None or (since is not None and end <= since) else end


def _ends_ahead(fact: LearnedFact) -> bool:
    """True for "I have a scan on November 26", told before it: it holds from now, until then."""
    since, until, said_at = fact.time.since, fact.time.until, fact.said_at
    return (
        until is not None and said_at is not None and until > said_at and since in {None, said_at}
    )


def _since(fact: LearnedFact) -> datetime | None:
    """The beginning of a fact: the moment where that is known, else a day of the calendar."""
    since = fact.time.since
    if since is None or fact.time.precision is not Precision.INSTANT:
        return since
    return off_clock(since, fact.utc_offset_minutes)


def _until(fact: LearnedFact, since: datetime | None) -> datetime | None:
    """The end of a fact: a midnight is one of the calendar, any other time a moment.

    Where a day begins later in UTC than on the speaker's clock, an end on that day follows it.
    """
    end = _end(fact)
    if end is None or (end.time() == time() and fact.time.precision is not Precision.INSTANT):
        return end
    moment = off_clock(end, fact.utc_offset_minutes)
    return end if since is not None and moment <= since else moment


def _names(fact: LearnedFact, mention: LearnedMention) -> bool:
    """True if a fact shares a source event with a mention and holds its name."""
    told = f"{fact.subject}\n{fact.statement}\n{fact.object}"
    return not set(fact.sources).isdisjoint(mention.sources) and stands_in(told, mention.name)


def _entity(mention: LearnedMention) -> entity_pb2.NamedEntity:
    return entity_pb2.NamedEntity(
        name=mention.name,
        kind=ENTITY_KIND.to_pb(mention.kind),
        aliases=mention.aliases,
    )


def _precision(fact: LearnedFact) -> "memory_pb2.TimePrecision.ValueType":
    return PRECISION.to_pb(Precision.NONE if fact.time.since is None else fact.time.precision)


def _tags(**labels: str) -> list[str]:
    """Tags such as `type:preference`; what is empty is left out."""
    return [f"{label}:{value}"[:128] for label, value in labels.items() if value]
