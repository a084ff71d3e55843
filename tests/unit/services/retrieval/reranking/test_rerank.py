"""Tests of reranking/rerank.py with scripted rerankers: who changes places, and until when."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

import pytest

from anamnesis_libs.errors import ModelUnavailable
from anamnesis_retrieval.model import Candidate, Factor, Ranked, Remembered, Term
from anamnesis_retrieval.ports import Reranker
from anamnesis_retrieval.reranking.rerank import (
    NOT_CONFIGURED,
    READ_MAX,
    Reranking,
    in_order,
    reread,
    to_read,
)

AT_ONCE_S = 0.001
FOREVER_S = 3600.0


class Scripted:
    """A reranker that gives these parts; then it ends, fails, or waits for what never comes."""

    def __init__(
        self, *parts: Sequence[float], then: Exception | asyncio.Event | None = None
    ) -> None:
        self._parts = parts
        self._then = then
        self.asked: list[str] = []
        self.waits = asyncio.Event()
        self.left = False

    async def scores(
        self, query: str, texts: Sequence[str]
    ) -> AsyncGenerator[Sequence[float], None]:
        self.asked += texts
        try:
            for part in self._parts:
                yield part
            if isinstance(self._then, Exception):
                raise self._then
            if self._then is not None:
                self.waits.set()
                await self._then.wait()
        finally:
            self.left = True


def hits(count: int) -> list[Ranked]:
    """So many hits, named a, b, c, ..., the first the best."""
    terms = (Term("text", 2.0),)
    return [
        Ranked(Candidate(_name(place)), terms, (float(count - place),), 2.0 * (count - place))
        for place in range(count)
    ]


def memories(count: int) -> list[Remembered]:
    return [
        Remembered(_name(place), "", "Mara", "", f"text {_name(place)}", role="user")
        for place in range(count)
    ]


def _name(place: int) -> str:
    return chr(ord("a") + place) if place < 26 else f"m{place}"


def names(ranked: Sequence[Ranked]) -> str:
    return "".join(hit.candidate.memory_id for hit in ranked)


def within(reranker: Reranker | None, timeout_s: float = FOREVER_S) -> Reranking:
    return Reranking(reranker, timeout_s)


async def test_hits_that_were_read_stand_by_their_points() -> None:
    read = await reread(within(Scripted([1, 3], [2])), "q", hits(3), memories(3))
    assert (names(read.hits), read.order, read.degraded) == ("bca", (1, 2, 0), ())


async def test_equal_points_leave_the_order_of_the_ranking() -> None:
    read = await reread(within(Scripted([0, 5, 0, 0])), "q", hits(4), memories(4))
    assert names(read.hits) == "bacd"


async def test_a_text_is_read_after_who_said_it() -> None:
    scripted = Scripted([1, 2])
    fact = Remembered("b", "", "semantic", "", "Mara keeps bees.")
    await reread(within(scripted), "q", hits(2), [memories(1)[0], fact])
    assert scripted.asked == ["Mara: text a", "Mara keeps bees."]


async def test_those_read_in_time_change_places_and_the_rest_stays() -> None:
    scripted = Scripted([1, 2], [3], then=asyncio.Event())
    read = await reread(within(scripted, AT_ONCE_S), "q", hits(6), memories(6))
    assert (names(read.hits), read.order) == ("cbadef", (2, 1, 0))
    (why,) = read.degraded
    assert why.startswith("the reranker read 3 of 6 hits in 0.001 s (retrieval.rerank_timeout_s")
    assert scripted.left, "a reranker that is late is stopped"


async def test_a_reranker_that_reads_nothing_in_time_changes_nothing() -> None:
    given = hits(3)
    late = Scripted(then=asyncio.Event())
    read = await reread(within(late, AT_ONCE_S), "q", given, memories(3))
    assert (read.hits, read.order) == (given, ())
    assert read.degraded[0].startswith("the reranker read 0 of 3 hits")


async def test_a_reranker_that_fails_changes_nothing() -> None:
    given = hits(3)
    failing = Scripted([1, 2], then=ModelUnavailable("it is away; start it"))
    read = await reread(within(failing), "q", given, memories(3))
    assert (read.hits, read.order) == (given, ())
    (why,) = read.degraded
    assert why == ("the reranker failed, the order is that of the ranking: it is away; start it")


async def test_one_that_ends_early_says_how_much_it_read() -> None:
    read = await reread(within(Scripted([1, 2])), "q", hits(3), memories(3))
    assert names(read.hits) == "bac"
    assert read.degraded[0].startswith("the reranker read 2 of 3 hits that its window holds")


async def test_a_caller_who_leaves_ends_the_reading() -> None:
    scripted = Scripted([1], then=asyncio.Event())
    asking = asyncio.create_task(reread(within(scripted), "q", hits(2), memories(2)))
    await scripted.waits.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert scripted.left


async def test_without_a_reranker_one_is_told_what_to_do() -> None:
    given = hits(2)
    read = await reread(within(None), "q", given, ())
    assert (read.hits, read.order, read.degraded) == (given, (), (NOT_CONFIGURED,))
    assert to_read(given, within(None)) == []


async def test_a_hit_without_a_text_keeps_its_place() -> None:
    there = [one for one in memories(4) if one.memory_id != "b"]
    read = await reread(within(Scripted([1, 2, 3])), "q", hits(4), there)
    assert (names(read.hits), read.order) == ("dbca", (3, 1, 2, 0))


async def test_no_more_than_the_best_are_read() -> None:
    count = READ_MAX + 5
    scripted = Scripted([float(place) for place in range(READ_MAX)])
    given = hits(count)
    assert len(to_read(given, within(scripted))) == READ_MAX
    read = await reread(within(scripted), "q", given, memories(count))
    assert len(scripted.asked) == READ_MAX
    assert names(read.hits[READ_MAX:]) == names(given[READ_MAX:])
    assert not read.degraded


async def test_points_are_told_and_no_part_of_a_score() -> None:
    given = hits(3)
    read = await reread(within(Scripted([-4, 7.5]), AT_ONCE_S), "q", given, memories(3))
    first, second, third = read.hits
    assert [hit.factors[-1] for hit in (first, second)] == [
        Factor("rerank", 7.5, 0.0),
        Factor("rerank", -4, 0.0),
    ]
    assert [factor.name for factor in third.factors] == ["text"], "it was not read"
    scores = {hit.candidate.memory_id: hit.score for hit in given}
    assert all(hit.score == scores[hit.candidate.memory_id] for hit in read.hits)


@pytest.mark.parametrize(
    ("order", "then"),
    [((), "abcd"), ((2, 0, 1), "cabd"), ((2, 9, 2), "cabd"), ((3, 2, 1, 0), "dcba")],
)
def test_an_order_of_before_is_one_of_now(order: tuple[int, ...], then: str) -> None:
    assert names(in_order(hits(4), order)) == then
