"""`anamnesis stats` against a scripted server."""

import json

from anamnesis.ingestion.v1.ingestion_service_pb2 import GetPipelineStatusResponse, StageStatus
from anamnesis.memory.v1.admin_service_pb2 import (
    GetNamespaceResponse,
    GetStatsRequest,
    GetStatsResponse,
    GetUsageResponse,
    HourUsage,
    ListNamespacesRequest,
    ListNamespacesResponse,
    Usage,
)
from anamnesis.memory.v1.ledger_service_pb2 import GetTrajectoryStatsResponse
from anamnesis.memory.v1.namespace_pb2 import Namespace, NamespaceStats
from anamnesis.memory.v1.policy_pb2 import FORGETTING_POLICY_ADAPTIVE
from anamnesis.memory.v1.segment_pb2 import TaskTypeStats
from anamnesis.memory.v1.work_pb2 import WORK_KIND_EXTRACT
from anamnesis_libs import errors
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run


def _script_one(script: Script) -> None:
    namespace = Namespace(namespace="team-a", revision="r-9", embedding_model="m", incarnation="i")
    namespace.policy.forgetting = FORGETTING_POLICY_ADAPTIVE
    counts = NamespaceStats(
        memories=1234,
        sessions=4,
        memories_by_kind={"episodic": 1200, "learning": 34},
        memories_by_status={"active": 1230, "archived": 4},
        memories_by_tier={"hot": 123, "warm": 500, "cold": 611},
    )
    script.answer("GetNamespace", GetNamespaceResponse(namespace=namespace))
    script.answer("GetStats", GetStatsResponse(stats=counts))


def _script_learning(script: Script) -> None:
    extract = StageStatus(stage=WORK_KIND_EXTRACT, pending=2, running=1, done=1200, dead=3)
    script.answer("GetPipelineStatus", GetPipelineStatusResponse(stages=[extract]))
    coding = TaskTypeStats(
        task_type="coding",
        segments=40,
        mean_score=0.756,
        eligible_for_lessons=30,
        eligible_for_sft=12,
    )
    script.answer("GetTrajectoryStats", GetTrajectoryStatsResponse(task_types=[coding]))
    used = Usage(purpose="extract", calls=3, input_tokens=4000, output_tokens=500)
    hours = [HourUsage(usages=[used]), HourUsage(usages=[used])]
    usage = GetUsageResponse(hours=hours, calls_left=1994, tokens_left=1_991_000)
    script.answer("GetUsage", usage)


def _script_list(script: Script) -> None:
    a, b = (Namespace(namespace=name, create_time=at("2026-03-02T09:15:00")) for name in "ab")
    first = ListNamespacesResponse(namespaces=[a], next_page_token="t-2")
    script.answer("ListNamespaces", first, ListNamespacesResponse(namespaces=[b]))


def test_counts_what_a_namespace_holds(run: Run, script: Script) -> None:
    _script_one(script)
    answer = run("stats", "-n", "team-a")
    rows = [" ".join(line.split()) for line in answer.stdout.splitlines()]
    assert "namespace team-a" in rows
    assert "memories 1,234" in rows
    assert "by kind 1,200 episodic, 34 learning" in rows
    assert "by status 1,230 active, 4 archived" in rows
    assert "by tier 611 cold, 123 hot, 500 warm" in rows
    assert "forgetting adaptive" in rows
    assert script.asked(GetStatsRequest)[0].namespace == "team-a"


def test_tells_how_far_learning_is_and_what_it_cost(run: Run, script: Script) -> None:
    _script_one(script)
    _script_learning(script)
    answer = run("stats", "-n", "team-a")
    rows = [" ".join(line.split()) for line in answer.stdout.splitlines()]
    assert "extract 2 1 1,200 0 3" in rows
    assert "coding 40 0.76 30 12" in rows
    assert "extract 6 8,000 1,000" in rows
    assert "anamnesis failures" in answer.stderr
    assert "left this hour: 1,994 calls, 1,991,000 tokens" in answer.stderr


def test_json_of_learning(run: Run, script: Script) -> None:
    _script_one(script)
    _script_learning(script)
    document = json.loads(run("stats", "-n", "team-a", "--json").stdout)
    assert document["pipeline"]["stages"][0]["dead"] == "3"
    assert document["trajectories"]["task_types"][0]["segments"] == "40"
    assert document["usage"]["calls_left"] == "1994"


def test_a_service_that_fails_is_not_passed_over(run: Run, script: Script) -> None:
    _script_one(script)
    script.answer("GetUsage", errors.StoreUnavailable("the disk is full"))
    answer = run("stats", "-n", "team-a")
    assert answer.exit_code == 1
    assert "the disk is full" in answer.stderr


def test_json_of_one_namespace(run: Run, script: Script) -> None:
    _script_one(script)
    document = json.loads(run("stats", "-n", "team-a", "--json").stdout)
    assert document["namespace"]["revision"] == "r-9"
    assert document["stats"]["memories"] == "1234"


def test_lists_all_namespaces_when_none_is_named(run: Run, script: Script) -> None:
    _script_list(script)
    answer = run("stats")
    rows = [line.split() for line in answer.stdout.splitlines() if line.strip()]
    assert rows[-2:] == [["a", "2026-03-02", "09:15", "UTC"], ["b", "2026-03-02", "09:15", "UTC"]]
    assert [asked.page_token for asked in script.asked(ListNamespacesRequest)] == ["", "t-2"]


def test_json_of_the_list(run: Run, script: Script) -> None:
    _script_list(script)
    document = json.loads(run("--json", "stats").stdout)
    assert [each["namespace"] for each in document["namespaces"]] == ["a", "b"]


def test_says_how_to_make_the_first_namespace(run: Run, script: Script) -> None:
    script.answer("ListNamespaces", ListNamespacesResponse())
    assert "anamnesis ingest PATH" in run("stats").stderr
