"""Tests of running to the end: that it ends, what it tells, and that it shares the work."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from anamnesis_ingestion.pipeline.progress import PipelineStep, run_to_end, status_of, wait_idle
from anamnesis_ingestion.pipeline.work import PipelineStage, StageState, Wish
from anamnesis_libs.errors import AnswerMalformed
from anamnesis_libs.errors.not_found import NamespaceNotFound
from tests.support.memory_service import IDLE_S
from tests.support.pipeline_bench import LEASE_S, SPACE, Bench

pytestmark = pytest.mark.slow

TALK = ("user: Task one, I keep bees in Lisbon", "assistant: noted", "user: I also grow figs")


async def test_it_tells_each_piece_and_how_much_is_left(at: Bench) -> None:
    for session_id in ("a", "b", "c"):
        await at.tell(*TALK, session_id=session_id)
    steps = await at.run(parallel=1)
    stages = [step.finished.claim.stage for step in steps]
    assert sorted(stages) == sorted(
        [PipelineStage.SEGMENT, PipelineStage.LABEL, PipelineStage.EXTRACT] * 3
    )
    lefts = [step.left for step in steps]
    assert lefts[-1] == 0
    assert min(lefts[:-1]) > 0
    assert sum(step.finished.outcome.facts for step in steps) == 6


async def test_it_does_sessions_that_are_still_open(at: Bench) -> None:
    await at.tell(*TALK, end=False)
    assert await at.runner().claim_and_run(Wish(stages=tuple(PipelineStage), limit=5)) == []
    assert len(await at.run()) == 3
    assert len(await at.learned()) == 2


async def test_an_idle_session_is_due_by_itself(at: Bench) -> None:
    await at.tell(*TALK, end=False)
    anything = Wish(stages=tuple(PipelineStage), limit=5)
    at.served.clock.move(seconds=IDLE_S - 1)
    assert await at.runner().claim_and_run(anything) == []
    at.served.clock.move(seconds=1)
    while await at.runner().claim_and_run(anything):
        pass
    assert len(await at.learned()) == 2


async def test_one_session_and_one_stage_may_be_named(at: Bench) -> None:
    await at.tell(*TALK, session_id="a")
    await at.tell(*TALK, session_id="b")
    (step,) = await at.run(PipelineStage.SEGMENT, session_id="b")
    assert step.finished.claim.session_id == "b"
    assert step.left == 0
    assert (await at.item(PipelineStage.SEGMENT, "a")).state is StageState.PENDING


async def test_what_fails_is_tried_once_and_it_ends(at: Bench) -> None:
    await at.tell(*TALK)
    at.analyzers.labeller.errors.extend(AnswerMalformed("no") for _ in range(9))
    steps = await at.run()
    assert [bool(step.finished.failure) for step in steps] == [False, True]
    status = status_of(await at.peer.counts(SPACE))
    assert status.stages[PipelineStage.LABEL][StageState.FAILED] == 1
    assert not status.idle


async def test_two_at_once_do_each_piece_once(at: Bench) -> None:
    for place in range(6):
        await at.tell(*TALK, session_id=f"s-{place}")
    both = await asyncio.gather(at.run(), at.run())
    pieces = [_piece(step) for steps in both for step in steps]
    assert sorted(pieces) == sorted(set(pieces))
    assert len(pieces) == 18
    assert not any(step.finished.lost for steps in both for step in steps)
    assert at.analyzers.extractor.calls == 6
    assert len(await at.activities()) == 6


async def test_work_of_others_is_waited_for(at: Bench) -> None:
    await at.tell(*TALK)
    segmenter = at.analyzers.segmenter
    segmenter.free.clear()
    others = asyncio.create_task(at.run(PipelineStage.SEGMENT))
    await segmenter.begun.wait()
    ours = asyncio.create_task(at.run())
    done, _ = await asyncio.wait({ours}, timeout=0.5)
    assert not done
    segmenter.free.set()
    assert len(await others) == 1
    assert [step.finished.claim.stage for step in await ours] == [
        PipelineStage.LABEL,
        PipelineStage.EXTRACT,
    ]


async def test_what_a_dead_worker_left_is_done_when_its_lease_ends(at: Bench) -> None:
    await at.tell(*TALK)
    await at.peer.claim(Wish(stages=(PipelineStage.SEGMENT,), limit=1, namespace=SPACE))
    running = asyncio.create_task(at.run())
    done, _ = await asyncio.wait({running}, timeout=0.3)
    assert not done
    at.served.clock.move(seconds=LEASE_S)
    assert len(await running) == 3


async def test_a_caller_that_leaves_stops_what_is_under_way(at: Bench) -> None:
    await at.tell(*TALK, session_id="a")
    await at.tell(*TALK, session_id="b")
    labeller = at.analyzers.labeller
    steps = run_to_end(at.peer, at.runner(), SPACE)
    await anext(steps)
    await anext(steps)
    labeller.free.clear()
    waiting = asyncio.create_task(_next(steps))
    await labeller.begun.wait()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await steps.aclose()
    assert "pipeline" not in {task.get_name() for task in asyncio.all_tasks()}
    labeller.free.set()
    at.served.clock.move(seconds=LEASE_S)
    assert len(await at.run()) == 4


async def test_where_nothing_is_to_do_it_ends_at_once(at: Bench) -> None:
    with pytest.raises(NamespaceNotFound):
        await at.run()
    await at.tell(*TALK)
    await at.run()
    assert await at.run() == []


async def test_waiting_ends_with_the_work_or_in_time(at: Bench) -> None:
    await at.tell(*TALK)
    assert not await wait_idle(at.peer, SPACE, "s", 0.3)
    waiting = asyncio.create_task(wait_idle(at.peer, SPACE, "s", 20.0))
    await at.run()
    assert await waiting


async def test_a_status_names_every_stage_and_state(at: Bench) -> None:
    await at.tell(*TALK)
    before = status_of(await at.peer.counts(SPACE))
    assert list(before.stages) == list(PipelineStage)
    assert before.stages[PipelineStage.SEGMENT][StageState.PENDING] == 1
    assert before.stages[PipelineStage.EXTRACT][StageState.PENDING] == 0
    assert not before.idle
    await at.run()
    after = status_of(await at.peer.counts(SPACE, "s"))
    assert [after.stages[stage][StageState.DONE] for stage in PipelineStage] == [1, 1, 1, 0]
    assert after.stages[PipelineStage.COMPRESS][StageState.PENDING] == 1
    assert after.idle


async def _next(steps: AsyncGenerator[PipelineStep, None]) -> PipelineStep:
    return await anext(steps)


def _piece(step: PipelineStep) -> tuple[str, str]:
    return step.finished.claim.stage.value, step.finished.claim.session_id
