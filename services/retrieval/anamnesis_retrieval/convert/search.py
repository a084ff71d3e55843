"""Questions, candidates and results between the wire and the model."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import tzinfo
from itertools import accumulate, repeat
from typing import TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1 import candidate_pb2, event_pb2, memory_pb2, memory_service_pb2
from anamnesis.retrieval.v1 import retrieval_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.paging import Page, page_token_refused, read_page
from anamnesis_libs.rpc.enums import EnumCodec, enum_word
from anamnesis_libs.zones import zone_of
from anamnesis_retrieval.convert.in_words import in_words
from anamnesis_retrieval.convert.times import asked_at
from anamnesis_retrieval.model import (
    Candidate,
    CandidateSet,
    ConversationKind,
    KnownFact,
    Learned,
    Mode,
    Ranked,
    Ranking,
    Remembered,
    ScopeShape,
    Weights,
)
from anamnesis_retrieval.ranking.language import reads_cjk
from anamnesis_retrieval.search import Question, SearchPage
from anamnesis_retrieval.validity import DAY, held_words

Value = TypeVar("Value")

SEARCH_LIMIT_DEFAULT = 10

_KINDS_IN_WORDS = {"semantic": "fact", "learning": "lesson", "procedural": "procedure"}
_UNKNOWN_US = -(2**63)
_US_PER_S = 1_000_000
_NS_PER_US = 1_000
_NS_PER_S = 1_000_000_000
# 0001-01-01 to 9999-12-31, as google.protobuf.Timestamp has it
_SECONDS_MIN, _SECONDS_MAX = -62_135_596_800, 253_402_300_799
_ORDER = re.compile(r"(?:[0-9]{1,4}(?:,[0-9]{1,4})*)?")

MODE = EnumCodec(retrieval_pb2.SearchMode, Mode, default=Mode.AUTO)
RANKING = EnumCodec(retrieval_pb2.Ranking, Ranking, default=Ranking.RELEVANCE)
_FORMS = {memory_pb2.TIME_PRECISION_YEAR: "%Y", memory_pb2.TIME_PRECISION_MONTH: "%Y-%m"}
"""How a time is written that is known to the year, or to the month."""
_KINDS = {
    candidate_pb2.CONVERSATION_KIND_PEOPLE: ConversationKind.PEOPLE,
    candidate_pb2.CONVERSATION_KIND_ROLES: ConversationKind.ROLES,
}


def to_page(request: pb.SearchRequest) -> Page:
    """The place in the ranking where a request goes on; a token of another query is refused.

    How a page looks (its limit, detail, explanation) does not change what is on it.
    """
    query = pb.SearchRequest(
        namespace=request.namespace,
        query=request.query,
        mode=request.mode,
        filter=request.filter,
        caller=request.caller,
        now=request.now,
        time_zone=request.time_zone,
        as_of=request.as_of if request.HasField("as_of") else None,
        any_time=request.any_time,
        ranking=request.ranking,
        seed_memory_id=request.seed_memory_id,
        rerank=request.rerank,
    )
    content = query.SerializeToString(deterministic=True)
    return read_page(0, request.page_token, content, (int, str, str))


def next_token(page: Page, answer: SearchPage) -> str:
    """The token of the page behind this one; "" behind the last."""
    if answer.next_offset is None:
        return ""
    order = ",".join(map(str, answer.order))
    return page.next_token((answer.next_offset, answer.found.revision, order))


def to_search(request: pb.SearchRequest, page: Page, results_max: int, clock: Clock) -> Question:
    """The question of a page: a later one searches at least what the one before searched."""
    check_moment(request.now, "now")
    check_moment(request.as_of, "as_of")
    offset, revision, order = _position(page)
    return Question(
        query=request.query,
        mode=MODE.from_pb(request.mode),
        limit=min(request.limit or SEARCH_LIMIT_DEFAULT, results_max),
        offset=offset,
        at_least_revision=revision or request.at_least_revision,
        asked_at=asked_at(request, clock),
        order=order,
        ranking=RANKING.from_pb(request.ranking),
        seed_id=_seed(request),
    )


def _seed(request: pb.SearchRequest) -> str:
    if request.seed_memory_id and request.mode != retrieval_pb2.SEARCH_MODE_GRAPH:
        raise invalid_field("seed_memory_id", "goes with mode GRAPH")
    return request.seed_memory_id


def check_moment(moment: Timestamp, field: str) -> None:
    """Refuse what is no time between the years 1 and 9999."""
    in_range = _SECONDS_MIN <= moment.seconds <= _SECONDS_MAX
    if not in_range or not 0 <= moment.nanos < _NS_PER_S:
        raise invalid_field(field, "must be a time between the years 1 and 9999")


def to_found(
    answer: memory_service_pb2.FindCandidatesResponse, zone: tzinfo | None = None
) -> CandidateSet:
    """The candidates that memory found; a memory of an older version tells them one by one.

    `zone` is where the request says that who asks is.
    """
    columns = to_candidates(answer.columns)
    return CandidateSet(
        candidates=columns or [to_candidate(each) for each in answer.candidates],
        scope=_to_scope(answer.scope, answer.context),
        revision=answer.revision,
        degraded=tuple(answer.degraded),
        query=answer.query,
        context_tokens=answer.context.tokens,
        zone=zone or _usual_zone(answer.context),
    )


def _usual_zone(policy: memory_service_pb2.ContextPolicy) -> tzinfo | None:
    """The zone of the namespace; None where it names none, or one that this machine lacks."""
    with suppress(ValueError):
        return zone_of(policy.time_zone) if policy.time_zone else None
    return None


def to_remembered(memory: memory_pb2.Memory) -> Remembered:
    """A memory for a context."""
    return Remembered(
        memory_id=memory.memory_id,
        pointer=memory.pointer,
        speaker=_speaker(memory),
        overview=memory.overview,
        content=in_words(memory),
        event_time_us=_micros(memory.event_time) if memory.HasField("event_time") else None,
        caveats=(*_held(memory), *_caveats(memory)),
        role=_role(memory.episode.role),
        session_id=memory.session_id,
        event_index=memory.event_index if memory.HasField("event_index") else -1,
        category=memory.category,
        fact_line=_fact_line(memory),
        superseded=memory.fact.superseded,
        source_ids=tuple(memory.fact.source_memory_ids),
        learned=_learned(memory),
        utc_offset_minutes=_offset(memory),
    )


def to_known_fact(memory: memory_pb2.Memory) -> KnownFact:
    """A fact about whom a question asks."""
    fact = memory.fact
    said = replace(to_remembered(memory), caveats=tuple(_caveats(memory)))
    return KnownFact(said, fact.predicate, *_bounds(fact), fact.object, _form(fact))


def _bounds(fact: memory_pb2.Fact) -> tuple[int | None, int | None]:
    """The moments from which and until which a fact holds; None where one is not known."""
    begins = _micros(fact.valid_from) if fact.HasField("valid_from") else None
    return begins, _last(fact.valid_to) if fact.HasField("valid_to") else None


def _form(fact: memory_pb2.Fact) -> str:
    return _FORMS.get(fact.time_precision, DAY)


def _held(memory: memory_pb2.Memory) -> tuple[str, ...]:
    """The days within which a fact held that was replaced, or that no day of telling leads."""
    fact = memory.fact
    if fact.retracted or not (fact.superseded or not memory.HasField("event_time")):
        return ()
    begins, ends = _bounds(fact)
    if not memory.HasField("event_time"):
        return held_words(begins, ends, _form(fact), _offset(memory))
    return held_words(None, ends, _form(fact), _offset(memory), _micros(memory.event_time))


def _offset(memory: memory_pb2.Memory) -> int | None:
    return memory.utc_offset_minutes if memory.HasField("utc_offset_minutes") else None


def _learned(memory: memory_pb2.Memory) -> Learned | None:
    """The parts of a lesson or a procedure; None for all other memories."""
    if memory.HasField("lesson"):
        return Learned(memory.lesson.title, memory.lesson.context, memory.lesson.resolution)
    if not memory.HasField("procedure"):
        return None
    steps = [": ".join(filter(None, (step.action, step.spec))) for step in memory.procedure.steps]
    numbered = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
    return Learned(memory.procedure.name, memory.procedure.goal, numbered, tuple(steps))


def _fact_line(memory: memory_pb2.Memory) -> str:
    """Facts of one subject and one predicate are about one thing."""
    if not memory.HasField("fact"):
        return ""
    return f"{memory.fact.subject.casefold()}\n{memory.fact.predicate.casefold()}"


def _caveats(memory: memory_pb2.Memory) -> Iterator[str]:
    """Caveats that a reader has to know before relying on a memory."""
    if memory.fact.retracted:
        yield "retracted"
    if memory.fact.contradicted:
        yield "contradicted"
    if memory.needs_review:
        yield "needs review"
    if memory.procedure.status == memory_pb2.PROCEDURE_STATUS_DRAFT:
        yield "draft, not approved"
    if memory.provenance.HasField("seed"):
        yield f"learned in {memory.provenance.seed.namespace}"


def from_weights(weights: Weights) -> candidate_pb2.CandidateWeights:
    """Weights for the wire."""
    return candidate_pb2.CandidateWeights(
        text=weights.text,
        text_window=weights.text_window,
        dense=weights.dense,
        dense_window=weights.dense_window,
    )


def pairs_by_memory(
    parts: Iterable[Iterable[memory_pb2.SimilarPair]],
) -> dict[str, list[memory_pb2.SimilarPair]]:
    """Pairs that were kept apart, under the memory that each is told of."""
    by_memory: dict[str, list[memory_pb2.SimilarPair]] = {}
    for pair in (pair for part in parts for pair in part):
        by_memory.setdefault(pair.memory_id, []).append(pair)
    return by_memory


def from_ranked(
    ranked: Ranked,
    memory: memory_pb2.Memory,
    similar: Iterable[memory_pb2.SimilarPair],
    request: pb.SearchRequest,
    distance: int = 0,
) -> retrieval_pb2.SearchResult:
    """A result: the memory without its body, as much of it as was asked for."""
    result = retrieval_pb2.SearchResult(
        memory=memory,
        score=ranked.score,
        factors=_factors(ranked) if request.explain else (),
        routes=ranked.routes,
        graph_distance=distance,
        similar=similar,
    )
    result.memory.ClearField("content")
    if request.detail != retrieval_pb2.DETAIL_L1:
        result.memory.ClearField("overview")
    return result


def _position(page: Page) -> tuple[int, str, tuple[int, ...]]:
    """The offset, the revision and the order of the best that a token carries."""
    match page.after:
        case None:
            return 0, "", ()
        case (int(offset), str(revision), str(order)) if offset >= 0 and _ORDER.fullmatch(order):
            return offset, revision, tuple(map(int, filter(None, order.split(","))))
        case _:
            raise page_token_refused()


def to_candidate(given: candidate_pb2.Candidate) -> Candidate:
    """A candidate that is told by itself."""
    return Candidate(
        memory_id=given.memory_id,
        text=given.text,
        text_window=given.text_window,
        dense=given.dense,
        dense_window=given.dense_window,
        length=given.length,
        is_question=given.is_question,
        answered_score=given.answered_score,
        role=_role(given.role),
        name=given.name,
        cosine=given.cosine,
        matched_terms=frozenset(given.matched_terms),
        event_time_us=_micros(given.event_time) if given.HasField("event_time") else None,
        create_time_us=_micros(given.create_time),
        event_index=given.event_index if given.HasField("event_index") else -1,
        source_ids=tuple(given.source_memory_ids),
        is_drawer=given.kind == memory_pb2.MEMORY_KIND_EPISODIC,
        previous_id=given.previous_memory_id,
        nearest_piece=given.nearest_piece,
        piece_cosines=tuple(given.piece_cosines),
        token_match=given.token_match if given.HasField("token_match") else None,
        category=given.category,
        ended=given.ended,
        session_id=given.session_id,
        importance=given.importance,
        score=given.score,
    )


def to_candidates(given: candidate_pb2.CandidateColumns) -> list[Candidate]:
    """Candidates that are told field by field; the columns stand in the order of `Candidate`."""
    told = zip(
        given.memory_id,
        given.text,
        given.text_window,
        given.dense,
        given.dense_window,
        given.length,
        given.is_question,
        given.answered_score,
        map(_role, given.role),
        given.name,
        given.cosine,
        map(frozenset, _each(given.matched_terms, given.matched_terms_count)),
        (None if time_us == _UNKNOWN_US else time_us for time_us in given.event_time_us),
        given.create_time_us,
        given.event_index,
        _each(given.source_memory_ids, given.source_memory_ids_count),
        (kind == memory_pb2.MEMORY_KIND_EPISODIC for kind in given.kind),
        given.previous_memory_id,
        given.nearest_piece,
        _each(given.piece_cosines, given.piece_cosines_count),
        (None if match < 0 else match for match in given.token_match or repeat(-1.0)),
        given.category,
        given.ended,
        given.session_id,
        given.importance,
        given.score,
        strict=False,  # what candidates rarely have is told for none of them
    )
    return list(map(Candidate._make, told))


def _each(values: Iterable[Value], counts: Sequence[int]) -> Iterator[tuple[Value, ...]]:
    """The values of each candidate, of those that stand one after another."""
    held = tuple(values)
    if not held:
        return repeat(())
    return (held[end - count : end] for count, end in zip(counts, accumulate(counts), strict=True))


def _to_scope(
    given: candidate_pb2.ScopeStatistics, policy: memory_service_pb2.ContextPolicy
) -> ScopeShape:
    return ScopeShape(
        size=given.size,
        kind=_KINDS.get(given.kind, ConversationKind.PLAIN),
        names=tuple(given.names),
        window_radius=given.window_radius,
        term_weights=tuple(given.term_weights),
        absent=tuple(given.absent),
        reads_cjk=reads_cjk(given.embedding_model),
        stricter=policy.floor,
    )


def _factors(ranked: Ranked) -> list[retrieval_pb2.Factor]:
    return [
        retrieval_pb2.Factor(
            name=factor.name,
            value=factor.value,
            weight=factor.weight,
            contribution=factor.contribution,
        )
        for factor in ranked.factors
    ]


def _speaker(memory: memory_pb2.Memory) -> str:
    """The speaker of a memory: a name, else a role; where nobody said it, the memory's kind."""
    if memory.episode.name.strip():
        return memory.episode.name
    if memory.episode.role:
        return _role(memory.episode.role)
    kind = enum_word(memory_pb2.MemoryKind, memory.kind)
    return _KINDS_IN_WORDS.get(kind, kind)


def _role(role: event_pb2.Role.ValueType) -> str:
    return enum_word(event_pb2.Role, role) if role else ""


def _last(moment: Timestamp) -> int:
    """An end in microseconds; one behind the last year is in that year."""
    return min(_micros(moment), _SECONDS_MAX * _US_PER_S)


def _micros(moment: Timestamp) -> int:
    return moment.seconds * _US_PER_S + moment.nanos // _NS_PER_US
