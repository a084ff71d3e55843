"""A cluster's lessons become a skill: written, checked, proven, recorded, reviewed, exchanged."""

from collections import deque
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
import pytest_asyncio
from click.testing import CliRunner

from anamnesis.cluster.v1 import cluster_pb2, projection_service_pb2
from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis.memory.v1 import admin_service_pb2, memory_pb2, sleep_pb2, topic_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memories_pb
from anamnesis_cli.main import anamnesis
from tests.support.chat_suite import ChatSuite, chat_suite
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.openai_chat_script import Given
from tests.support.openai_server import openai_server, status
from tests.support.processes import start
from tests.support.skill_answers import CHECK, GROUNDED, JUDGE, STEPS, WRITE, verdicts, written
from tests.support.skill_lessons import ADA, TOPIC, learn

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def suite(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ChatSuite]:
    """A suite whose model is scripted."""
    directory = tmp_path_factory.mktemp("skills")
    async with openai_server() as server, chat_suite(server, directory) as running:
        yield running


async def make(clients: Clients, space: str, **more: bool) -> pb.CrystallizeClusterResponse:
    request = pb.CrystallizeClusterRequest(namespace=space, cluster_id=TOPIC, caller=ADA, **more)
    return await clients.cluster.CrystallizeCluster(request)


async def outcomes(clients: Clients, space: str) -> list[str]:
    request = pb.ListCrystallizationsRequest(namespace=space, cluster_id=TOPIC, caller=ADA)
    page = await clients.cluster.ListCrystallizations(request)
    names = topic_pb2.CrystallizationOutcome.Name
    return [names(one.outcome).split("OUTCOME_")[1] for one in reversed(page.crystallizations)]


async def skills(clients: Clients, space: str) -> list[memory_pb2.Memory]:
    request = projection_service_pb2.ListSkillsRequest(namespace=space, caller=ADA)
    return list((await clients.projections.ListSkills(request)).skills)


async def state(clients: Clients, space: str) -> str:
    request = pb.ListClustersRequest(namespace=space, caller=ADA)
    (found,) = (
        one
        for one in (await clients.cluster.ListClusters(request)).clusters
        if one.cluster_id == TOPIC
    )
    return cluster_pb2.ClusterState.Name(found.state).removeprefix("CLUSTER_STATE_")


@pytest.mark.parametrize(
    ("name", "answers", "outcome", "kept"),
    [
        ("accepted", (written(*STEPS), GROUNDED), "PROPOSED", 1),
        (
            "declined",
            (
                {**written(), "declined": True, "reason": "no", "failures": []},
                GROUNDED,
            ),
            "DECLINED",
            0,
        ),
        ("thin", (written(*STEPS[:1], failures=1), GROUNDED), "TOO_THIN", 0),
        (
            "hallucinated",
            (written(*STEPS), verdicts(*["grounded"] * 4, *["hallucinated"] * 3)),
            "UNGROUNDED",
            0,
        ),
        (
            "contradicted",
            (written(*STEPS), verdicts(*["grounded"] * 6, "contradicted")),
            "UNGROUNDED",
            0,
        ),
        (
            "commands-of-nowhere",
            (written("Run `rm -rf /var/lib`.", "Wait 90 s.", *STEPS), GROUNDED),
            "UNGROUNDED",
            0,
        ),
    ],
)
async def test_what_the_model_writes_is_kept_only_if_the_lessons_bear_it_out(
    suite: ChatSuite, name: str, answers: tuple[Given, Given], outcome: str, kept: int
) -> None:
    suite.server.chat.answer(WRITE, answers[0])
    suite.server.chat.answer(CHECK, answers[1])
    await learn(suite.clients, name)
    answer = await make(suite.clients, name)
    assert await outcomes(suite.clients, name) == [outcome]
    assert len(await skills(suite.clients, name)) == kept
    assert answer.crystallization.model_tokens > 0
    assert await state(suite.clients, name) == ("SKILLED" if kept else "GROWING")


async def test_a_run_of_sleep_makes_what_is_ready_once(suite: ChatSuite) -> None:
    clients, space = suite.clients, "asleep"
    suite.server.chat.answer(WRITE, written(*STEPS))
    suite.server.chat.answer(CHECK, GROUNDED)
    await learn(clients, space)
    request = pb.CrystallizeReadyRequest(namespace=space)
    told = [one async for one in clients.cluster.CrystallizeReady(request)]
    assert [one.cluster.cluster_id for one in told[:-1]] == [TOPIC]
    listing = pb.ListCrystallizationsRequest(namespace=space, cluster_id=TOPIC, caller=ADA)
    kept = (await clients.cluster.ListCrystallizations(listing)).crystallizations
    assert [told[0].cluster.crystallization] == list(kept)
    assert kept[0].skill_memory_id
    assert told[-1].run.state == sleep_pb2.RUN_STATE_DONE
    assert dict(told[-1].run.counts) == {"proposed": 1, "label_refused": 1}
    assert told[-1].run.model_tokens > 0
    again = [one async for one in clients.cluster.CrystallizeReady(request)]
    assert (len(again), dict(again[-1].run.counts)) == (1, {})
    assert await outcomes(clients, space) == ["PROPOSED"]
    listed = await clients.admin.ListRuns(admin_service_pb2.ListRunsRequest(namespace=space))
    phases = [one.phase for one in listed.runs]
    assert phases.count(sleep_pb2.SLEEP_PHASE_CRYSTALLISE) == 2


async def test_a_step_of_nowhere_is_left_out_of_what_is_kept(suite: ChatSuite) -> None:
    suite.server.chat.answer(WRITE, written(*STEPS, "Tell the customers by mail."))
    said = ["grounded"] * 3 + ["hallucinated"] + ["grounded"] * 6
    suite.server.chat.answer(CHECK, verdicts(*said))
    await learn(suite.clients, "one-too-many")
    answer = await make(suite.clients, "one-too-many")
    assert "customers" not in answer.skill.content
    assert "never drop the rows" in answer.skill.content
    assert answer.crystallization.grounded_share == pytest.approx(9 / 10)
    assert answer.skill.procedure.status == memory_pb2.PROCEDURE_STATUS_DRAFT


async def test_made_up_lines_to_avoid_titles_and_triggers_are_left_out(suite: ChatSuite) -> None:
    more = {
        "avoid": ["Never run it on a Friday.", "Do not `rm -rf migrations`."],
        "title": "Scaling Kubernetes",
        "trigger": "pods are evicted.",
    }
    suite.server.chat.answer(WRITE, written(*STEPS, *STEPS[:3], *STEPS[:3], *STEPS[:3]) | more)
    no = ["hallucinated"]
    suite.server.chat.answer(CHECK, verdicts(*["grounded"] * 16, *no, "grounded", *no, *no))
    await learn(suite.clients, "avoid")
    skill = (await make(suite.clients, "avoid")).skill
    assert skill.procedure.name == "migrations"
    for said in ("Friday", "rm -rf", "Kubernetes", "evicted", "## Avoid"):
        assert said not in skill.content
    assert "# migrations\n\nUse this when the work is about alembic" in skill.content


async def test_a_new_version_is_kept_only_if_it_is_better(suite: ChatSuite) -> None:
    clients, space = suite.clients, "again"
    suite.server.chat.answer(CHECK, GROUNDED)
    suite.server.chat.answer(WRITE, written(*STEPS[:2]))
    await learn(clients, space)
    first = (await make(clients, space)).skill
    with pytest.raises(grpc.aio.AioRpcError) as early:
        await make(clients, space)
    assert early.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    await learn(clients, space, 5, 8)
    assert await state(clients, space) == "READY_AGAIN"
    # as good as before; better, but not for what was held out; better in both
    await make(clients, space)
    suite.server.chat.answer(WRITE, written(*STEPS))
    suite.server.chat.answer(JUDGE, deque([{"better": "first"}, {"better": "second"}]))
    await make(clients, space, force=True)
    after = (await make(clients, space, force=True)).skill
    assert await outcomes(clients, space) == ["PROPOSED", "NOT_BETTER", "NOT_BETTER", "REVISED"]
    assert after.memory_id == first.memory_id
    request = memories_pb.GetMemoryRequest(
        namespace=space, memory_id=after.memory_id, caller=ADA, include_history=True
    )
    told = await clients.memory.GetMemory(request)
    assert STEPS[2] in told.memory.content
    assert STEPS[2] not in first.content
    assert first.content.strip() in str(told).encode().decode("unicode_escape")


async def test_a_model_that_fails_leaves_the_cluster_ready(suite: ChatSuite) -> None:
    suite.server.chat.fail(WRITE, *[status(500)] * 4)
    await learn(suite.clients, "down")
    answer = await make(suite.clients, "down")
    assert answer.crystallization.outcome == topic_pb2.CRYSTALLIZATION_OUTCOME_FAILED
    assert "MODEL_UNAVAILABLE" in answer.crystallization.reason
    assert await state(suite.clients, "down") == "READY"
    suite.server.chat.fail(WRITE)


async def test_without_a_model_the_lessons_words_make_a_skill_that_a_person_reviews(
    tmp_path: Path,
) -> None:
    process = start(tmp_path / "data", "all", {"ANAMNESIS_MODELS__EMBEDDER": "static"})
    server = ("--server", process.address, "-n", "plain", "--user", "ada")

    def cli(*words: str) -> str:
        result = CliRunner().invoke(anamnesis, [*server, *words])
        assert result.exit_code == 0, result.output
        return result.output

    try:
        async with clients_of(everywhere(process.address)) as clients:
            await learn(clients, "plain")
        assert "proposed" in cli("skills", "make")
        text = cli("skills", "show", "alembic-upgrade")
        for said in ("`alembic merge heads`", "never drop the rows", "`make stop-workers`"):
            assert said in text
        folder = tmp_path / "agent"
        cli("skills", "export", str(folder))
        assert not folder.exists()
        assert "in use" in cli("skills", "publish", "alembic-upgrade", "--note", "as we do it")
        cli("skills", "export", str(folder))
        file = folder / "alembic-upgrade" / "SKILL.md"
        assert file.read_text().startswith("---\nname: alembic-upgrade\ndescription: ")
        taken = ("-n", "other", "skills", "import", str(file.parent))
        assert CliRunner().invoke(anamnesis, [*server, *taken]).exit_code == 0
        back = tmp_path / "back"
        out = CliRunner().invoke(anamnesis, [*server, "-n", "other", "skills", "export", str(back)])
        assert out.exit_code == 0, out.output
        assert (back / "alembic-upgrade" / "SKILL.md").read_text() == file.read_text()
        assert "rejected" in cli("skills", "reject", "alembic-upgrade")
        assert "alembic-upgrade" in cli("skills", "list", "--rejected")
    finally:
        assert process.stop() == 0
