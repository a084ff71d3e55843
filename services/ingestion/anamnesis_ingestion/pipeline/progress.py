"""Running the pipeline of a namespace to its end, and telling how far it has come."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from anamnesis_ingestion.pipeline.ports import WorkBoard
from anamnesis_ingestion.pipeline.running import Runner
from anamnesis_ingestion.pipeline.work import (
    LEARNING_STAGES,
    Counts,
    Finished,
    PipelineStage,
    StageState,
    Wish,
)

OTHERS_POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class PipelineStep:
    """One piece of work that was tried, and how many sessions have work left."""

    finished: Finished
    left: int


@dataclass(frozen=True, slots=True)
class Status:
    """Number of sessions in each state, by stage, in the stages' order."""

    stages: Mapping[PipelineStage, Mapping[StageState, int]]

    @property
    def idle(self) -> bool:
        """True if all work is done, or waits for its time or for an operator."""
        busy = (StageState.PENDING, StageState.CLAIMED, StageState.FAILED)
        return not any(self.stages[stage][state] for stage in LEARNING_STAGES for state in busy)


def status_of(counts: Counts) -> Status:
    """The counts by stage; what does not occur is 0."""
    return Status(
        {
            stage: {state: counts.get((stage, state), 0) for state in StageState}
            for stage in PipelineStage
        }
    )


async def run_to_end(
    board: WorkBoard,
    runner: Runner,
    namespace: str,
    stages: Sequence[PipelineStage] = (),
    session_id: str = "",
    parallel: int = 2,
) -> AsyncGenerator[PipelineStep, None]:
    """Do all that can be done now; work that somebody else has claimed is waited for.

    Sessions that are still open are worked on too. One that fails is tried once: its next try
    comes by itself, after a pause. Closing it stops what is under way.
    """
    chosen = tuple(stages) or LEARNING_STAGES
    wish = Wish(
        stages=chosen,
        limit=parallel,
        namespace=namespace,
        session_id=session_id,
        even_if_early=True,
    )
    while True:
        claims = await board.claim(wish)
        async with aclosing(runner.run(claims)) as done:
            async for finished in done:
                yield PipelineStep(finished, await _left(board, namespace, session_id, chosen))
        if not claims:
            if not await _left(board, namespace, session_id, chosen):
                return
            await asyncio.sleep(OTHERS_POLL_S)


async def wait_idle(board: WorkBoard, namespace: str, session_id: str, within_s: float) -> bool:
    """Wait until a session has been learned from; answers whether it was in time."""
    loop = asyncio.get_running_loop()
    until_s = loop.time() + within_s
    while not status_of(await board.counts(namespace, session_id)).idle:
        if loop.time() + OTHERS_POLL_S > until_s:
            return False
        await asyncio.sleep(OTHERS_POLL_S)
    return True


async def _left(
    board: WorkBoard, namespace: str, session_id: str, stages: Sequence[PipelineStage]
) -> int:
    """Number of pieces of work that are pending or being done."""
    counts = await board.counts(namespace, session_id)
    states = (StageState.PENDING, StageState.CLAIMED)
    return sum(counts.get((stage, state), 0) for stage in stages for state in states)
