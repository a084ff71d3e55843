"""The candidates of a context: those that may be shown, best first, and which are fetched."""

from collections.abc import Sequence

from anamnesis_libs.talk.asking import (
    asks_for_last_talk,
    asks_where_it_ended,
    is_about_agent,
    wants_likings,
)
from anamnesis_retrieval.context.likings import nearest_likings
from anamnesis_retrieval.context.request import ContextRequest
from anamnesis_retrieval.context.then import SPEAKERS, last_first, said_in, told_evenly
from anamnesis_retrieval.context.voices import said_then, spoken_first
from anamnesis_retrieval.context.worth import SMALL_SCOPE
from anamnesis_retrieval.model import CandidateSet, ConversationKind, Ranked, Ranking
from anamnesis_retrieval.ranking.agenda import time_ahead
from anamnesis_retrieval.ranking.grouping import grouped
from anamnesis_retrieval.ranking.in_time import in_time
from anamnesis_retrieval.ranking.named_time import time_recalled
from anamnesis_retrieval.ranking.rank import rank
from anamnesis_retrieval.ranking.recency import reweighed
from anamnesis_retrieval.ranking.relevance import with_evidence
from anamnesis_retrieval.ranking.same_relation import of_same_relations

ENTRY_TOKENS = 20
"""An entry takes more, as a rule: so a budget bounds how many memories are fetched."""
FETCHED_MIN, FETCHED_MAX = 24, 100


def context_hits(found: CandidateSet, wanted: ContextRequest) -> list[Ranked]:
    """The candidates that may be shown, best first: what anything speaks for, and what stands.

    Of a small scope all are: what they are worth is seen when their texts are read.
    """
    ranked = grouped(rank(wanted.query, found, wanted.mode, wanted.asked_at))
    if wanted.own_session:
        ranked = [one for one in ranked if one.candidate.session_id != wanted.own_session]
    recalled = time_recalled(wanted.query, wanted.asked_at)
    if recalled is not None:
        return said_in(recalled, ranked)
    if asks_where_it_ended(wanted.query):
        return last_first(ranked)
    if asks_for_last_talk(wanted.query):
        return told_evenly(ranked)
    if time_ahead(wanted.query, wanted.asked_at):
        return [one for one in ranked if one.candidate.role in SPEAKERS]
    ranked = spoken_first(wanted.query, ranked)
    if found.scope.size > SMALL_SCOPE:
        by_itself = found.scope.kind is ConversationKind.ROLES and not is_about_agent(wanted.query)
        spoken_for = {
            one.candidate.memory_id
            for one in with_evidence(ranked, wanted.mode, by_itself=by_itself)
        }
        spoken_for |= said_then(wanted.query, ranked)
        spoken_for |= {one.candidate.memory_id for one in _unasked(wanted.query, ranked)}
        alike = of_same_relations(wanted.query, ranked, wanted.asked_at)
        spoken_for |= {one.candidate.memory_id for one in alike}
        ranked = [one for one in ranked if one.candidate.memory_id in spoken_for]
    if wanted.ranking is not Ranking.RELEVANCE and wanted.asked_at is not None:
        return reweighed(ranked, wanted.ranking, wanted.asked_at)
    return in_order(ranked, found, wanted)


def in_order(ranked: Sequence[Ranked], found: CandidateSet, wanted: ContextRequest) -> list[Ranked]:
    """The hits with versions newest first, unless the caller chose another ranking."""
    return in_time(wanted.query, ranked, found.scope, wanted.mode, wanted.ranking)


def _unasked(query: str, hits: Sequence[Ranked]) -> list[Ranked]:
    """The hits that may be told whatever their place: what stands, and likings for advice."""
    standing = [hit for hit in hits if hit.candidate.is_standing]
    return [*standing, *(nearest_likings(hits) if wants_likings(query) else ())]


def wanted_ids(hits: Sequence[Ranked], wanted: ContextRequest) -> list[str]:
    """The memories to fetch: the best by the budget, what stands, the questions before answers.

    Which of them tell what lies ahead is seen when their texts are read.
    """
    count = min(FETCHED_MAX, max(FETCHED_MIN, wanted.budget // ENTRY_TOKENS))
    if time_ahead(wanted.query, wanted.asked_at):
        count = FETCHED_MAX
    best = hits[:count]
    before = [hit.candidate.previous_id for hit in best if hit.candidate.answered_score > 0]
    ids = [hit.candidate.memory_id for hit in (*best, *_unasked(wanted.query, hits))]
    return list(dict.fromkeys(filter(None, (*ids, *before))))
