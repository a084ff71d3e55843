"""Tests of working under leases: what is lost, what fails, what waits, what is taken over."""

import asyncio
from collections.abc import Sequence

import pytest

from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1 import work_pb2
from anamnesis_ingestion.peers.pipeline import PipelinePeer
from anamnesis_ingestion.pipeline.running import Runner, wait_s_after
from anamnesis_ingestion.pipeline.work import (
    Finished,
    PipelineStage,
    StageClaim,
    StageOutcome,
    StageState,
    Wish,
)
from anamnesis_libs.errors import (
    AnamnesisError,
    AnswerMalformed,
    DeadlineExceeded,
    Internal,
    ModelUnavailable,
    PeerUnavailable,
    ResourceExhausted,
    TooLarge,
)
from tests.support.pipeline_bench import KEEP_EVERY_S, LEASE_S, SPACE, Bench

pytestmark = pytest.mark.slow

TALK = ("user: Task one, I keep bees in Lisbon", "assistant: noted", "user: I also grow figs")
SEGMENT = Wish(stages=(PipelineStage.SEGMENT,), limit=10, namespace=SPACE)


async def test_a_stage_that_fails_is_failed_with_its_reason_and_nothing_of_it_stays(
    at: Bench,
) -> None:
    await at.tell(*TALK)
    at.analyzers.segmenter.errors.append(AnswerMalformed("the answer is no JSON"))
    (finished,) = await at.runner().claim_and_run(SEGMENT)
    assert finished.failure == "ANSWER_MALFORMED: the answer is no JSON"
    assert not finished.lost
    item = await at.item(PipelineStage.SEGMENT)
    assert (item.state, item.attempts) == (StageState.FAILED, 1)
    assert item.reason == "ANSWER_MALFORMED: the answer is no JSON"
    assert await at.segments() == []


async def test_waits_grow_and_the_fifth_failure_is_the_last(at: Bench) -> None:
    await at.tell(*TALK)
    at.analyzers.segmenter.errors.extend(AnswerMalformed(f"no {n}") for n in range(5))
    waits_s = []
    for _ in range(4):
        await at.runner().claim_and_run(SEGMENT)
        item = await at.item(PipelineStage.SEGMENT)
        assert item.due_time is not None
        wait_s = (item.due_time - at.served.clock.now()).total_seconds()
        waits_s.append(round(wait_s))
        assert await at.runner().claim_and_run(SEGMENT) == []
        at.served.clock.move(seconds=wait_s)
    await at.runner().claim_and_run(SEGMENT)
    assert waits_s == [30, 60, 120, 240]
    assert await at.failures() == [("DEAD", 5, "ANSWER_MALFORMED: no 4")]
    at.served.clock.move(hours=24)
    assert await at.runner().claim_and_run(SEGMENT) == []
    assert await at.peer.retry(SPACE, "", ()) == 1
    (finished,) = await at.runner().claim_and_run(SEGMENT)
    assert not finished.failure
    assert len(await at.segments()) == 1


@pytest.mark.parametrize(
    ("error", "wait_s"),
    [
        (ModelUnavailable("no answer", retry_after_s=2.0), 15),
        (PeerUnavailable("memory is away"), 15),
        (ResourceExhausted("budget", retry_after_s=1800.0), 1800),
        (DeadlineExceeded("memory took too long"), 15),
    ],
)
async def test_what_is_not_there_counts_as_no_try_and_waits(
    at: Bench, error: AnamnesisError, wait_s: int
) -> None:
    await at.tell(*TALK)
    for _ in range(7):
        at.analyzers.segmenter.errors.append(error)
        (finished,) = await at.runner().claim_and_run(SEGMENT)
        assert finished.failure
        item = await at.item(PipelineStage.SEGMENT)
        assert (item.state, item.attempts) == (StageState.FAILED, 0)
        at.served.clock.move(seconds=wait_s - 1)
        assert await at.runner().claim_and_run(SEGMENT) == []
        at.served.clock.move(seconds=1)
    (finished,) = await at.runner().claim_and_run(SEGMENT)
    assert not finished.failure


def test_what_no_waiting_helps_counts_as_a_try() -> None:
    assert wait_s_after(TooLarge("the message", 100)) == 0
    assert wait_s_after(Internal("a fault")) == 0
    assert wait_s_after(ValueError("a fault")) == 0


def test_no_wait_is_longer_than_an_hour() -> None:
    assert wait_s_after(ModelUnavailable("busy", retry_after_s=1e9)) == 3600


async def test_a_fault_of_ours_tells_its_kind_and_no_text(at: Bench) -> None:
    await at.tell(*TALK)
    at.analyzers.segmenter.errors.append(ValueError("the text of somebody's session"))
    (finished,) = await at.runner().claim_and_run(SEGMENT)
    assert finished.failure == "INTERNAL: ValueError"
    assert await at.failures() == [("FAILED", 1, "INTERNAL: ValueError")]


async def test_a_renewed_lease_keeps_a_long_stage(at: Bench) -> None:
    await at.tell(*TALK)
    segmenter = at.analyzers.segmenter
    segmenter.free.clear()
    working = asyncio.create_task(_all(at.runner(), SEGMENT))
    await segmenter.begun.wait()
    for _ in range(3):
        before = await _expiry(at)
        at.served.clock.move(seconds=LEASE_S - 1)
        await _renewed_after(at, before)
        assert await at.peer.claim(SEGMENT) == []
    segmenter.free.set()
    (finished,) = await working
    assert not finished.lost
    assert len(await at.segments()) == 1


async def test_a_lost_lease_stops_the_work_and_nothing_is_stored(at: Bench) -> None:
    await at.tell(*TALK)
    segmenter = at.analyzers.segmenter
    segmenter.free.clear()
    working = asyncio.create_task(_all(at.runner(), SEGMENT))
    await segmenter.begun.wait()
    at.served.clock.move(seconds=LEASE_S)
    (taken,) = await at.peer.claim(SEGMENT)
    (finished,) = await working
    assert finished.lost
    assert not finished.failure
    assert await at.segments() == []
    item = await at.item(PipelineStage.SEGMENT)
    assert (item.state, item.attempts) == (StageState.CLAIMED, 2)
    segmenter.free.set()
    await at.stages.work(taken)
    assert len(await at.segments()) == 1


async def test_a_worker_that_died_is_taken_over_and_the_work_is_done_once(at: Bench) -> None:
    await at.tell(*TALK)
    await at.run(PipelineStage.SEGMENT)
    await at.run(PipelineStage.LABEL)
    extract = Wish(stages=(PipelineStage.EXTRACT,), limit=1, namespace=SPACE)
    (died,) = await at.peer.claim(extract)
    assert await at.peer.claim(extract) == []
    at.served.clock.move(seconds=LEASE_S)
    (finished,) = await at.runner().claim_and_run(extract)
    assert finished.claim.attempts == 2
    assert finished.outcome.facts == 2
    with pytest.raises(AnamnesisError) as late:
        await at.stages.work(died)
    assert late.value.reason == "LEASE_LOST"
    assert len(await at.learned()) == 2
    assert len(await at.activities()) == 1


async def test_a_memory_service_that_does_not_answer_a_renewal_stops_nothing(at: Bench) -> None:
    await at.tell(*TALK)
    board = _Silent(at)
    segmenter = at.analyzers.segmenter
    segmenter.free.clear()
    runner = Runner(board, at.stages.work, 3 * KEEP_EVERY_S, at.runner()._logger)
    working = asyncio.create_task(_all(runner, SEGMENT))
    await board.asked.wait()
    board.asked.clear()
    await board.asked.wait()
    segmenter.free.set()
    (finished,) = await working
    assert not finished.lost
    assert len(await at.segments()) == 1


async def test_one_that_fails_stops_none_beside_it(at: Bench) -> None:
    for session_id in ("s", "t", "u"):
        await at.tell(*TALK, session_id=session_id)
    at.analyzers.segmenter.errors.append(AnswerMalformed("no"))
    done = await at.runner().claim_and_run(SEGMENT)
    assert sorted(bool(one.failure) for one in done) == [False, False, True]
    assert len(await at.failures()) == 1


async def test_a_worker_that_is_stopped_leaves_the_claim_to_its_lease(at: Bench) -> None:
    await at.tell(*TALK)
    at.analyzers.segmenter.free.clear()
    working = asyncio.create_task(_all(at.runner(), SEGMENT))
    await at.analyzers.segmenter.begun.wait()
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    at.analyzers.segmenter.free.set()
    assert (await at.item(PipelineStage.SEGMENT)).state is StageState.CLAIMED
    at.served.clock.move(seconds=LEASE_S)
    (finished,) = await at.runner().claim_and_run(SEGMENT)
    assert finished.outcome.segments == 1


async def test_a_deleted_session_is_neither_done_nor_failed(at: Bench) -> None:
    async def gone(claim: StageClaim) -> StageOutcome:
        await at.peer.session(claim.namespace, "nobody")
        raise AssertionError("there is no such session")

    await at.tell(*TALK)
    (finished,) = await at.runner(gone).claim_and_run(SEGMENT)
    assert finished.lost
    assert await at.failures() == []


class _Silent(PipelinePeer):
    """A board whose renewals take too long."""

    def __init__(self, at: Bench) -> None:
        super().__init__(at.channels, 20.0, LEASE_S)
        self.asked = asyncio.Event()

    async def renew(self, claims: Sequence[StageClaim]) -> Sequence[StageClaim]:
        self.asked.set()
        raise DeadlineExceeded("memory took too long")


async def _all(runner: Runner, wish: Wish) -> Sequence[Finished]:
    return await runner.claim_and_run(wish)


async def _expiry(at: Bench) -> int:
    """When the claim runs out, in seconds."""
    request = pb.ListWorkRequest(namespace=SPACE, states=[work_pb2.WORK_STATE_CLAIMED])
    (item,) = (await at.served.ledger.ListWork(request)).items
    return item.expire_time.ToSeconds()


async def _renewed_after(at: Bench, then: int) -> None:
    """Return once a renewal has moved the expiry."""
    while await _expiry(at) <= then:  # noqa: ASYNC110 - only memory knows
        await asyncio.sleep(KEEP_EVERY_S)
