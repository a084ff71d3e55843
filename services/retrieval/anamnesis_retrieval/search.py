"""The verb behind `Search`: two calls to memory.

A third is made where hits may be one statement and the page has not all of the best, and one more
where a reranker is to read them.

In graph mode two more: one walks the graph, one scores what was reached.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from anamnesis_libs.errors.not_found import MemoryNotFound
from anamnesis_libs.index.analysis import tokens
from anamnesis_retrieval.as_asker import as_asker, with_asker
from anamnesis_retrieval.model import Behind, CandidateSet, Mode, Ranked, Ranking
from anamnesis_retrieval.ports import Memories
from anamnesis_retrieval.ranking.first_person import in_first_person
from anamnesis_retrieval.ranking.grouping import grouped
from anamnesis_retrieval.ranking.in_time import in_time
from anamnesis_retrieval.ranking.named_time import happened
from anamnesis_retrieval.ranking.newest import TOP, is_about_past
from anamnesis_retrieval.ranking.rank import candidate_weights, profile_of, rank
from anamnesis_retrieval.ranking.recency import reweighed
from anamnesis_retrieval.ranking.relevance import with_evidence
from anamnesis_retrieval.ranking.restated import newest_restated, suspects
from anamnesis_retrieval.ranking.searched import as_searched
from anamnesis_retrieval.reranking.rerank import Reranking, Reread, in_order, reread, to_read

SEEDS = 3
"""The best hits at which a walk of the graph begins, where no memory is named."""
IN_GRAPH_ORDER = (
    "hits of graph mode stand in the order of the graph, and are not read by a reranker"
)

NOT_ALL_WALKED = "the walk of the graph ended before all that is joined was seen, by its bound of"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the part of the answer that is wanted."""

    query: str
    mode: Mode
    limit: int
    offset: int = 0
    at_least_revision: str = ""
    asked_at: datetime | None = None
    ranking: Ranking = Ranking.RELEVANCE
    seed_id: str = ""
    """In graph mode the memory to begin at; empty means what answers best."""
    order: tuple[int, ...] = ()
    """The order of the best after a reranker, as the first page has it."""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of a ranking; `next_offset` is None on the last one.

    `distances` are the edges between each hit and where a walk of the graph began, `order` is as
    in `Question`.
    """

    page: tuple[Ranked, ...]
    next_offset: int | None
    profile: str
    found: CandidateSet
    distances: Mapping[str, int] = field(default_factory=dict)
    order: tuple[int, ...] = ()


async def search(
    memories: Memories, question: Question, reranking: Reranking | None = None
) -> SearchPage:
    """Rank a scope and cut a page out of it; a hit needs something that speaks for it.

    A question that speaks of who asks as the user, or by a name, is asked in the first person.

    Raises:
        MemoryNotFound: the memory to begin at is not there, or not to be seen.
    """
    if question.mode is Mode.GRAPH:
        answer = await _search_graph(memories, question)
        if reranking is None:
            return answer
        return replace(answer, found=answer.found.degraded_by(IN_GRAPH_ORDER))
    question = replace(question, query=in_first_person(question.query))
    found = await _find(memories, question)
    question = replace(question, asked_at=found.on_clock(question.asked_at))
    own = await as_asker(memories, question.query, found)
    if own != question.query:
        question = replace(question, query=own)
        found = await _find(memories, question)
    found = await with_asker(memories, question.query, found)
    read = await _reread(memories, question, found, reranking)
    found = found.degraded_by(*read.degraded)
    hits = await _newest(memories, question, found, read.hits)
    return replace(_page(question, found, hits, {}), order=read.order)


async def _search_graph(memories: Memories, question: Question) -> SearchPage:
    """Rank what the graph joins to a memory, or to the best hits; the nearest first."""
    revision, begin = question.at_least_revision, [question.seed_id]
    if not question.seed_id:
        best = await _find(memories, question)
        revision = best.revision
        begin = [hit.candidate.memory_id for hit in _hits(best, question)[:SEEDS]]
        if not begin:
            return _page(question, best, [], {})
    joined = await memories.joined(begin, revision)
    distances = joined.distances
    if question.seed_id not in ("", *distances):
        raise MemoryNotFound(question.seed_id)
    found = await _find(memories, question, list(distances))
    if joined.truncated:
        found = found.degraded_by(f"{NOT_ALL_WALKED}: {joined.truncated}")
    question = replace(question, asked_at=found.on_clock(question.asked_at))
    ranked = grouped(rank(question.query, found, question.mode, question.asked_at))
    hits = sorted(ranked, key=lambda hit: distances.get(hit.candidate.memory_id, 0))
    return _page(question, found, hits, distances)


def _page(
    question: Question, found: CandidateSet, hits: Sequence[Ranked], distances: Mapping[str, int]
) -> SearchPage:
    end = question.offset + question.limit
    return SearchPage(
        page=tuple(hits[question.offset : end]),
        next_offset=end if end < len(hits) else None,
        profile=profile_of(found.scope, question.mode).name,
        found=found,
        distances=distances,
    )


async def _reread(
    memories: Memories, question: Question, found: CandidateSet, reranking: Reranking | None
) -> Reread:
    """The hits in the order of a reranker where one is asked for; only the first page asks it."""
    hits = _hits(found, question)
    if question.offset:
        read = Reread(in_order(hits, question.order), question.order)
    elif reranking is None or not hits:
        return Reread(hits)
    else:
        wanted = to_read(hits, reranking)
        texts = await memories.fetch(wanted, found.revision) if wanted else ()
        read = await reread(reranking, found.query, hits, texts)
    return replace(read, hits=_in_time(read.hits, found, question)) if read.order else read


async def _find(
    memories: Memories, question: Question, memory_ids: Sequence[str] = ()
) -> CandidateSet:
    searched = as_searched(question.query)
    weights = candidate_weights(searched, question.mode)
    revision = question.at_least_revision
    behind = Behind(happened=happened(question.query, question.asked_at))
    return await memories.find(searched, weights, revision, behind=behind, memory_ids=memory_ids)


async def _newest(
    memories: Memories, question: Question, found: CandidateSet, hits: list[Ranked]
) -> list[Ranked]:
    """The hits with what was told again behind its newest telling, unless the past is asked for.

    Only the best change places, so a page of all of them is read once, for this and to be shown.
    """
    if question.mode is Mode.SEMANTIC or question.ranking is not Ranking.RELEVANCE:
        return hits
    if is_about_past(question.query) or question.offset >= TOP:
        return hits
    told = suspects(hits)
    if not told:
        return hits
    if question.offset == 0 and question.limit >= TOP:
        page = [hit.candidate.memory_id for hit in hits[: question.limit]]
        read = await memories.fetch_of_page(told, page, found.revision)
    else:
        read = await memories.fetch(told, found.revision)
    texts = {one.memory_id: one for one in read}
    return newest_restated(hits, texts, frozenset(tokens(question.query)))


def _hits(found: CandidateSet, question: Question) -> list[Ranked]:
    ranked = rank(question.query, found, question.mode, question.asked_at)
    ranked = with_evidence(grouped(ranked), question.mode)
    if question.ranking is not Ranking.RELEVANCE and question.asked_at is not None:
        return reweighed(ranked, question.ranking, question.asked_at)
    return _in_time(ranked, found, question)


def _in_time(ranked: Sequence[Ranked], found: CandidateSet, question: Question) -> list[Ranked]:
    return in_time(question.query, ranked, found.scope, question.mode, question.ranking)
