"""Tests of the retrieval service over real channels, against scripted memory services."""

from collections.abc import AsyncIterator

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import error_details_pb2
from grpc import aio
from grpc_status import rpc_status

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import memory_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis.retrieval.v1 import retrieval_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from anamnesis_libs import errors
from anamnesis_libs.errors import not_found
from anamnesis_libs.tokens import TiktokenCounter, load_counter
from anamnesis_retrieval.wiring import build
from tests.support.memory_spaces import token
from tests.support.retrieval_suite import QUERY, Suite, ids, script
from tests.support.serving import service_context, serving_memory, serving_module


@pytest.fixture(scope="module")
def tokens() -> TiktokenCounter:
    return load_counter("o200k_base")


@pytest.fixture
async def suite(tokens: TiktokenCounter) -> AsyncIterator[Suite]:
    async with (
        serving_memory() as memory,
        service_context(memory, tokens) as context,
        serving_module(build(context)) as channel,
    ):
        yield Suite(memory, channel)


def reason(failed: aio.AioRpcError) -> str:
    status = rpc_status.from_call(failed)  # type: ignore[arg-type]
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    return str(info.reason)


async def test_a_search_takes_two_calls(suite: Suite) -> None:
    script(suite.memory, 30)
    answer = await suite.search()
    assert suite.calls() == ["FindCandidatesRequest", "BatchGetMemoriesRequest"]
    assert ids(answer) == [f"m{number:03}" for number in range(10)]
    assert (answer.revision, answer.profile) == (token(7), "speakers")
    (fetched,) = suite.memory.asked(memory_pb.BatchGetMemoriesRequest)
    assert list(fetched.memory_ids) == ids(answer)
    assert fetched.at_least_revision == token(7)


@pytest.mark.parametrize(
    ("limit", "purposes"),
    [
        (10, [memory_pb.READ_PURPOSE_SEARCH]),
        (5, [memory_pb.READ_PURPOSE_INTERNAL, memory_pb.READ_PURPOSE_SEARCH]),
    ],
)
async def test_a_page_of_all_the_best_is_read_once_where_hits_may_be_one_statement(
    suite: Suite, limit: int, purposes: list[int]
) -> None:
    script(suite.memory, 30)
    for candidate in suite.memory.found.candidates[:2]:
        candidate.matched_terms.extend([7, 8])
    answer = await suite.search(limit=limit)
    assert ids(answer) == [f"m{number:03}" for number in range(limit)]
    fetched = suite.memory.asked(memory_pb.BatchGetMemoriesRequest)
    assert [one.purpose for one in fetched] == purposes
    assert list(fetched[-1].memory_ids) == ids(answer)


async def test_a_context_takes_two_calls_too_and_counts_what_it_shows(suite: Suite) -> None:
    script(suite.memory, 30)
    caller = Caller(agent_id="a", user_id="u")
    answer = await suite.context("What does Mel say?", limit=5, pointers=True, caller=caller)
    reads = ["FindCandidatesRequest", "BatchGetMemoriesRequest"]
    assert suite.calls() == [*reads, "ReportUseRequest"]
    assert [one.memory_id for one in answer.citations] == [f"m{n:03}" for n in range(5)]
    assert all(one.pointer in answer.text for one in answer.citations)
    (fetched,) = suite.memory.asked(memory_pb.BatchGetMemoriesRequest)
    assert (fetched.purpose, fetched.caller) == (memory_pb.READ_PURPOSE_INTERNAL, caller)
    (counted,) = suite.memory.asked(memory_pb.ReportUseRequest)
    assert (counted.kind, counted.caller) == (memory_pb.USE_KIND_SHOWN, caller)
    assert list(counted.memory_ids) == [one.memory_id for one in answer.citations]


async def test_a_question_of_a_life_reads_facts_beside_what_is_found(suite: Suite) -> None:
    script(suite.memory, 3)
    fact = memory_pb2.Memory(
        memory_id="f",
        kind=memory_pb2.MEMORY_KIND_SEMANTIC,
        content="Caroline lives in Delft",
        fact=memory_pb2.Fact(subject="Caroline", predicate="lives_in", object="Delft"),
    )
    suite.memory.facts.facts.add(memory=fact)
    caller = Caller(user_id="u")
    answer = await suite.context(caller=caller)
    assert answer.text.split("\n")[1:3] == ["Known", "- Caroline lives in Delft"]
    assert answer.citations[0].memory_id == "f"
    (asked,) = suite.memory.asked(knowledge_pb.ListFactsRequest)
    assert (asked.subject, asked.caller) == ("Caroline", caller)
    assert "lives_in" in asked.predicates
    narrowed = MemoryFilter(session_ids=["s"])
    assert "Known" not in (await suite.context(caller=caller, filter=narrowed)).text
    assert len(suite.memory.asked(knowledge_pb.ListFactsRequest)) == 1


async def test_only_what_is_asked_for_bounds_a_context(suite: Suite) -> None:
    script(suite.memory, 30)
    everything = await suite.context(token_budget=2000)
    assert (len(everything.citations), everything.left_out) == (30, 0)
    few = await suite.context(token_budget=100)
    assert few.token_count <= 100
    assert few.left_out > 0
    assert not any(one.pointer in few.text for one in few.citations), "pointers cost tokens"


async def test_a_context_that_cannot_be_counted_is_told_all_the_same(suite: Suite) -> None:
    script(suite.memory, 1)
    suite.memory.fail("ReportUse", not_found.NamespaceNotFound("n"))
    answer = await suite.context()
    assert len(answer.citations) == 1
    (why,) = answer.degraded
    assert why.startswith("uses were not counted: ")


@pytest.mark.parametrize(
    ("size", "cosine", "budget", "why"),
    [
        (0, 0.6, 300, pb.EMPTY_REASON_NOTHING_VISIBLE),
        (3, -0.1, 300, pb.EMPTY_REASON_NOTHING_RELEVANT),
        (3, 0.6, 9, pb.EMPTY_REASON_BUDGET_TOO_SMALL),
        (3, 0.6, 300, pb.EMPTY_REASON_UNSPECIFIED),
    ],
)
async def test_an_empty_context_says_why(
    suite: Suite, size: int, cosine: float, budget: int, why: int
) -> None:
    script(suite.memory, size)
    suite.memory.found.scope.absent.extend(["tall", "tower"])
    for candidate in suite.memory.found.candidates:
        candidate.cosine = cosine
        candidate.ClearField("matched_terms")
    answer = await suite.context("How tall is the tower?", token_budget=budget)
    assert answer.empty_reason == why
    assert bool(answer.text) is (why == pb.EMPTY_REASON_UNSPECIFIED)
    assert answer.left_out == (3 if why == pb.EMPTY_REASON_BUDGET_TOO_SMALL else 0)


async def test_the_policy_says_how_much_a_context_may_have_and_wants(suite: Suite) -> None:
    script(suite.memory, 30)
    plain = await suite.context()
    assert plain.token_budget == 1024
    suite.memory.found.context.tokens = 100
    few = await suite.context()
    assert few.token_budget == 100 >= few.token_count > 0
    assert (await suite.context(token_budget=200)).token_budget == 200
    asked = "Does Mel know the valley?"
    assert (await suite.context(asked)).text
    suite.memory.found.context.floor = 1.0
    assert (await suite.context(asked)).empty_reason == pb.EMPTY_REASON_NOTHING_RELEVANT


async def test_a_context_asks_for_what_stands_and_a_search_does_not(suite: Suite) -> None:
    script(suite.memory, 1)
    await suite.context("Where do I live?")
    await suite.context("Who is Mel?")
    await suite.search("Where do I live?")
    own, other, plain = suite.memory.asked(memory_pb.FindCandidatesRequest)
    assert "moved" in own.related_words.split() or "move" in own.related_words.split()
    assert own.standing_max == other.standing_max > 0
    assert (other.related_words, plain.related_words, plain.standing_max) == ("", "", 0)


async def test_caller_and_filter_reach_memory(suite: Suite) -> None:
    script(suite.memory, 1)
    caller, scope = Caller(agent_id="a", user_id="u"), MemoryFilter(tags=["t"], min_importance=0.5)
    await suite.search(caller=caller, filter=scope, at_least_revision=token(5))
    (asked,) = suite.memory.asked(memory_pb.FindCandidatesRequest)
    assert (asked.namespace, asked.query, asked.limit) == ("n", QUERY, 100)
    assert (asked.caller, asked.filter, asked.at_least_revision) == (caller, scope, token(5))
    assert suite.memory.asked(memory_pb.BatchGetMemoriesRequest)[0].caller == caller


async def test_the_time_asked_about_reaches_memory(suite: Suite) -> None:
    script(suite.memory, 1)
    await suite.search(as_of=Timestamp(seconds=7))
    await suite.context(as_of=Timestamp(seconds=8))
    await suite.search()
    asked = suite.memory.asked(memory_pb.FindCandidatesRequest)
    assert [one.as_of.seconds for one in asked[:2]] == [7, 8]
    assert not asked[2].HasField("as_of")


async def test_without_a_time_what_had_ended_by_now_is_left_out(suite: Suite) -> None:
    script(suite.memory, 1)
    await suite.search(now=Timestamp(seconds=9))
    await suite.search()
    await suite.search(any_time=True)
    await suite.search(as_of=Timestamp(seconds=7))
    await suite.search(query="Where did Mara live before?")
    await suite.context(now=Timestamp(seconds=9))
    asked = suite.memory.asked(memory_pb.FindCandidatesRequest)
    assert [one.HasField("open_at") for one in asked] == [True, True, False, False, False, True]
    assert [one.open_at.seconds for one in (asked[0], asked[5])] == [9, 9]
    assert [bool(one.ended_max) for one in asked] == [False] * 5 + [True]


async def test_one_time_and_all_times_are_refused_together(suite: Suite) -> None:
    with pytest.raises(aio.AioRpcError) as refused:
        await suite.search(as_of=Timestamp(seconds=7), any_time=True)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("fact", "needs_review", "told"),
    [
        (memory_pb2.Fact(), False, "- It"),
        (memory_pb2.Fact(retracted=True), False, "\nretracted: It"),
        (
            memory_pb2.Fact(superseded=True, valid_to=Timestamp(seconds=1_614_556_800)),
            False,
            "\nuntil 2021-03-01: It",
        ),
        (
            memory_pb2.Fact(
                valid_from=Timestamp(seconds=1_614_556_800),
                time_precision=memory_pb2.TIME_PRECISION_MONTH,
            ),
            False,
            "\nsince 2021-03: It",
        ),
        (memory_pb2.Fact(contradicted=True), True, "\ncontradicted, needs review: It"),
    ],
)
async def test_a_context_says_what_not_to_rely_on(
    suite: Suite, fact: memory_pb2.Fact, needs_review: bool, told: str
) -> None:
    script(suite.memory, 1)
    suite.memory.memories["m000"] = memory_pb2.Memory(
        memory_id="m000",
        kind=memory_pb2.MEMORY_KIND_SEMANTIC,
        content="It lives in the valley.",
        needs_review=needs_review,
        fact=fact,
    )
    assert told in (await suite.context()).text


@pytest.mark.parametrize(
    ("mode", "query", "weights"),
    [
        ("SEARCH_MODE_AUTO", QUERY, (1, 1, 2, 2)),
        ("SEARCH_MODE_HYBRID", QUERY, (1, 1, 2, 2)),
        ("SEARCH_MODE_SEMANTIC", QUERY, (0, 0, 2, 2)),
        ("SEARCH_MODE_UNSPECIFIED", "她住在哪裡", (1, 1, 0.5, 0.5)),
    ],
)
async def test_the_mode_decides_the_weights(
    suite: Suite, mode: str, query: str, weights: tuple[float, ...]
) -> None:
    await suite.search(query, mode=retrieval_pb2.SearchMode.Value(mode))
    (asked,) = suite.memory.asked(memory_pb.FindCandidatesRequest)
    given = asked.weights
    assert (given.text, given.text_window, given.dense, given.dense_window) == weights


async def test_semantic_mode_ranks_by_vectors_alone(suite: Suite) -> None:
    script(suite.memory, 2)
    suite.memory.found.candidates[1].dense = 3.0
    answer = await suite.search(mode=retrieval_pb2.SEARCH_MODE_SEMANTIC, explain=True)
    assert ids(answer) == ["m001", "m000"]
    assert {part.name for part in answer.results[0].factors} == {"dense", "dense_window"}
    assert answer.profile == "plain"


async def test_explain_tells_every_term(suite: Suite) -> None:
    script(suite.memory, 3)
    answer = await suite.search(explain=True)
    for result in answer.results:
        total = sum(part.contribution for part in result.factors)
        assert result.score == pytest.approx(total, abs=1e-12)
        assert all(p.contribution == p.value * p.weight for p in result.factors)
        assert list(result.routes) == ["text", "dense"]
    assert len(answer.results[0].factors) == 12
    assert not (await suite.search()).results[0].factors


@pytest.mark.parametrize(
    ("detail", "overview"), [("DETAIL_L0", ""), ("DETAIL_L1", "Number 0. It lives.")]
)
async def test_bodies_are_never_shown(suite: Suite, detail: str, overview: str) -> None:
    script(suite.memory, 1)
    answer = await suite.search(detail=retrieval_pb2.Detail.Value(detail))
    (result,) = answer.results
    assert result.memory.summary == "Number 0."
    assert (result.memory.content, result.memory.overview) == ("", overview)


async def test_pages_go_on_where_the_one_before_ended(suite: Suite) -> None:
    script(suite.memory, 25)
    seen, page_token = [], ""
    for limit in (10, 3, 12):
        answer = await suite.search(limit=limit, page_token=page_token)
        seen += ids(answer)
        page_token = answer.next_page_token
    assert seen == [f"m{number:03}" for number in range(25)]
    assert page_token == ""
    revisions = [a.at_least_revision for a in suite.memory.asked(memory_pb.FindCandidatesRequest)]
    assert revisions == ["", token(7), token(7)]


@pytest.mark.parametrize(
    "field", ["namespace", "query", "mode", "caller", "filter", "as_of", "any_time"]
)
async def test_a_page_token_of_another_query_is_refused(suite: Suite, field: str) -> None:
    script(suite.memory, 25)
    request = pb.SearchRequest(namespace="n", query=QUERY)
    request.page_token = (await suite.ask(request)).next_page_token
    other = pb.SearchRequest(
        namespace="o",
        query="Who?",
        mode=retrieval_pb2.SEARCH_MODE_SEMANTIC,
        caller=Caller(agent_id="a"),
        filter=MemoryFilter(tags=["t"]),
        as_of=Timestamp(seconds=7),
        any_time=True,
    )
    request.ClearField(field)  # type: ignore[arg-type]
    for each, value in other.ListFields():
        if each.name == field:
            request.MergeFrom(pb.SearchRequest(**{field: value}))
    with pytest.raises(aio.AioRpcError) as refused:
        await suite.ask(request)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert reason(refused.value) == "PAGE_TOKEN_INVALID"


async def test_a_limit_over_the_most_counts_as_the_most(suite: Suite) -> None:
    script(suite.memory, 150)
    assert len((await suite.search(limit=1000)).results) == 100


async def test_an_empty_scope_asks_for_no_memory(suite: Suite) -> None:
    answer = await suite.search()
    assert (ids(answer), answer.next_page_token, answer.profile) == ([], "", "plain")
    assert suite.calls() == ["FindCandidatesRequest"]
    assert (await suite.context()).text == ""


async def test_a_memory_deleted_in_between_is_left_out(suite: Suite) -> None:
    script(suite.memory, 3)
    del suite.memory.memories["m001"]
    assert ids(await suite.search()) == ["m000", "m002"]
    assert [one.memory_id for one in (await suite.context()).citations] == ["m000", "m002"]


async def test_an_irrelevant_question_gives_no_context_and_counts_nothing(suite: Suite) -> None:
    script(suite.memory, 3)
    suite.memory.found.scope.absent.extend(f"word{number}" for number in range(5))
    for candidate in suite.memory.found.candidates:
        candidate.cosine = -0.01
    answer = await suite.context("How tall is the tower?")
    assert (answer.text, answer.token_count, list(answer.citations)) == ("", 0, [])
    assert answer.revision == token(7)
    assert "ReportUseRequest" not in suite.calls()
    assert len((await suite.search()).results) == 3, "a search still shows what shares a word"


async def test_hits_without_any_evidence_are_not_shown(suite: Suite) -> None:
    script(suite.memory, 3)
    suite.memory.found.candidates[1].ClearField("matched_terms")
    suite.memory.found.candidates[1].cosine = 0.1
    assert ids(await suite.search()) == ["m000", "m002"]


async def test_what_is_degraded_is_passed_on(suite: Suite) -> None:
    script(suite.memory, 1)
    suite.memory.found.degraded.append("no embedding of the query, text only")
    assert list((await suite.search()).degraded) == ["no embedding of the query, text only"]
    assert list((await suite.context()).degraded) == ["no embedding of the query, text only"]


@pytest.mark.parametrize("rpc", ["FindCandidates", "BatchGetMemories"])
@pytest.mark.parametrize(
    ("failure", "code", "why"),
    [
        (not_found.NamespaceNotFound("n"), grpc.StatusCode.NOT_FOUND, "NAMESPACE_NOT_FOUND"),
        (errors.RevisionInFuture(9, 7), grpc.StatusCode.OUT_OF_RANGE, "REVISION_IN_FUTURE"),
        (
            errors.EmbeddingModelMismatch("a", "b"),
            grpc.StatusCode.FAILED_PRECONDITION,
            "EMBEDDING_MODEL_MISMATCH",
        ),
    ],
)
async def test_errors_of_memory_pass_through(
    suite: Suite, rpc: str, failure: errors.AnamnesisError, code: grpc.StatusCode, why: str
) -> None:
    script(suite.memory, 1)
    suite.memory.fail(rpc, failure, failure)
    for ask in (suite.search, suite.context):
        with pytest.raises(aio.AioRpcError) as failed:
            await ask()
        assert (failed.value.code(), reason(failed.value)) == (code, why)


async def test_a_page_too_large_for_one_message_is_fetched_in_parts(suite: Suite) -> None:
    script(suite.memory, 4)
    for memory in suite.memory.memories.values():
        memory.content = "word " * 100_000
    assert len((await suite.search()).results) == 4


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.SearchRequest(namespace="No", query="q"), "namespace"),
        (pb.SearchRequest(namespace="n"), "query"),
        (pb.SearchRequest(namespace="n", query="q", limit=-1), "limit"),
        (pb.SearchRequest(namespace="n", query="q", mode=99), "mode"),  # type: ignore[arg-type]
        (pb.SearchRequest(namespace="n", query="q", now=Timestamp(seconds=10**15)), "now"),
        (pb.SearchRequest(namespace="n", query="q", now=Timestamp(nanos=-1)), "now"),
        (pb.SearchRequest(namespace="n", query="q", as_of=Timestamp(seconds=10**15)), "as_of"),
        (pb.SearchRequest(namespace="n", query="q", page_token="?"), "page_token"),
    ],
)
async def test_bad_requests_name_their_field(
    suite: Suite, request_: pb.SearchRequest, field: str
) -> None:
    with pytest.raises(aio.AioRpcError) as refused:
        await suite.ask(request_)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    status = rpc_status.from_call(refused.value)  # type: ignore[arg-type]
    bad = error_details_pb2.BadRequest()
    assert status is not None
    assert any(detail.Unpack(bad) for detail in status.details)
    assert bad.field_violations[0].field == field
    assert suite.memory.requests == []
