"""Tests of FindCandidates over a real service: what it tells of the query, and in which form."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis_libs.index.port import Hit
from anamnesis_memory.api.convert.search import from_hit, from_hits
from anamnesis_retrieval.convert.search import to_candidate, to_candidates, to_found
from tests.support.memory_service import Served, serving
from tests.support.pipeline_calls import talk

_HIT = Hit(
    memory_id="",
    score=1.5,
    text=0.25,
    text_window=0.5,
    dense=-0.75,
    dense_window=2.0,
    length=-1.0,
    is_question=True,
    answered_score=0.125,
    cosine=0.375,
    matched_terms=(),
    kind="episodic",
    role="user",
    name="Mara",
    session_id="s-1",
    importance=0.5,
    event_time_us=1_770_000_000_000_000,
    create_time_us=1_780_000_000_000_001,
    position=7,
    category="rule",
    previous_id="z",
    nearest_piece=1,
    piece_cosines=(),
    token_match=0.25,
    ended=False,
)


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service."""
    async with serving(tmp_path) as running:
        yield running


async def test_the_query_comes_back_as_it_was_searched(served: Served) -> None:
    await talk(served)
    asked = "who has the key AKIAIOSFODNN7EXAMPLE?"
    answer = await served.memory.FindCandidates(
        pb.FindCandidatesRequest(namespace="n", query=asked)
    )
    assert answer.query.startswith("who has the key ")
    assert "AKIAIOSFODNN7EXAMPLE" not in answer.query


async def test_without_a_query_the_newest_are_answered_and_nothing_is_embedded(
    served: Served,
) -> None:
    await talk(served, "a")
    await talk(served, "b")
    request = pb.FindCandidatesRequest(namespace="n", limit=3)
    answer = await served.memory.FindCandidates(request)
    async with asyncio.timeout(20):
        while len(answer.candidates) < 3:  # the index follows; nothing here makes vectors
            await asyncio.sleep(0.05)
            answer = await served.memory.FindCandidates(request)
    assert [one.event_index for one in answer.candidates] == [1, 1, 0]
    assert [one.score for one in answer.candidates] == [0, 0, 0]
    assert answer.scope.embedding_model == ""


async def test_columns_tell_what_candidates_tell(served: Served) -> None:
    await talk(served)
    request = pb.FindCandidatesRequest(namespace="n", query="how do I sort?", limit=20)
    one_by_one = await served.memory.FindCandidates(request)
    while len(one_by_one.candidates) < 2:  # the index follows; nothing here makes vectors
        await asyncio.sleep(0.01)
        one_by_one = await served.memory.FindCandidates(request)
    request.in_columns = True
    in_columns = await served.memory.FindCandidates(request)
    assert not in_columns.candidates
    assert to_found(in_columns) == to_found(one_by_one)
    assert to_found(in_columns).candidates


def test_what_candidates_have_several_or_none_of_stands_with_each() -> None:
    first = _HIT._replace(memory_id="a", matched_terms=(0, 2), piece_cosines=(0.5, 0.25))
    second = _HIT._replace(memory_id="b", position=None, event_time_us=None, token_match=-1.0)
    third = _HIT._replace(memory_id="c", matched_terms=(1,), kind="semantic", ended=True, role="")
    sources = {"c": ("a", "b")}
    hits = [first, second, third]
    told = [to_candidate(from_hit(one, sources.get(one.memory_id, ()))) for one in hits]
    assert to_candidates(from_hits(hits, sources)) == told
    assert [one.source_ids for one in told] == [(), (), ("a", "b")]


async def test_that_many_memories_wait_for_their_vectors_is_told(served: Served) -> None:
    await talk(served, "few")
    request = pb.FindCandidatesRequest(namespace="n", query="how do I sort?", limit=100)
    assert not (await served.memory.FindCandidates(request)).degraded
    for number in range(16):
        await talk(served, f"s-{number}")
    answer = await served.memory.FindCandidates(request)
    async with asyncio.timeout(20):
        while len(answer.candidates) < 34:  # the index follows; nothing here makes vectors
            await asyncio.sleep(0.05)
            answer = await served.memory.FindCandidates(request)
    assert list(answer.degraded) == [
        "34 of 34 memories wait for their vectors: text only for those"
    ]
