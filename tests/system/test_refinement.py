"""Importance in doubt and long memories are improved by a chat model behind the answer."""

import math
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
import pytest_asyncio

from anamnesis.memory.v1 import admin_service_pb2, event_pb2, memory_pb2, sleep_pb2
from anamnesis.memory.v1 import memory_service_pb2 as pb
from tests.support.chat_suite import ChatSuite, chat_suite
from tests.support.openai_chat_script import asked_of
from tests.support.openai_server import openai_server, status
from tests.support.refining import REFINE, RefiningSpace, questions, row, rows, weighing

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]

SETTINGS = {
    "ANAMNESIS_SLEEP__ENABLED": "false",
    "ANAMNESIS_SLEEP__REFINE_MAX": "4",
    "ANAMNESIS_MODELS__CHAT_TIMEOUT_S": "30",
}
FERRY = "The ferry to the island leaves at 07:40 from pier 4."
BEES = "I keep bees behind the house, two hives by now."
STORM = "The storm took the roof of the shed."
LONG = (
    "Mara moved the bakery to Rotterdam in 2019 and hired Omar as its first baker. "
    "The oven was bought from Halden for 12,000 euros and never broke down. "
    "Omar does not work on Mondays, because the mill delivers no flour then. "
) + " ".join(
    f"Then somebody told at length how the dough of that day was kneaded, rested and shaped, {one}."
    for one in ("twice", "by hand", "in the cold", "before dawn", "with rye", "with care") * 6
)
SUMMARY = "Mara moved the bakery to Rotterdam in 2019 and hired Omar as its first baker."
OVERVIEW = (
    "Mara moved the bakery to Rotterdam in 2019 and hired Omar. The oven from Halden cost 12,000 "
    "euros and never broke down. Omar does not work on Mondays."
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def suite(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ChatSuite]:
    directory = tmp_path_factory.mktemp("refined") / "data"
    async with openai_server() as server, chat_suite(server, directory, SETTINGS) as made:
        yield made


def asked(suite: ChatSuite) -> list[str]:
    """The prompts of refining that the model was sent so far."""
    sent = [asked_of(one.json) for one in suite.server.requests if "messages" in one.json]
    return [one.prompt for one in sent if one.schema_name == REFINE]


async def test_what_is_in_doubt_is_weighed_once(suite: ChatSuite) -> None:
    space = RefiningSpace(suite.clients, "weighed")
    suite.server.chat.answer(REFINE, weighing(0.9))
    doubtful = await space.observe(FERRY)
    stated = await space.create(BEES)
    by_hand = await space.observe(STORM)
    await space.set_importance(by_hand, 0.5)
    (before,) = await space.read([doubtful])
    assert before.provenance.scored
    assert 0.35 <= before.importance <= 0.65
    run = await space.run()
    assert (run.state, dict(run.counts)) == (sleep_pb2.RUN_STATE_DONE, {"weighed": 1})
    assert run.model_tokens > 0
    after, left, kept = await space.read([doubtful, stated.memory_id, by_hand])
    told = after.provenance.refinement
    assert (after.importance, told.model, told.reason) == (0.9, "openai:small", "a model says so")
    assert told.importance_before == before.importance
    assert told.HasField("time")
    assert (told.summary, told.overview) == (False, False)
    assert after.etag != before.etag
    assert (left.importance, left.etag) == (0.5, stated.etag)
    assert kept.importance == 0.5
    assert not kept.provenance.HasField("refinement")
    count = len(asked(suite))
    again = await space.run()
    assert (dict(again.counts), again.model_tokens, len(asked(suite))) == ({}, 0, count)
    await space.set_importance(doubtful, 0.4)
    assert dict((await space.run()).counts) == {}
    assert (await space.read([doubtful]))[0].importance == 0.4


async def test_long_memories_are_worded_and_compared_with_their_text(suite: ChatSuite) -> None:
    space = RefiningSpace(suite.clients, "worded")
    good = rows(row(1, None, summary=SUMMARY, overview=OVERVIEW))
    suite.server.chat.answer(REFINE, good)
    memory = await space.create(LONG)
    run = await space.run()
    assert dict(run.counts) == {"worded": 1}
    (after,) = await space.read([memory.memory_id])
    assert (after.summary, after.overview, after.content) == (SUMMARY, OVERVIEW, LONG)
    told = after.provenance.refinement
    assert (told.summary, told.overview, told.model) == (True, True, "openai:small")
    assert not told.HasField("importance_before")
    assert after.importance == memory.importance


@pytest.mark.parametrize(
    "made_up",
    [
        SUMMARY.replace("2019", "2018"),
        SUMMARY.replace("Omar", "Derek"),
        "Omar does work on Mondays.",
        "Mara never moved the bakery to Rotterdam.",
        "The bakery is famous for friendly service and should open a second shop soon.",
    ],
    ids=["number", "name", "negation lost", "negation made", "sentence"],
)
async def test_words_that_the_text_does_not_bear_are_refused(
    suite: ChatSuite, made_up: str, request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.id.replace(" ", "-")
    space = RefiningSpace(suite.clients, name)
    suite.server.chat.answer(REFINE, rows(row(1, None, summary=made_up, overview=made_up)))
    memory = await space.create(LONG)
    run = await space.run()
    assert (run.state, dict(run.counts)) == (sleep_pb2.RUN_STATE_DONE, {"refused": 2})
    (after,) = await space.read([memory.memory_id])
    assert (after.etag, after.summary, after.overview) == (
        memory.etag,
        memory.summary,
        memory.overview,
    )
    count = len(asked(suite))
    assert dict((await space.run()).counts) == {}
    assert len(asked(suite)) == count


async def test_numbers_that_do_not_fit_are_refused(suite: ChatSuite) -> None:
    space = RefiningSpace(suite.clients, "unfit")
    ids = [await space.observe(text) for text in (FERRY, BEES, STORM, f"{STORM} Twice.")]
    suite.server.chat.answer(
        REFINE, rows(row(1, 1.5), row(2, 0.8), row(2, 0.2), row(4, -0.1), row(9, 0.7))
    )
    before = [one.etag for one in await space.read(ids)]
    run = await space.run()
    assert dict(run.counts) == {"refused": 4}
    assert [one.etag for one in await space.read(ids)] == before
    assert dict((await space.run()).counts) == {}


async def test_a_reason_that_names_what_the_text_does_not_is_left_out(suite: ChatSuite) -> None:
    space = RefiningSpace(suite.clients, "reasons")
    ids = [await space.observe(text) for text in (FERRY, BEES)]
    suite.server.chat.answer(
        REFINE, rows(row(1, 0.8, reason="pier 4 is far"), row(2, 0.7, reason="as Derek said"))
    )
    assert dict((await space.run()).counts) == {"weighed": 2}
    told = [one.provenance.refinement.reason for one in await space.read(ids)]
    assert told == ["pier 4 is far", ""]


async def test_a_question_has_words_of_one_user(suite: ChatSuite) -> None:
    space = RefiningSpace(suite.clients, "apart")
    suite.server.chat.answer(REFINE, weighing(0.2))
    for user, text in (("ada", FERRY), ("bo", BEES), ("ada", STORM)):
        await space.observe(text, user)
    count = len(asked(suite))
    assert dict((await space.run()).counts) == {"weighed": 3}
    shown = [{one.text for one in questions(prompt)} for prompt in asked(suite)[count:]]
    assert sorted(shown, key=len) == [{f"user: {BEES}"}, {f"user: {FERRY}", f"user: {STORM}"}]
    shared = pb.NewMemory(content=LONG, user_id="ada", visibility=event_pb2.VISIBILITY_SHARED)
    own = pb.NewMemory(content=LONG, user_id="ada", visibility=event_pb2.VISIBILITY_PRIVATE_TO_USER)
    for new in (shared, own):
        new.kind = memory_pb2.MEMORY_KIND_LEARNING
        request = pb.CreateMemoryRequest(namespace="apart", memory=new)
        await suite.clients.memory.CreateMemory(request)
    count = len(asked(suite))
    await space.run()
    assert [len(questions(prompt)) for prompt in asked(suite)[count:]] == [1, 1]


async def test_a_model_that_fails_lets_wait_and_says_so(suite: ChatSuite) -> None:
    space = RefiningSpace(suite.clients, "fails")
    suite.server.chat.answer(REFINE, weighing(0.9))
    memory_id = await space.observe(FERRY)
    suite.server.chat.fail(REFINE, status(500), status(500))
    run = await space.run()
    assert (run.state, run.reason) == (sleep_pb2.RUN_STATE_FAILED, "MODEL_UNAVAILABLE")
    listed = await suite.clients.admin.ListRuns(
        admin_service_pb2.ListRunsRequest(namespace="fails")
    )
    assert [one.reason for one in listed.runs] == ["MODEL_UNAVAILABLE"]
    assert dict((await space.run()).counts) == {"weighed": 1}
    assert math.isclose((await space.read([memory_id]))[0].importance, 0.9)


async def test_a_run_asks_about_so_many_and_the_next_goes_on(suite: ChatSuite) -> None:
    space = RefiningSpace(suite.clients, "bounded")
    suite.server.chat.answer(REFINE, weighing(0.9))
    for number in range(6):
        await space.observe(f"{FERRY} Take coat {number}.")
    assert dict((await space.run()).counts) == {"weighed": 4}
    assert dict((await space.run()).counts) == {"weighed": 2}


async def test_a_spent_budget_lets_wait(tmp_path: Path) -> None:
    settings = {**SETTINGS, "ANAMNESIS_BUDGETS__MODEL_CALLS_PER_HOUR_MAX": "1"}
    async with openai_server() as server, chat_suite(server, tmp_path / "d", settings) as suite:
        server.chat.answer(REFINE, weighing(0.9))
        space = RefiningSpace(suite.clients, "spent")
        first = await space.observe(FERRY, "ada")
        second = await space.observe(BEES, "bo")
        run = await space.run()
        assert (run.reason, dict(run.counts)) == ("MODEL_BUDGET_EXHAUSTED", {"weighed": 1})
        one, other = await space.read([first, second])
        assert (one.importance, other.provenance.HasField("refinement")) == (0.9, False)
        assert (await space.run()).reason == "MODEL_BUDGET_EXHAUSTED"
        assert len(asked(suite)) == 1


async def test_a_memory_that_changes_meanwhile_and_a_lost_claim_are_left(suite: ChatSuite) -> None:
    space = RefiningSpace(suite.clients, "meanwhile")
    ids = [await space.observe(text) for text in (FERRY, BEES)]
    begin = admin_service_pb2.StartRunRequest(
        namespace="meanwhile", phase=sleep_pb2.SLEEP_PHASE_REFINE, holder="test"
    )
    run = await suite.clients.admin.StartRun(begin)
    page = await suite.clients.memory.ListUnrefined(pb.ListUnrefinedRequest(namespace="meanwhile"))
    assert [one.memory_id for one in page.memories] == ids
    await space.set_importance(ids[0], 0.5)
    said = [
        pb.NewRefinement(memory_id=one.memory_id, etag=one.etag, importance=0.9)
        for one in page.memories
    ]
    write = pb.RecordRefinementsRequest(
        namespace="meanwhile", lease=run.lease, model="small", refinements=said
    )
    done = await suite.clients.memory.RecordRefinements(write)
    assert (done.weighed, done.changed) == (1, 1)
    assert [one.importance for one in await space.read(ids)] == [0.5, 0.9]
    write.lease.token += 1
    with pytest.raises(grpc.aio.AioRpcError) as lost:
        await suite.clients.memory.RecordRefinements(write)
    assert lost.value.code() == grpc.StatusCode.ABORTED
