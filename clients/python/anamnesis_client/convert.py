"""Messages of the contracts as answers."""

from dataclasses import replace

from anamnesis.cluster.v1.projection_pb2 import ProjectionLine
from anamnesis.cluster.v1.projection_service_pb2 import GetUserProfileResponse
from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsResponse, RunPipelineResponse
from anamnesis.memory.v1 import event_pb2, memory_pb2
from anamnesis.memory.v1.event_pb2 import Role, Visibility
from anamnesis.memory.v1.knowledge_pb2 import FactFlag, KnownFact
from anamnesis.memory.v1.memory_pb2 import FactKind, MemoryKind, Origin, TimePrecision
from anamnesis.memory.v1.memory_service_pb2 import ChangeType, WatchMemoriesResponse
from anamnesis.memory.v1.work_pb2 import WorkKind
from anamnesis.retrieval.v1 import retrieval_pb2
from anamnesis.retrieval.v1.retrieval_pb2 import CitationReason
from anamnesis.retrieval.v1.retrieval_service_pb2 import (
    BuildContextResponse,
    EmptyReason,
    SearchResponse,
)
from anamnesis_client.answers import (
    Added,
    Change,
    Citation,
    Context,
    Event,
    Fact,
    Found,
    Hit,
    Learned,
    Memory,
    Profile,
    ProfileLine,
    ProfileSection,
    ToolCall,
)
from anamnesis_client.times import local_moment_of, moment_of
from anamnesis_client.words import word_of

_NOBODY_SEES = "nothing_visible"


def memory_of(stored: memory_pb2.Memory) -> Memory:
    """A memory; its text is the fullest that was sent."""
    return Memory(
        id=stored.memory_id,
        kind=word_of(MemoryKind, stored.kind),
        text=stored.content or stored.overview or stored.summary,
        summary=stored.summary,
        time=local_moment_of(stored),
        stored=moment_of(stored, "create_time"),
        session=stored.session_id,
        index=stored.event_index if stored.HasField("event_index") else None,
        pointer=stored.pointer,
        role=word_of(Role, stored.episode.role),
        name=stored.episode.name,
        user=stored.user_id,
        agent=stored.agent_id,
        visibility=word_of(Visibility, stored.visibility),
        origin=word_of(Origin, stored.provenance.origin),
        sources=(*stored.fact.source_memory_ids, *stored.lesson.evidence_memory_ids),
        category=stored.category,
        tags=tuple(stored.tags),
        entities=tuple(stored.entities),
        importance=stored.importance,
        confidence=stored.confidence,
        expires=moment_of(stored, "expire_time"),
    )


def found_of(answer: SearchResponse) -> Found:
    """The hits of a search."""
    hits = tuple(_hit_of(result) for result in answer.results)
    return Found(hits, tuple(answer.degraded), answer.revision)


def _hit_of(result: retrieval_pb2.SearchResult) -> Hit:
    return Hit(memory_of(result.memory), result.score, tuple(result.routes))


def in_full(found: Found, memories: dict[str, Memory]) -> Found:
    """The hits with their memories in full; one that is gone by now is left out."""
    hits = (replace(hit, memory=memories[hit.id]) for hit in found if hit.id in memories)
    return replace(found, hits=tuple(hits))


def context_of(answer: BuildContextResponse) -> Context:
    """A context; that of a namespace that is not there is one in which nothing is visible."""
    reason = word_of(EmptyReason, answer.empty_reason)
    return Context(
        text=answer.text,
        token_count=answer.token_count,
        token_budget=answer.token_budget,
        citations=tuple(_citation_of(each) for each in answer.citations),
        left_out=answer.left_out,
        empty_reason="" if answer.text else reason or _NOBODY_SEES,
        degraded=tuple(answer.degraded),
        revision=answer.revision,
    )


def _citation_of(citation: retrieval_pb2.Citation) -> Citation:
    return Citation(
        memory_id=citation.memory_id,
        pointer=citation.pointer,
        line=citation.line,
        token_count=citation.token_count,
        reason=word_of(CitationReason, citation.reason),
        score=citation.score,
    )


def fact_of(known: KnownFact) -> Fact:
    """A fact as it was known."""
    memory, fact = known.memory, known.memory.fact
    return Fact(
        memory_id=memory.memory_id,
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        text=memory.content or memory.summary,
        valid_from=moment_of(fact, "valid_from"),
        valid_to=moment_of(fact, "valid_to"),
        precision=word_of(TimePrecision, fact.time_precision),
        known_from=moment_of(known, "known_from"),
        known_to=moment_of(known, "known_to"),
        kind=word_of(FactKind, fact.fact_kind),
        confidence=memory.confidence,
        flags=frozenset(word_of(FactFlag, flag) for flag in known.flags),
        said_by=tuple(known.sources),
        sources=tuple(fact.source_memory_ids),
    )


def profile_of(answer: GetUserProfileResponse) -> Profile:
    """A profile."""
    found = answer.profile
    return Profile(
        subject=found.subject,
        text=found.text,
        sections=tuple(
            ProfileSection(
                section.title, tuple(map(_profile_line, section.lines)), section.left_out
            )
            for section in found.sections
        ),
        token_count=found.token_count,
        left_out=found.left_out,
        revision=answer.revision,
    )


def event_of(event: event_pb2.Event) -> Event:
    """An event of a session."""
    return Event(
        index=event.index,
        role=word_of(Role, event.role),
        content=event.content,
        name=event.name,
        time=local_moment_of(event),
        tool_calls=tuple(
            ToolCall(call.call_id, call.name, call.arguments) for call in event.tool_calls
        ),
        tool_call_id=event.tool_call_id,
        reasoning=event.reasoning,
        memory_id=event.memory_id,
    )


def added_of(answer: AppendEventsResponse) -> Added:
    """The events that a write stored."""
    return Added(
        session=answer.session.session_id,
        appended=answer.appended,
        replaced=answer.replaced,
        unchanged=answer.unchanged,
        event_count=answer.session.event_count,
        revision=answer.revision,
    )


def learned_of(step: RunPipelineResponse) -> Learned:
    """One piece of the work of learning."""
    return Learned(
        stage=word_of(WorkKind, step.stage),
        session=step.session_id,
        failure=step.failure,
        facts=step.facts,
        lessons=step.lessons,
        procedures=step.procedures,
        left=step.left,
    )


def change_of(news: WatchMemoriesResponse) -> Change | None:
    """A change of a memory; None for the news that there are no more now."""
    if news.bookmark:
        return None
    return Change(
        memory_id=news.memory_id,
        kind=word_of(MemoryKind, news.kind),
        deleted=news.change_type == ChangeType.CHANGE_TYPE_DELETED,
        revision=news.revision,
    )


def _profile_line(line: ProjectionLine) -> ProfileLine:
    return ProfileLine(
        text=line.text,
        memory_ids=tuple(line.memory_ids),
        subject=line.subject,
        predicate=line.predicate,
        object=line.object,
        kind=word_of(FactKind, line.fact_kind),
        valid_from=moment_of(line, "valid_from"),
        precision=word_of(TimePrecision, line.time_precision),
        told=moment_of(line, "told_time"),
        confidence=line.confidence,
        visibility=word_of(Visibility, line.visibility),
        sources=tuple(line.source_memory_ids),
        flags=frozenset(word_of(FactFlag, flag) for flag in line.flags),
    )
