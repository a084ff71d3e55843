"""The verb behind `Search`: two calls to memory.

A third is made where hits may be one statement, one more where a reranker is to read them.
"""

from dataclasses import dataclass
from datetime import datetime

from anamnesis_libs.index.analysis import tokens
from anamnesis_retrieval.model import CandidateSet, Mode, Ranked
from anamnesis_retrieval.ports import Memories
from anamnesis_retrieval.ranking.grouping import grouped
from anamnesis_retrieval.ranking.in_time import in_time
from anamnesis_retrieval.ranking.newest import TOP, is_about_past
from anamnesis_retrieval.ranking.rank import candidate_weights, profile_of, rank
from anamnesis_retrieval.ranking.relevance import with_evidence
from anamnesis_retrieval.ranking.restated import newest_restated, suspects
from anamnesis_retrieval.reranking.rerank import Reranking, Reread, in_order, reread, to_read


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the part of the answer that is wanted."""

    query: str
    mode: Mode
    limit: int
    offset: int = 0
    at_least_revision: str = ""
    asked_at: datetime | None = None
    order: tuple[int, ...] = ()
    """The order of the best after a reranker, as the first page has it."""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of a ranking; `next_offset` is None on the last one, `order` as in `Question`."""

    page: tuple[Ranked, ...]
    next_offset: int | None
    profile: str
    found: CandidateSet
    order: tuple[int, ...] = ()


async def search(
    memories: Memories, question: Question, reranking: Reranking | None = None
) -> SearchPage:
    """Rank a scope and cut a page out of it; a hit needs something that speaks for it."""
    found = await _find(memories, question)
    read = await _reread(memories, question, found, reranking)
    found = found.degraded_by(*read.degraded)
    ordered = in_time(question.query, read.hits, found.scope, question.mode)
    hits = await _newest(memories, question, found, ordered)
    end = question.offset + question.limit
    return SearchPage(
        page=tuple(hits[question.offset : end]),
        next_offset=end if end < len(hits) else None,
        profile=profile_of(found.scope, question.mode).name,
        found=found,
        order=read.order,
    )


async def _reread(
    memories: Memories, question: Question, found: CandidateSet, reranking: Reranking | None
) -> Reread:
    """The hits in the order of a reranker where one is asked for; only the first page asks it."""
    hits = _hits(found, question)
    if question.offset:
        return Reread(in_order(hits, question.order), question.order)
    if reranking is None or not hits:
        return Reread(hits)
    wanted = to_read(hits, reranking)
    texts = await memories.fetch(wanted, found.revision) if wanted else ()
    return await reread(reranking, found.query, hits, texts)


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
    return with_evidence(grouped(ranked), question.mode)
