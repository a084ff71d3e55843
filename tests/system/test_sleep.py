"""Sleep over the whole suite, its clock set: what time does to what was said and learned."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from google.protobuf.field_mask_pb2 import FieldMask
from grpc import StatusCode, aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import memory_service_pb2 as memory
from anamnesis.memory.v1.admin_service_pb2 import ListRunsRequest, RunSleepCycleRequest
from anamnesis.memory.v1.memory_pb2 import (
    MEMORY_KIND_EPISODIC,
    MEMORY_KIND_LEARNING,
    MEMORY_KIND_SEMANTIC,
    MEMORY_STATUS_ACTIVE,
    MEMORY_STATUS_ARCHIVED,
    Memory,
)
from anamnesis.memory.v1.sleep_pb2 import (
    RUN_STATE_DONE,
    SLEEP_PHASE_FORGET,
    SLEEP_PHASE_TIER,
)
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis_cli.main import anamnesis
from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from tests.support.timed_suite import TimedSuite, timed_suite

TALK = (
    "user: My name is Nadia and I live in Ghent.",
    "assistant: Nice to meet you.",
    "user: The tests fail, please fix them.",
    'call: bash {"command":"pytest"}',
    "tool: ModuleNotFoundError: No module named 'httpx'\nexit code 1",
    'call: bash {"command":"pip install httpx"}',
    "tool: Successfully installed httpx",
    'call: bash {"command":"pytest"}',
    "tool: 12 passed in 0.3s",
    "assistant: The tests pass now: httpx was missing and I installed it.",
    "user: Great, thanks!",
)
LEDGER_DAYS = 14
MONTH_DAYS = 30


@pytest.fixture
async def suite(tmp_path: Path) -> AsyncIterator[TimedSuite]:
    """A suite that has heard and learned from one conversation, two days ago."""
    async with timed_suite(tmp_path / "data") as running:
        await running.space.tell("s-1", *TALK)
        await running.space.run()
        await running.compress()
        yield running


def of_kind(memories: dict[str, Memory], kind: int) -> dict[str, Memory]:
    """Those of a kind."""
    return {name: one for name, one in memories.items() if one.kind == kind}


ADA = Caller(user_id="Ada", agent_id="helper")


async def change(suite: TimedSuite, memory_id: str, changed: memory.MemoryChange) -> None:
    """Change a memory in one field."""
    ((field, _),) = changed.ListFields()
    await suite.clients.memory.UpdateMemory(
        memory.UpdateMemoryRequest(
            namespace=suite.space.name,
            memory_id=memory_id,
            caller=ADA,
            change=changed,
            update_mask=FieldMask(paths=[field.name]),
        )
    )


async def searched(suite: TimedSuite, query: str) -> set[str]:
    """The ids of what a search finds."""
    request = SearchRequest(namespace=suite.space.name, query=query, limit=50)
    request.caller.user_id, request.caller.agent_id = "Ada", "helper"
    return {one.memory.memory_id for one in (await suite.clients.retrieval.Search(request)).results}


async def test_keep_keeps_what_was_said(suite: TimedSuite) -> None:
    before = of_kind(await suite.everything(), MEMORY_KIND_EPISODIC)
    assert before
    for _ in range(3):
        suite.clock.move(days=400)
        assert {run.state for run in await suite.sleep()} == {RUN_STATE_DONE}
    after = of_kind(await suite.everything(), MEMORY_KIND_EPISODIC)
    assert {name: one.content for name, one in after.items()} == {
        name: one.content for name, one in before.items()
    }
    assert {one.status for one in after.values()} == {MEMORY_STATUS_ACTIVE}
    found = await searched(suite, "Nadia lives in Ghent")
    assert any("Ghent" in before[name].content for name in found & before.keys())


async def test_adaptive_forgets_and_does_not_learn_it_again(suite: TimedSuite) -> None:
    await suite.decide(Forgetting.ADAPTIVE)
    before = await suite.everything()
    drawers = of_kind(before, MEMORY_KIND_EPISODIC)
    lessons = of_kind(before, MEMORY_KIND_LEARNING)
    holding = of_kind(before, MEMORY_KIND_SEMANTIC)
    assert lessons
    assert holding
    pinned = next(name for name, one in drawers.items() if "Great" in one.content)
    await change(suite, pinned, memory.MemoryChange(pinned=True))

    suite.clock.move(days=LEDGER_DAYS - 1)
    await suite.sleep(SLEEP_PHASE_FORGET)
    young = of_kind(await suite.everything(), MEMORY_KIND_EPISODIC)
    assert {one.status for one in young.values()} == {MEMORY_STATUS_ACTIVE}

    suite.clock.move(days=1)
    await suite.sleep()
    archived = await suite.everything()
    statuses = {name: one.status for name, one in archived.items()}
    fading = (drawers.keys() | lessons.keys()) - {pinned}
    assert {statuses[name] for name in fading} == {MEMORY_STATUS_ARCHIVED}
    kept = {pinned, *holding}
    assert {statuses[name] for name in kept} == {MEMORY_STATUS_ACTIVE}
    assert not await searched(suite, "httpx was missing") & fading

    suite.clock.move(days=MONTH_DAYS)
    await suite.sleep()
    left = await suite.everything()
    assert not fading & left.keys()
    assert kept <= left.keys()
    with pytest.raises(aio.AioRpcError) as refused:
        await suite.clients.memory.GetMemory(
            memory.GetMemoryRequest(namespace=suite.space.name, memory_id=next(iter(lessons)))
        )
    assert refused.value.code() is StatusCode.NOT_FOUND

    again = await suite.space.tell("s-1", *TALK)
    assert (again.appended, again.replaced) == (0, 0)
    await suite.space.tell("s-2", *TALK)
    await suite.space.run()
    told = of_kind(await suite.everything(), MEMORY_KIND_LEARNING)
    assert not {one.content for one in told.values()} & {one.content for one in lessons.values()}


async def test_what_is_used_is_not_forgotten(suite: TimedSuite) -> None:
    await suite.decide(Forgetting.ADAPTIVE)
    lesson = next(iter(of_kind(await suite.everything(), MEMORY_KIND_LEARNING)))
    counting = next(loop for loop in suite.module.loops if loop.name == "memory.adoption")
    read = memory.GetMemoryRequest(namespace=suite.space.name, memory_id=lesson)
    read.caller.user_id, read.caller.agent_id = "Ada", "helper"
    for _ in range(6):
        suite.clock.move(days=6)
        await suite.clients.memory.GetMemory(read)
        await counting.step()
        await suite.sleep()
    used = (await suite.everything())[lesson]
    assert used.status == MEMORY_STATUS_ACTIVE
    assert used.hit_count == 12


async def test_what_is_wanted_back_comes_back_and_stays(suite: TimedSuite) -> None:
    await suite.decide(Forgetting.ADAPTIVE)
    lesson = next(iter(of_kind(await suite.everything(), MEMORY_KIND_LEARNING)))
    suite.clock.move(days=20)
    await suite.sleep(SLEEP_PHASE_FORGET)
    assert (await suite.everything())[lesson].status == MEMORY_STATUS_ARCHIVED
    await change(suite, lesson, memory.MemoryChange(status=MEMORY_STATUS_ACTIVE))
    suite.clock.move(days=1)
    await suite.sleep()
    assert (await suite.everything())[lesson].status == MEMORY_STATUS_ACTIVE


async def test_a_cycle_whose_caller_leaves_goes_on_with_the_next(suite: TimedSuite) -> None:
    request = RunSleepCycleRequest(namespace=suite.space.name, phases=[SLEEP_PHASE_TIER])
    told = suite.clients.admin.RunSleepCycle(request)
    assert (await anext(aiter(told))).progress.stage == "tier"
    told.cancel()
    (run,) = await suite.sleep(SLEEP_PHASE_TIER)
    while run.state != RUN_STATE_DONE:
        # who was cut off before it could say so keeps its lease until that runs out
        suite.clock.move(hours=1)
        (run,) = await suite.sleep(SLEEP_PHASE_TIER)
    listed = await suite.clients.admin.ListRuns(ListRunsRequest(namespace=suite.space.name))
    assert listed.runs[0].run_id == run.run_id
    # the one that was cut off may still be about to say so
    assert next(one.run_id for one in listed.runs if one.state == RUN_STATE_DONE) == run.run_id


@pytest.mark.parametrize("service", ["memory", "ingestion"])
def test_the_command_runs_what_the_server_has(
    addresses: dict[str, str], service: str, tmp_path: Path
) -> None:
    server = ("--server", addresses[service], "-n", "asleep")
    row = {"role": "user", "content": "I keep bees.", "timestamp": "2026-03-02T09:00:00Z"}
    file = tmp_path / "talk.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    ingest = ("--server", addresses["ingestion"], "-n", "asleep", "ingest", str(file))
    taken = CliRunner().invoke(anamnesis, ingest)
    assert taken.exit_code == 0, taken.output
    answer = CliRunner().invoke(anamnesis, [*server, "sleep", "--json"])
    assert answer.exit_code == 0, answer.output
    ended = {one["phase"]: one["state"] for one in map(json.loads, answer.stdout.splitlines())}
    own = ["reinforce", "tier", "forget", "retain", "share"]
    assert list(ended) == ["compress", "extract", "merge", "crystallise", "refine", *own]
    apart = len(set(addresses.values())) > 1
    others = {"extract", "merge", "crystallise", "refine"}
    elsewhere = {"memory": others, "ingestion": set(ended) - {"extract"}}[service]
    assert {phase for phase, state in ended.items() if state == "not_here"} == (
        elsewhere if apart else set()
    )
