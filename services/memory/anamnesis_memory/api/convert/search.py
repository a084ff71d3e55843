"""Queries and candidates between the wire and the index."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from anamnesis.memory.v1 import candidate_pb2, event_pb2, memory_service_pb2
from anamnesis_libs.clock import LAST_US, YEAR_ONE_US
from anamnesis_libs.index.port import (
    FeatureWeights,
    Happened,
    Hit,
    Query,
    ScopeStatistics,
    SearchScope,
    Standing,
    Vector,
)
from anamnesis_libs.index.token_codes import NOT_COMPARED
from anamnesis_libs.talk.standing import LIKING, PREFERENCE, STANDING_CATEGORIES
from anamnesis_memory.api.convert.enums import CONVERSATION_KIND, KIND, ROLE
from anamnesis_memory.api.convert.memory import to_filter
from anamnesis_memory.api.convert.values import bounded_us, optional_micros, to_timestamp
from anamnesis_memory.model.memory import Caller, Kind, MemoryFilter

CANDIDATES_DEFAULT = 200
RECALLED = tuple(kind for kind in Kind if kind is not Kind.DOCUMENT)
"""The kinds of a search that names none: documents are an application's, and no talk."""

UNKNOWN_US = -(2**63)
"""In columns, the time of what happened nobody knows when."""

# by the words in which the index keeps them; nobody spoke what has no role
_KINDS = {kind.value: KIND.to_pb(kind) for kind in KIND.members()}
_ROLES = {"": event_pb2.ROLE_UNSPECIFIED} | {
    role.value: ROLE.to_pb(role) for role in ROLE.members()
}


def to_scope(where: MemoryFilter, caller: Caller) -> SearchScope:
    """The scope of a search: the filter, and the caller's rights."""
    return SearchScope(
        caller_agent=caller.agent_id,
        caller_user=caller.user_id,
        kinds=tuple(kind.value for kind in where.kinds),
        categories=where.categories,
        tags=tuple(tag.casefold() for tag in where.tags),
        entities=tuple(name.casefold() for name in where.entities),
        agent_id=where.agent_id,
        user_id=where.user_id,
        session_ids=where.session_ids,
        origins=tuple(origin.value for origin in where.origins),
        start_time_us=where.start_time_us,
        end_time_us=where.end_time_us,
        min_importance=where.min_importance,
        include_archived=where.include_archived,
    )


def to_query(
    request: memory_service_pb2.FindCandidatesRequest,
    text: str,
    meaning: str,
    vector: Vector | None,
) -> Query:
    """The question of a request; `text` is its query and `meaning` its meaning, redacted."""
    return Query(
        text=text,
        vector=vector,
        scope=_to_request_scope(request),
        weights=_to_weights(request),
        limit=request.limit or CANDIDATES_DEFAULT,
        related_words=request.related_words,
        standing=(
            Standing(STANDING_CATEGORIES, request.standing_max),
            Standing((LIKING,), request.likings_max),
            Standing((PREFERENCE,), request.likings_max),
        ),
        happened=Happened(
            optional_micros(request, "happened_from") or 0,
            optional_micros(request, "happened_before") or 0,
            request.happened_max,
        ),
        open_at_us=optional_micros(request, "open_at"),
        ended_max=request.ended_max,
        newest_first=not request.query,
        meaning=meaning,
    )


def _to_request_scope(request: memory_service_pb2.FindCandidatesRequest) -> SearchScope:
    """The scope that a request names."""
    caller = Caller(request.caller.agent_id, request.caller.user_id)
    where = to_filter(request.filter)
    scope = to_scope(replace(where, kinds=where.kinds or RECALLED), caller)
    return replace(
        scope,
        as_of_us=optional_micros(request, "as_of"),
        memory_ids=tuple(request.memory_ids) or None,
    )


def _to_weights(request: memory_service_pb2.FindCandidatesRequest) -> FeatureWeights:
    """The weights of features; the default where the request sets none."""
    if not request.HasField("weights"):
        return FeatureWeights()
    given = request.weights
    return FeatureWeights(given.text, given.text_window, given.dense, given.dense_window)


def from_hit(hit: Hit, sources: Sequence[str] = ()) -> candidate_pb2.Candidate:
    """A candidate for the wire, with the drawers it was taken from."""
    return candidate_pb2.Candidate(
        memory_id=hit.memory_id,
        score=hit.score,
        text=hit.text,
        text_window=hit.text_window,
        dense=hit.dense,
        dense_window=hit.dense_window,
        length=hit.length,
        is_question=hit.is_question,
        answered_score=hit.answered_score,
        role=_ROLES[hit.role],
        name=hit.name,
        kind=_KINDS[hit.kind],
        session_id=hit.session_id,
        event_time=to_timestamp(hit.event_time_us),
        create_time=to_timestamp(hit.create_time_us),
        cosine=hit.cosine,
        matched_terms=hit.matched_terms,
        importance=hit.importance,
        event_index=hit.position,
        source_memory_ids=sources,
        previous_memory_id=hit.previous_id,
        nearest_piece=hit.nearest_piece,
        piece_cosines=hit.piece_cosines,
        token_match=None if hit.token_match == NOT_COMPARED else hit.token_match,
        category=hit.category,
        ended=hit.ended,
    )


def from_hits(
    hits: Sequence[Hit], sources: Mapping[str, Sequence[str]]
) -> candidate_pb2.CandidateColumns:
    """Candidates for the wire field by field, with the drawers they were taken from."""
    if not hits:
        return candidate_pb2.CandidateColumns()
    each = dict(zip(Hit._fields, zip(*hits, strict=True), strict=True))
    taken_from = [sources.get(memory_id, ()) for memory_id in each["memory_id"]]
    return candidate_pb2.CandidateColumns(
        memory_id=each["memory_id"],
        score=each["score"],
        text=each["text"],
        text_window=each["text_window"],
        dense=each["dense"],
        dense_window=each["dense_window"],
        length=each["length"],
        is_question=each["is_question"],
        answered_score=each["answered_score"],
        role=[_ROLES[role] for role in each["role"]],
        name=each["name"],
        kind=[_KINDS[kind] for kind in each["kind"]],
        session_id=each["session_id"],
        event_time_us=_told_us(each["event_time_us"]),
        create_time_us=_told_us(each["create_time_us"]),
        cosine=each["cosine"],
        matched_terms=chain.from_iterable(each["matched_terms"]),
        importance=each["importance"],
        event_index=[-1 if position is None else position for position in each["position"]],
        source_memory_ids=chain.from_iterable(taken_from),
        previous_memory_id=each["previous_id"],
        nearest_piece=each["nearest_piece"],
        category=each["category"],
        ended=each["ended"],
        piece_cosines=chain.from_iterable(each["piece_cosines"]),
        token_match=each["token_match"],
        matched_terms_count=map(len, each["matched_terms"]),
        source_memory_ids_count=map(len, taken_from),
        piece_cosines_count=map(len, each["piece_cosines"]),
    )


def _told_us(times_us: Sequence[int | None]) -> list[int]:
    """Times that can be told; `UNKNOWN_US` for those that nobody knows."""
    first, last = YEAR_ONE_US, LAST_US
    return [
        UNKNOWN_US if one is None else one if first <= one <= last else bounded_us(one)
        for one in times_us
    ]


def from_statistics(scope: ScopeStatistics, model: str) -> candidate_pb2.ScopeStatistics:
    """The statistics of a scope, and the model of the vectors compared, for the wire."""
    kind = CONVERSATION_KIND.to_pb(scope.kind)
    return candidate_pb2.ScopeStatistics(
        size=scope.size,
        kind=kind,
        names=scope.names,
        named_share=scope.named_share,
        role_share=scope.role_share,
        length_spread=scope.length_spread,
        cohesion=scope.cohesion,
        window_radius=scope.window_radius,
        term_weights=scope.term_weights,
        absent_terms=len(scope.absent),
        absent=scope.absent,
        embedding_model=model,
    )
