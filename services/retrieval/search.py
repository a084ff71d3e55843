"""The verb behind `Search`: two calls to memory; a third where hits may be one statement."""

from dataclasses import dataclass

from libs.index.analysis import tokens
from services.retrieval.grouping import grouped
from services.retrieval.model import Found, Mode, Ranked
from services.retrieval.newest import TOP, is_about_past, newest_first
from services.retrieval.ports import Memories
from services.retrieval.rank import candidate_weights, profile_of, rank
from services.retrieval.relevance import with_evidence
from services.retrieval.restated import newest_restated, suspects


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and how much of the answer is wanted."""

    query: str
    mode: Mode
    limit: int
    offset: int = 0
    at_least_revision: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A page of a ranking; `next_offset` is None on the last one."""

    page: tuple[Ranked, ...]
    next_offset: int | None
    profile: str
    found: Found


async def search(memories: Memories, question: Question) -> Answer:
    """Rank a scope and cut a page out of it; a hit needs something that speaks for it."""
    found = await _find(memories, question)
    hits = await _newest(memories, question, found, _hits(found, question))
    end = question.offset + question.limit
    return Answer(
        page=tuple(hits[question.offset : end]),
        next_offset=end if end < len(hits) else None,
        profile=profile_of(found.scope, question.mode).name,
        found=found,
    )


async def _find(memories: Memories, question: Question) -> Found:
    weights = candidate_weights(question.query, question.mode)
    return await memories.find(question.query, weights, question.at_least_revision)


async def _newest(
    memories: Memories, question: Question, found: Found, hits: list[Ranked]
) -> list[Ranked]:
    """The hits with what was told again behind its newest telling, unless the past is asked for."""
    if is_about_past(question.query) or question.mode is Mode.SEMANTIC or question.offset >= TOP:
        return hits
    told = suspects(hits)
    if not told:
        return hits
    texts = {one.memory_id: one for one in await memories.fetch(told, found.revision)}
    return newest_restated(hits, texts, frozenset(tokens(question.query)))


def _hits(found: Found, question: Question) -> list[Ranked]:
    ranked = with_evidence(grouped(rank(question.query, found, question.mode)), question.mode)
    if question.mode is Mode.SEMANTIC:
        return ranked
    return newest_first(question.query, ranked, found.scope)
