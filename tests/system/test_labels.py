"""A chat model names topics, behind the path that assigns: taken, refused, lost, made anew."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from click.testing import CliRunner

from anamnesis.cluster.v1 import cluster_pb2
from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis.memory.v1 import admin_service_pb2, sleep_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memories_pb
from anamnesis_cli.main import anamnesis
from tests.support.chat_suite import ChatSuite, chat_suite
from tests.support.openai_server import openai_server, status
from tests.support.skill_answers import WRITE, written
from tests.support.skill_lessons import ADA, TOPIC, learn

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
LABEL, WORDED = "label_topic", "Alembic migrations"


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def suite(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ChatSuite]:
    """A suite whose model is scripted, and makes no skills."""
    directory = tmp_path_factory.mktemp("labels")
    patient = {"ANAMNESIS_MODELS__CHAT_TIMEOUT_S": "20"}
    async with openai_server() as server, chat_suite(server, directory, patient) as running:
        server.chat.answer(WRITE, {**written(), "declined": True, "failures": []})
        yield running


async def cluster(suite: ChatSuite, space: str) -> cluster_pb2.Cluster:
    request = pb.GetClusterRequest(namespace=space, cluster_id=TOPIC, caller=ADA)
    return (await suite.clients.cluster.GetCluster(request)).cluster


async def sleep(suite: ChatSuite, space: str) -> sleep_pb2.Run:
    """The end of a cycle in which topics are named."""
    request = pb.CrystallizeReadyRequest(namespace=space)
    return [one async for one in suite.clients.cluster.CrystallizeReady(request)][-1].run


def asked(suite: ChatSuite) -> int:
    """How often the model was asked for a label."""
    return sum(LABEL in str(request.json) for request in suite.server.requests)


async def test_a_label_is_taken_told_and_asked_for_once(suite: ChatSuite) -> None:
    space = "taken"
    suite.server.chat.answer(LABEL, {"label": WORDED})
    before = asked(suite)
    await learn(suite.clients, space)
    assert (await cluster(suite, space)).label_model == ""
    runs = await asyncio.gather(sleep(suite, space), sleep(suite, space))
    assert sum(run.counts["labelled"] for run in runs) == 1, runs
    assert max(run.model_tokens for run in runs) > 0
    found = await cluster(suite, space)
    assert (found.label, found.label_model) == (WORDED, "openai:small")
    assert not (await sleep(suite, space)).counts["labelled"]
    await learn(suite.clients, space, 5, 8)
    await sleep(suite, space)
    assert asked(suite) == before + 1
    usage = await suite.clients.admin.GetUsage(admin_service_pb2.GetUsageRequest(namespace=space))
    assert "label" in str(usage)
    target = ("--server", suite.process.address, "-n", space, "--user", "ada")

    async def printed(*words: str) -> str:
        told = await asyncio.to_thread(CliRunner().invoke, anamnesis, [*target, "clusters", *words])
        return told.output

    shown = await printed("show", TOPIC)
    assert WORDED in shown
    assert "worded by openai:small" in shown
    assert "1 of 1 topics are named by openai:small" in await printed("list")


@pytest.mark.parametrize(
    ("space", "label"),
    [("made-up", "Kubernetes rollout"), ("long", "alembic " * 9), ("empty", " ")],
)
async def test_a_label_that_lessons_do_not_say_leaves_the_terms(
    suite: ChatSuite, space: str, label: str
) -> None:
    suite.server.chat.answer(LABEL, {"label": label})
    before = asked(suite)
    await learn(suite.clients, space)
    assert (await sleep(suite, space)).counts["label_refused"] == 1
    found = await cluster(suite, space)
    assert "alembic" in found.label
    assert found.label.strip() != label.strip()
    assert found.label_model == ""
    assert not (await sleep(suite, space)).counts["label_refused"]
    assert asked(suite) == before + 1


async def test_a_model_that_fails_is_asked_again_by_the_next_cycle(suite: ChatSuite) -> None:
    space = "down"
    suite.server.chat.answer(LABEL, {"label": WORDED})
    suite.server.chat.fail(LABEL, *[status(500)] * 2)
    await learn(suite.clients, space)
    run = await sleep(suite, space)
    assert (run.state, run.counts["label_failed"]) == (sleep_pb2.RUN_STATE_DONE, 1)
    assert (await cluster(suite, space)).label_model == ""
    assert (await sleep(suite, space)).counts["labelled"] == 1
    assert (await cluster(suite, space)).label == WORDED


async def test_a_label_goes_with_a_member_and_is_asked_for_anew(suite: ChatSuite) -> None:
    space = "erased"
    suite.server.chat.answer(LABEL, deque([{"label": WORDED}, {"label": "Alembic merge"}]))
    ids = await learn(suite.clients, space)
    await sleep(suite, space)
    assert (await cluster(suite, space)).label == WORDED
    gone = memories_pb.DeleteMemoryRequest(namespace=space, memory_id=ids[1], caller=ADA)
    await suite.clients.memory.DeleteMemory(gone)
    found = await cluster(suite, space)
    assert found.label != WORDED
    assert found.label_model == ""
    # only the one that is gone spoke of merging
    assert (await sleep(suite, space)).counts["label_refused"] == 1
    assert "merge" not in (await cluster(suite, space)).label
