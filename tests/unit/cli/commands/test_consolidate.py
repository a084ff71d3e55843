"""`anamnesis consolidate`, against a scripted server."""

import json

from anamnesis.cluster.v1.cluster_service_pb2 import (
    ConsolidateRequest,
    ConsolidateResponse,
    ConsolidationDecision,
)
from anamnesis.memory.v1 import duplicate_pb2
from anamnesis.memory.v1.sleep_pb2 import (
    RUN_STATE_DONE,
    RUN_STATE_FAILED,
    RUN_STATE_HELD_ELSEWHERE,
    Run,
    RunState,
)
from tests.support.scripted_suite import Script
from tests.unit.cli.conftest import Run as RunCommand

MERGED = ConsolidationDecision(
    known_id="m-1",
    known_content="Keep the cache\nwarm.",
    other_content="Warm the cache before the deploy.",
    content="Keep the cache warm, and warm it before the deploy.",
    outcome=duplicate_pb2.DUPLICATE_OUTCOME_MERGED,
    similarity=0.69,
)
WAITS = ConsolidationDecision(
    known_id="m-2",
    known_content="Retry on 503.",
    other_content="Retry on 504.",
    outcome=duplicate_pb2.DUPLICATE_OUTCOME_WAITING,
    reason="they differ: number 503 / 504",
)


def _script(script: Script, state: RunState.ValueType, reason: str = "") -> None:
    run = Run(state=state, reason=reason, counts={"merged": 1, "waiting": 1})
    decisions = [ConsolidateResponse(decision=one) for one in (MERGED, WAITS)]
    script.answer("Consolidate", *decisions, ConsolidateResponse(run=run))


def test_each_decision_is_told_in_plain_words(run: RunCommand, script: Script) -> None:
    _script(script, RUN_STATE_DONE)
    answer = run("-n", "team", "consolidate", "--dry-run", "--merges-max", "7")
    assert answer.exit_code == 0, answer.output
    told = [line.split() for line in answer.stdout.splitlines()]
    assert told[0] == ["one", "(0.69)", "m-1"]
    assert "Keep the cache warm." in answer.stdout
    assert "text for both Keep the cache warm, and warm it before the deploy." in answer.stdout
    assert "why           they differ: number 503 / 504" in answer.stdout
    assert "would have come to: 1 merged, 1 waiting" in answer.stderr
    asked = ConsolidateRequest(namespace="team", dry_run=True, merges_max=7)
    assert script.asked(ConsolidateRequest) == [asked]


def test_as_json_it_is_one_line_each(run: RunCommand, script: Script) -> None:
    _script(script, RUN_STATE_DONE)
    lines = [json.loads(one) for one in run("consolidate", "--json").stdout.splitlines()]
    assert [one.get("known_id") for one in lines] == ["m-1", "m-2", None]
    assert lines[-1]["counts"] == {"merged": "1", "waiting": "1"}


def test_what_failed_fails_and_what_is_held_elsewhere_does_not(
    run: RunCommand, script: Script
) -> None:
    _script(script, RUN_STATE_FAILED, "STORE_UNAVAILABLE")
    assert run("consolidate").exit_code == 1
    _script(script, RUN_STATE_HELD_ELSEWHERE)
    answer = run("consolidate")
    assert answer.exit_code == 0
    assert "somebody else is at it" in answer.stderr
