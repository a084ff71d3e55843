"""`anamnesis sleep`, against a scripted server."""

import json
import time

from anamnesis.cluster.v1.cluster_service_pb2 import (
    ConsolidateResponse,
    CrystallizeReadyResponse,
    RefineMemoriesResponse,
)
from anamnesis.ingestion.v1.ingestion_service_pb2 import RunPipelineRequest, RunPipelineResponse
from anamnesis.memory.v1.admin_service_pb2 import (
    ListRunsRequest,
    ListRunsResponse,
    RunSleepCycleRequest,
    RunSleepCycleResponse,
    WorkProgress,
)
from anamnesis.memory.v1.ledger_service_pb2 import ListWorkResponse
from anamnesis.memory.v1.sleep_pb2 import (
    RUN_STATE_DONE,
    RUN_STATE_FAILED,
    RUN_STATE_HELD_ELSEWHERE,
    SLEEP_PHASE_CRYSTALLISE,
    SLEEP_PHASE_FORGET,
    SLEEP_PHASE_MERGE,
    SLEEP_PHASE_REFINE,
    SLEEP_PHASE_REINFORCE,
    SLEEP_PHASE_TIER,
    Run,
    SleepPhase,
)
from anamnesis.memory.v1.work_pb2 import WORK_KIND_COMPRESS, WORK_KIND_EXTRACT, WorkItem
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run as RunCommand


def _run(
    phase: SleepPhase.ValueType, state: int = RUN_STATE_DONE, reason: str = "", **counts: int
) -> Run:
    began, ended = at("2026-03-02T09:00:00"), at("2026-03-02T09:00:02")
    made = Run(phase=phase, counts=counts, reason=reason, start_time=began, end_time=ended)
    made.state = state  # type: ignore[assignment]
    return made


def _script(script: Script, *runs: Run) -> None:
    now_s = int(time.time())
    due, early = WorkItem(session_id="due"), WorkItem(session_id="early")
    due.due_time.FromSeconds(now_s - 60)
    early.due_time.FromSeconds(now_s + 3600)
    script.answer("ListWork", ListWorkResponse(items=[due, early]))
    script.answer("RunPipeline", RunPipelineResponse(session_id="due", facts=2))
    progress = RunSleepCycleResponse(progress=WorkProgress(stage="tier", done=1, total=2))
    merged = ConsolidateResponse(run=_run(SLEEP_PHASE_MERGE, merged=3))
    script.answer("Consolidate", ConsolidateResponse(), merged)
    made = CrystallizeReadyResponse(run=_run(SLEEP_PHASE_CRYSTALLISE, proposed=1))
    script.answer("CrystallizeReady", CrystallizeReadyResponse(), made)
    refined = RefineMemoriesResponse(run=_run(SLEEP_PHASE_REFINE, weighed=2))
    script.answer("RefineMemories", RefineMemoriesResponse(), refined)
    script.answer("RunSleepCycle", progress, *(RunSleepCycleResponse(run=run) for run in runs))


def test_all_phases_run_in_their_order(run: RunCommand, script: Script) -> None:
    _script(script, _run(SLEEP_PHASE_TIER, hot=10, archived=1234))
    answer = run("-n", "team", "sleep")
    assert answer.exit_code == 0, answer.output
    rows = [line.split()[0] for line in answer.stdout.splitlines()[3:] if line.strip()]
    own = ["reinforce", "tier", "forget", "retain", "share"]
    assert rows == ["compress", "extract", "merge", "crystallise", "refine", *own]
    assert "3 merged" in answer.stdout
    assert "1,234 archived, 10 hot" in answer.stdout
    compress, extract = script.asked(RunPipelineRequest)
    assert (compress.session_id, [*compress.stages]) == ("due", [WORK_KIND_COMPRESS])
    assert (extract.session_id, [*extract.stages]) == ("", [WORK_KIND_EXTRACT])
    asked = [phase for request in script.asked(RunSleepCycleRequest) for phase in request.phases]
    others = (0, SLEEP_PHASE_MERGE, SLEEP_PHASE_CRYSTALLISE, SLEEP_PHASE_REFINE)
    assert asked == [value for value in SleepPhase.values() if value not in others]


def test_one_phase_as_json(run: RunCommand, script: Script) -> None:
    _script(script, _run(SLEEP_PHASE_FORGET, removed=3, protected=4))
    answer = run("sleep", "--phase", "forget", "--json")
    assert answer.exit_code == 0, answer.output
    (line,) = map(json.loads, answer.stdout.splitlines())
    assert (line["phase"], line["state"]) == ("forget", "done")
    assert line["counts"] == {"removed": 3, "protected": 4}


def test_what_is_held_elsewhere_is_no_failure(run: RunCommand, script: Script) -> None:
    _script(script, _run(SLEEP_PHASE_REINFORCE, RUN_STATE_HELD_ELSEWHERE))
    answer = run("sleep", "--phase", "reinforce")
    assert answer.exit_code == 0
    assert "held elsewhere" in answer.stdout


def test_a_phase_that_failed_is_told_and_fails(run: RunCommand, script: Script) -> None:
    _script(script, _run(SLEEP_PHASE_TIER, RUN_STATE_FAILED, "STORE_UNAVAILABLE"))
    answer = run("sleep", "--phase", "tier")
    assert answer.exit_code == 1
    assert "STORE_UNAVAILABLE" in answer.stdout


def test_phases_of_another_server_are_passed_over(run: RunCommand, script: Script) -> None:
    script.answer("ListWork", ListWorkResponse())
    script.answer("RunSleepCycle", RunSleepCycleResponse(run=_run(SLEEP_PHASE_TIER)))
    answer = run("sleep")
    assert answer.exit_code == 0, answer.output
    assert answer.stdout.count("not here") == 4


def test_runs_are_listed(run: RunCommand, script: Script) -> None:
    both = [_run(SLEEP_PHASE_TIER, hot=7), _run(SLEEP_PHASE_FORGET, archived=5)]
    script.answer("ListRuns", ListRunsResponse(runs=both))
    answer = run("-n", "team", "sleep", "--runs")
    assert answer.exit_code == 0, answer.output
    assert "2026-03-02 09:00 UTC" in answer.stdout
    assert "7 hot" in answer.stdout
    only = json.loads(run("sleep", "--runs", "--phase", "forget", "--json").stdout)
    assert [one["counts"] for one in only["runs"]] == [{"archived": "5"}]
    assert script.asked(ListRunsRequest)[0].namespace == "team"
    assert script.asked(RunSleepCycleRequest) == []
