"""Tests of FindCandidates over a real service: what it tells of the query."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from anamnesis.memory.v1 import memory_service_pb2 as pb
from tests.support.memory_service import Served, serving
from tests.support.pipeline_calls import talk


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
