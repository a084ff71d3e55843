"""Tests of searches and contexts whose hits are read again, over real channels and models."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.memory.v1 import event_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.retrieval.v1 import retrieval_pb2
from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.models.chat import Json
from anamnesis_libs.tokens import TiktokenCounter, load_counter
from anamnesis_retrieval.context.build import IN_ORDER_OF_TIME
from anamnesis_retrieval.reranking.rerank import NOT_CONFIGURED
from anamnesis_retrieval.search import IN_GRAPH_ORDER
from anamnesis_retrieval.wiring import build
from tests.support.memory_spaces import token
from tests.support.openai_server import OpenAIServer, openai_server, silence
from tests.support.retrieval_suite import QUERY, Suite, ids, script
from tests.support.serving import service_context, serving_memory, serving_module
from tests.support.tiny_cross_encoder import write_cross_encoder

FIND, FETCH = "FindCandidatesRequest", "BatchGetMemoriesRequest"
ASK, REPORT = "GetUsageRequest", "ReportUsageRequest"
FACTS = "ListFactsRequest"
"""Asked beside the first, of a question about a life."""
NOW = Timestamp(seconds=1_780_000_000)
DAY_S = 86_400
RANKED = [f"m{number:03}" for number in range(5)]


@pytest.fixture(scope="module")
def tokens() -> TiktokenCounter:
    return load_counter("o200k_base")


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with openai_server() as listening:
        yield listening


@asynccontextmanager
async def suite_with(tokens: TiktokenCounter, groups: Mapping[str, object]) -> AsyncIterator[Suite]:
    async with (
        serving_memory() as memory,
        service_context(memory, tokens, groups) as context,
        serving_module(build(context)) as channel,
    ):
        script(memory, len(RANKED))
        memory.found.query = QUERY
        yield Suite(memory, channel)


@pytest.fixture
async def plain(tokens: TiktokenCounter) -> AsyncIterator[Suite]:
    async with suite_with(tokens, {}) as suite:
        yield suite


@pytest.fixture
async def reading(tokens: TiktokenCounter, server: OpenAIServer) -> AsyncIterator[Suite]:
    """A suite whose reranker is a chat model."""
    async with suite_with(tokens, chat_groups(server)) as suite:
        yield suite


def chat_groups(server: OpenAIServer, **retrieval: object) -> Mapping[str, object]:
    return {
        "models": {"chat_model": "small", "chat_base_url": server.base_url},
        "retrieval": {"reranker": "chat_model", "rerank_timeout_s": 30, **retrieval},
    }


def names_best(server: OpenAIServer, *best: Json) -> None:
    server.chat.answer("rerank_texts", {"best": list(best)})


async def test_nothing_is_read_again_unasked(reading: Suite, server: OpenAIServer) -> None:
    await reading.search()
    await reading.context()
    assert reading.calls()[:2] == [FIND, FETCH]
    assert server.requests == []


async def test_without_a_reranker_it_says_so_and_goes_on(plain: Suite) -> None:
    found, told = await plain.search(rerank=True), await plain.context(rerank=True)
    assert ids(found) == RANKED
    assert told.text == (await plain.context()).text
    assert list(found.degraded) == list(told.degraded) == [NOT_CONFIGURED]
    calls = [one for one in plain.calls() if one != FACTS]
    assert calls[:3] == [FIND, FETCH, FIND], "no call more than without"


async def test_a_search_is_in_the_order_of_the_reader(reading: Suite, server: OpenAIServer) -> None:
    names_best(server, 4, 2)
    answer = await reading.search(rerank=True, explain=True)
    assert ids(answer) == ["m003", "m001", "m000", "m002", "m004"]
    assert list(answer.degraded) == []
    assert reading.calls() == [FIND, FETCH, ASK, REPORT, FETCH]
    read, shown = reading.memory.asked(memory_pb.BatchGetMemoriesRequest)
    assert list(read.memory_ids) == RANKED
    assert (read.purpose, read.at_least_revision) == (memory_pb.READ_PURPOSE_INTERNAL, token(7))
    assert shown.purpose == memory_pb.READ_PURPOSE_SEARCH
    for result in answer.results:
        assert result.score == pytest.approx(sum(one.contribution for one in result.factors))
    points = [(one.value, one.weight) for r in answer.results for one in r.factors[-1:]]
    assert points == [(1.0, 0.0), (0.5, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]
    assert {result.factors[-1].name for result in answer.results} == {"rerank"}


async def test_the_model_reads_the_redacted_question(reading: Suite, server: OpenAIServer) -> None:
    names_best(server)
    reading.memory.found.query = "What is [SECRET] for?"
    await reading.search("What is sk-1234 for?", rerank=True)
    (request,) = server.requests
    assert "What is [SECRET] for?" in str(request.json)
    assert "sk-1234" not in str(request.json)
    assert "Mel: Number 0. It lives in the valley." in str(request.json)


async def test_later_pages_go_on_in_the_order_of_the_first(
    reading: Suite, server: OpenAIServer
) -> None:
    names_best(server, 4, 5)
    first = await reading.search(rerank=True, limit=2)
    second = await reading.search(rerank=True, limit=2, page_token=first.next_page_token)
    third = await reading.search(rerank=True, limit=2, page_token=second.next_page_token)
    assert ids(first) + ids(second) + ids(third) == ["m003", "m004", "m000", "m001", "m002"]
    assert third.next_page_token == ""
    assert len(server.requests) == 1, "the first page decides"


async def test_a_token_of_a_reranked_page_is_of_no_other(
    reading: Suite, server: OpenAIServer
) -> None:
    names_best(server, 4)
    first = await reading.search(rerank=True, limit=2)
    with pytest.raises(aio.AioRpcError):
        await reading.search(limit=2, page_token=first.next_page_token)


async def test_a_context_tells_first_what_the_reader_puts_first(
    reading: Suite, server: OpenAIServer
) -> None:
    names_best(server, 5, 3)
    answer = await reading.context(rerank=True, limit=2)
    assert {one.memory_id for one in answer.citations} == {"m004", "m002"}
    calls = [one for one in reading.calls() if one != FACTS]
    assert calls == [FIND, FETCH, ASK, REPORT, "ReportUseRequest"]
    assert not answer.degraded


async def test_an_amendment_stays_before_what_it_amends(
    reading: Suite, server: OpenAIServer
) -> None:
    decided, amended = reading.memory.found.candidates[:2]
    decided.session_id, amended.session_id, amended.category = "s", "t", "amendment"
    decided.event_time.CopyFrom(Timestamp(seconds=1))
    amended.event_time.CopyFrom(Timestamp(seconds=2))
    names_best(server, 1)
    assert ids(await reading.search(rerank=True))[:2] == ["m001", "m000"]
    recent = await reading.search(rerank=True, ranking=retrieval_pb2.RANKING_RECENT)
    assert ids(recent)[:2] == ["m000", "m001"], "where recency counts by itself, it is the reader's"


async def test_the_graph_has_an_order_of_its_own(plain: Suite) -> None:
    del plain.memory.found.candidates[:]
    answer = await plain.search(rerank=True, mode=retrieval_pb2.SEARCH_MODE_GRAPH)
    assert list(answer.degraded) == [IN_GRAPH_ORDER]


async def test_all_of_a_time_is_told_evenly_and_not_by_a_reader(
    reading: Suite, server: OpenAIServer
) -> None:
    yesterday = Timestamp(seconds=NOW.seconds - DAY_S)
    for candidate in reading.memory.found.candidates:
        candidate.event_time.CopyFrom(yesterday)
        candidate.role = event_pb2.ROLE_USER
    query = reading.memory.found.query = "What did we talk about yesterday?"
    names_best(server, 4)
    answer = await reading.context(query, rerank=True, now=NOW)
    assert answer.text == (await reading.context(query, now=NOW)).text != ""
    assert IN_ORDER_OF_TIME in answer.degraded
    assert server.requests == []


async def test_a_reader_that_is_late_or_fails_leaves_the_order(
    tokens: TiktokenCounter, server: OpenAIServer
) -> None:
    names_best(server, 4)
    server.faults.append(silence(60))
    async with suite_with(tokens, chat_groups(server, rerank_timeout_s=0.05)) as suite:
        late = await suite.search(rerank=True)
    async with suite_with(tokens, chat_groups(server)) as suite:
        suite.memory.model_calls_left = 0
        spent = await suite.search(rerank=True)
    assert ids(late) == ids(spent) == RANKED
    assert [why.split(":")[0] for why in (*late.degraded, *spent.degraded)] == [
        "the reranker read 0 of 5 hits in 0.05 s (retrieval.rerank_timeout_s, and half of what the "
        "caller's deadline leaves); the others keep their places",
        "the reranker failed, the order is that of the ranking",
    ]


async def test_a_cross_encoder_reads_in_this_process(
    tokens: TiktokenCounter, tmp_path: Path
) -> None:
    folder = write_cross_encoder(tmp_path / "model")
    groups = {"retrieval": {"reranker": "cross_encoder", "rerank_model_dir": folder}}
    async with suite_with(tokens, groups) as suite:
        suite.memory.found.query = "where does mara keep her bees"
        suite.memory.memories["m003"].content = "her bees on the roof"
        suite.memory.memories["m001"].content = "bees"
        answer = await suite.search(rerank=True)
    assert ids(answer) == ["m003", "m001", "m000", "m002", "m004"]
    assert not answer.degraded


@pytest.mark.parametrize(
    ("reranker", "setting"),
    [("cross_encoder", "retrieval.rerank_model_dir"), ("chat_model", "models.chat_model")],
)
async def test_a_reranker_that_is_half_configured_does_not_start(
    tokens: TiktokenCounter, reranker: str, setting: str
) -> None:
    with pytest.raises(SetupInvalid, match=setting):
        async with suite_with(tokens, {"retrieval": {"reranker": reranker}}):
            pass
