"""A worker of a simulation: claims what is due, and sends results, in time or too late.

Now and then it holds a lease too long and is taken over by another one; what it sends then must
be refused, whatever else fails.
"""

import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1 import segment_pb2, work_pb2
from anamnesis_libs.errors import AnamnesisError, LeaseLost
from tests.sim.faults import ATTEMPT
from tests.sim.life import Life, World
from tests.sim.model import check
from tests.sim.sender import CONTEXT

A = TypeVar("A")

LEASE_S = 30
KINDS = (
    work_pb2.WORK_KIND_SEGMENT,
    work_pb2.WORK_KIND_LABEL,
    work_pb2.WORK_KIND_EXTRACT,
    work_pb2.WORK_KIND_CLUSTER,
)


class Worker:
    """Does one piece of work in one life."""

    def __init__(self, life: Life, world: World, generator: random.Random) -> None:
        self._life = life
        self._world = world
        self._generator = generator

    async def run(self) -> None:
        """Claim something and do it, fail it, let it lie, or send what it comes to too late."""
        item = await self._claim("worker")
        if item is None:
            return
        match self._generator.random():
            case luck if luck < 0.5:
                await self._do(item)
            case luck if luck < 0.6:
                await self._fail(item)
            case luck if luck < 0.8:
                await self._too_late(item)
            case _:
                return

    async def _claim(self, holder: str) -> work_pb2.WorkItem | None:
        request = pb.ClaimWorkRequest(kinds=KINDS, holder=holder, lease_seconds=LEASE_S)
        answer = await self._tried(self._life.ledger.ClaimWork(request, CONTEXT))
        return None if answer is None else next(iter(answer.items), None)

    async def _too_late(self, item: work_pb2.WorkItem) -> None:
        """Another worker takes it over before its result is sent."""
        self._world.clock.move(seconds=LEASE_S)
        request = pb.ClaimWorkRequest(
            namespace=item.namespace, kinds=[item.kind], holder="another", limit=100
        )
        answer = await self._tried(self._life.ledger.ClaimWork(request, CONTEXT))
        if answer and any(one.session_id == item.session_id for one in answer.items):
            self._world.faults.happened["work taken over"] += 1
            accepted = await self._do(item)
            check(not accepted, f"{item.kind} of {item.session_id}: a stale lease was accepted")

    async def _do(self, item: work_pb2.WorkItem) -> bool:
        """Send the results; gives whether any was accepted."""
        results: dict[int, Callable[[work_pb2.WorkItem], Awaitable[bool]]] = {
            work_pb2.WORK_KIND_SEGMENT: self._cut,
            work_pb2.WORK_KIND_LABEL: self._measure,
            work_pb2.WORK_KIND_EXTRACT: self._learn,
            work_pb2.WORK_KIND_CLUSTER: self._let_go,
        }
        return await self._tried(results[item.kind](item)) is True

    async def _cut(self, item: work_pb2.WorkItem) -> bool:
        async with self._life.namespaces.reading(item.namespace) as opened:
            session = await opened.store.session(item.session_id)
        count = 0 if session is None else session.next_index
        middle = self._generator.randrange(count + 1)
        pieces = [(0, middle), (middle, count)] if 0 < middle < count else [(0, count)]
        request = pb.ReplaceSegmentsRequest(
            namespace=item.namespace,
            lease=_lease(item),
            session_etag=item.session_etag,
            segments=[
                segment_pb2.NewSegment(
                    first_event_index=first,
                    last_event_index=end - 1,
                    fingerprint=f"{self._generator.getrandbits(64):016x}",
                )
                for first, end in pieces
                if end > first
            ],
            segmenter="sim",
        )
        await self._life.ledger.ReplaceSegments(request, CONTEXT)
        return True

    async def _measure(self, item: work_pb2.WorkItem) -> bool:
        for segment in await self._segments(item):
            request = pb.UpdateSegmentRequest(
                namespace=item.namespace,
                lease=_lease(item),
                segment_id=segment.segment_id,
                task_type="sim",
                score=self._generator.random(),
                metrics_json="{}",
                labeller="sim",
            )
            await self._life.ledger.UpdateSegment(request, CONTEXT)
        return await self._complete(item)

    async def _learn(self, item: work_pb2.WorkItem) -> bool:
        for segment in await self._segments(item):
            request = pb.RecordLearnedRequest(
                namespace=item.namespace,
                lease=_lease(item),
                segment_id=segment.segment_id,
                extractor="sim",
            )
            await self._life.ledger.RecordLearned(request, CONTEXT)
        return await self._complete(item)

    async def _segments(self, item: work_pb2.WorkItem) -> list[segment_pb2.Segment]:
        request = pb.ListSegmentsRequest(
            namespace=item.namespace, session_id=item.session_id, all_visibilities=True
        )
        return list((await self._life.ledger.ListSegments(request, CONTEXT)).segments)

    async def _complete(self, item: work_pb2.WorkItem) -> bool:
        request = pb.CompleteWorkRequest(namespace=item.namespace, lease=_lease(item))
        await self._life.ledger.CompleteWork(request, CONTEXT)
        return True

    async def _fail(self, item: work_pb2.WorkItem) -> None:
        await self._tried(self._let_go(item))

    async def _let_go(self, item: work_pb2.WorkItem) -> bool:
        request = pb.FailWorkRequest(
            namespace=item.namespace,
            lease=_lease(item),
            reason="as the simulation planned",
            retry_after_seconds=self._generator.choice((0, 1)),
        )
        await self._life.ledger.FailWork(request, CONTEXT)
        return True

    async def _tried(self, attempt: Awaitable[A]) -> A | None:
        """What came of it; None after a fault on the way, or a lease lost to another client."""
        ATTEMPT.set(None)
        try:
            answer = await attempt
        except LeaseLost:
            self._world.faults.happened["result under a lost lease"] += 1
            return None
        except AnamnesisError:
            return None
        return None if self._world.disk.cut is not None else answer


def _lease(item: work_pb2.WorkItem) -> work_pb2.Lease:
    return work_pb2.Lease(kind=item.kind, session_id=item.session_id, token=item.token)
