"""The order of hits after a reranker has read the best of them.

It reads the best first and is bounded by time, not by count: those that it has read by then change
places among themselves, the rest stays where it is. Where it fails, or has read nothing in time,
the order is that of the ranking, and the answer says so.

Points of a reranker are of a scale of their own. Added to a score they would part the hits that it
read from the others, however it is scaled; so a score stays what it was, and hits carry the points
beside it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from anamnesis_libs.errors.root import AnamnesisError
from anamnesis_retrieval.model import Ranked, Remembered
from anamnesis_retrieval.ports import Reranker

READ_MAX = 100
"""So many of the best hits may be read: their texts come in one call."""
NOT_CONFIGURED = (
    "no reranker is configured: set retrieval.reranker on the server to cross_encoder or "
    "chat_model, or ask without rerank"
)
_TIME = "(retrieval.rerank_timeout_s, and half of what the caller's deadline leaves)"


@dataclass(frozen=True, slots=True)
class Reranking:
    """A request's wish to have hits read again: by whom, and for how long."""

    reranker: Reranker | None
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Reread:
    """Hits after a reranker, best first.

    `order` has, for each place of the best, the place that its hit had before; it is empty where
    the order is that of the ranking. `degraded` says what could not take part.
    """

    hits: list[Ranked]
    order: tuple[int, ...] = ()
    degraded: tuple[str, ...] = ()


def to_read(hits: Sequence[Ranked], reranking: Reranking) -> list[str]:
    """The ids of the memories whose texts a reranker needs; none where there is no reranker."""
    if reranking.reranker is None:
        return []
    return [hit.candidate.memory_id for hit in hits[:READ_MAX]]


async def reread(
    reranking: Reranking, query: str, hits: Sequence[Ranked], memories: Sequence[Remembered]
) -> Reread:
    """The hits in the order of the reranker, as far as it reads; those without a text stay."""
    if reranking.reranker is None:
        return Reread(list(hits), degraded=(NOT_CONFIGURED,))
    texts = {one.memory_id: _text(one) for one in memories}
    places = [
        place for place, hit in enumerate(hits[:READ_MAX]) if hit.candidate.memory_id in texts
    ]
    if not places:
        return Reread(list(hits))
    asked = [texts[hits[place].candidate.memory_id] for place in places]
    points, why = await _points(reranking.reranker, reranking.timeout_s, query, asked)
    return _reordered(hits, dict(zip(places, points, strict=False)), why)


def in_order(hits: Sequence[Ranked], order: Sequence[int]) -> list[Ranked]:
    """The hits in an order that was given for them before; places that are not there are none."""
    places = dict.fromkeys(place for place in order if 0 <= place < len(hits))
    rest = (place for place in range(len(hits)) if place not in places)
    return [hits[place] for place in (*places, *rest)]


async def _points(
    reranker: Reranker, timeout_s: float, query: str, texts: Sequence[str]
) -> tuple[list[float], tuple[str, ...]]:
    """The points of the first texts, as many as come in time, and why not all."""
    points: list[float] = []
    try:
        async with asyncio.timeout(timeout_s), aclosing(reranker.scores(query, texts)) as parts:
            async for part in parts:
                points += part
    except TimeoutError:
        return points, (_left(len(points), len(texts), f"in {timeout_s:.3g} s {_TIME}"),)
    except AnamnesisError as error:
        return [], (f"the reranker failed, the order is that of the ranking: {error.message}",)
    if len(points) < len(texts):
        return points, (_left(len(points), len(texts), "that its window holds"),)
    return points, ()


def _left(read: int, asked: int, why: str) -> str:
    return f"the reranker read {read} of {asked} hits {why}; the others keep their places"


def _reordered(hits: Sequence[Ranked], points: Mapping[int, float], why: tuple[str, ...]) -> Reread:
    """The hits, where those with points, by their place, are the best first in the same places."""
    best = sorted(points, key=lambda place: -points[place])
    order = list(range(max(points, default=-1) + 1))
    for place, old in zip(points, best, strict=True):
        order[place] = old
    marked = [
        hit._replace(reread=points[place]) if place in points else hit
        for place, hit in enumerate(hits)
    ]
    return Reread(in_order(marked, order), tuple(order), why)


def _text(memory: Remembered) -> str:
    """The text of a memory for a reader; of what was said, after who said it."""
    return f"{memory.speaker}: {memory.content}" if memory.role else memory.content
