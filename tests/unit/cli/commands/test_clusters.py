"""`anamnesis clusters` against a scripted server."""

import json

from anamnesis.cluster.v1.cluster_pb2 import (
    CLUSTER_STATE_GROWING,
    CLUSTER_STATE_READY,
    Cluster,
)
from anamnesis.cluster.v1.cluster_service_pb2 import (
    AssignMemoryRequest,
    AssignMemoryResponse,
    ClusteringProgress,
    ClusteringSummary,
    GetClusterResponse,
    ListClusterMemoriesResponse,
    ListClustersResponse,
    RunInitialClusteringResponse,
)
from anamnesis.memory.v1.event_pb2 import VISIBILITY_PRIVATE_TO_USER, VISIBILITY_SHARED
from anamnesis.memory.v1.memory_pb2 import Lesson, Memory
from anamnesis_libs.errors.not_found import ClusterNotFound
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

SHARED = Cluster(
    cluster_id="t-1",
    label="probe, pod",
    member_count=1200,
    visibility=VISIBILITY_SHARED,
    state=CLUSTER_STATE_READY,
    update_time=at("2026-11-26"),
)
MINE = Cluster(
    cluster_id="t-2",
    label="tax\x1b[2J",
    member_count=1,
    visibility=VISIBILITY_PRIVATE_TO_USER,
    user_id="ada",
    state=CLUSTER_STATE_GROWING,
    update_time=at("2026-11-26"),
)


def test_clusters_are_listed_with_who_sees_them(run: Run, script: Script) -> None:
    script.answer("ListClusters", ListClustersResponse(clusters=[SHARED, MINE]))
    shown = run("clusters", "list").stdout
    rows = [line.split() for line in shown.splitlines()]
    assert [
        "probe,",
        "pod",
        "1,200",
        "ready",
        "all",
        "2026-11-26",
        "00:00",
        "UTC",
        "t-1",
    ] in rows
    assert "\x1b[2J" not in shown
    assert any("ada" in row and "t-2" in row for row in rows)


def test_a_cluster_is_shown_with_its_lessons(run: Run, script: Script) -> None:
    lesson = Memory(memory_id="m-1", content="long", lesson=Lesson(title="Probes and databases"))
    script.answer("GetCluster", GetClusterResponse(cluster=SHARED))
    script.answer("ListClusterMemories", ListClusterMemoriesResponse(memories=[lesson]))
    shown = run("clusters", "show", "t-1").stdout
    assert "probe, pod" in shown
    assert "lessons: 1,200" in shown
    assert "Probes and databases" in shown
    script.answer("GetCluster", ClusterNotFound("t-9"))
    failed = run("clusters", "show", "t-9")
    assert "anamnesis clusters list" in failed.stderr


def test_a_lesson_is_moved_to_one_place(run: Run, script: Script) -> None:
    for _ in range(3):
        script.answer("AssignMemory", AssignMemoryResponse(cluster=SHARED, left_cluster_id="t-2"))
    assert "t-1" in run("clusters", "assign", "m", "--to", "t-1").stdout
    run("clusters", "assign", "m", "--new")
    assert "it left t-2" in run("clusters", "assign", "m", "--nearest").stderr
    asked = script.asked(AssignMemoryRequest)
    assert [one.WhichOneof("place") for one in asked] == ["cluster_id", "new_cluster", "nearest"]
    for wrong in ((), ("--new", "--nearest")):
        assert "exactly one" in run("clusters", "assign", "m", *wrong).stderr


def test_lessons_are_grouped_anew(run: Run, script: Script) -> None:
    steps = [
        RunInitialClusteringResponse(progress=ClusteringProgress(stage="read", total=9)),
        RunInitialClusteringResponse(
            summary=ClusteringSummary(lessons=8, clusters_before=6, clusters=3, moved=4, waiting=1)
        ),
    ]
    for _ in range(2):
        script.answer("RunInitialClustering", *steps)
    done = run("clusters", "run")
    assert ["8", "4", "6", "3"] in [line.split() for line in done.stdout.splitlines()]
    assert "1 lessons wait" in done.stderr
    assert json.loads(run("clusters", "run", "--json").stdout)["moved"] == "4"
