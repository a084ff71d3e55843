"""The verb behind `Search`: two calls to memory; a third where hits may be one statement."""

from dataclasses import dataclass
from datetime import datetime

from anamnesis_libs.index.analysis import tokens
from anamnesis_retrieval.model import CandidateSet, Mode, Ranked
from anamnesis_retrieval.ports import Memories
from anamnesis_retrieval.ranking.amended import amendments_first
from anamnesis_retrieval.ranking.grouping import grouped
from anamnesis_retrieval.ranking.newest import TOP, is_about_past, newest_first
from anamnesis_retrieval.ranking.rank import candidate_weights, profile_of, rank
from anamnesis_retrieval.ranking.relevance import with_evidence
from anamnesis_retrieval.ranking.restated import newest_restated, suspects


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the part of the answer that is wanted."""

    query: str
    mode: Mode
    limit: int
    offset: int = 0
    at_least_revision: str = ""
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of a ranking; `next_offset` is None on the last one."""

    page: tuple[Ranked, ...]
    next_offset: int | None
    profile: str
    found: CandidateSet


async def search(memories: Memories, question: Question) -> SearchPage:
    """Rank a scope and cut a page out of it; a hit needs something that speaks for it."""
    found = await _find(memories, question)
    hits = await _newest(memories, question, found, _hits(found, question))
    end = question.offset + question.limit
    return SearchPage(
        page=tuple(hits[question.offset : end]),
        next_offset=end if end < len(hits) else None,
        profile=profile_of(found.scope, question.mode).name,
        found=found,
    )


async def _find(memories: Memories, question: Question) -> CandidateSet:
    weights = candidate_weights(question.query, question.mode)
    return await memories.find(question.query, weights, question.at_least_revision)


async def _newest(
    memories: Memories, question: Question, found: CandidateSet, hits: list[Ranked]
) -> list[Ranked]:
    """The hits with what was told again behind its newest telling, unless the past is asked for."""
    if is_about_past(question.query) or question.mode is Mode.SEMANTIC or question.offset >= TOP:
        return hits
    told = suspects(hits)
    if not told:
        return hits
    texts = {one.memory_id: one for one in await memories.fetch(told, found.revision)}
    return newest_restated(hits, texts, frozenset(tokens(question.query)))


def _hits(found: CandidateSet, question: Question) -> list[Ranked]:
    ranked = rank(question.query, found, question.mode, question.asked_at)
    ranked = with_evidence(grouped(ranked), question.mode)
    if question.mode is Mode.SEMANTIC:
        return ranked
    ranked = newest_first(question.query, ranked, found.scope)
    return amendments_first(question.query, ranked)
