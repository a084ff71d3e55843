"""Observing at a high rate: what matters waits in a ring and is stored in batches.

One answer for each observation, in order, and `stored` only after the commit. A session's ring
holds 512 observations that wait for the ledger. When it is full, what matters least in it is let
go, the oldest first; its answer says so. The ring is in the process: what waits in it when the
process dies was never acknowledged.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime

from anamnesis_ingestion.intake.observe import Observation, Observed, Scored, scored, write_of
from anamnesis_ingestion.ledger import Visibility
from anamnesis_ingestion.ports import Ledger

RING_MAX = 512
BATCH_MAX = 256
UNANSWERED_MAX = 4096

_Ring = tuple[str, str, str, str, tuple[str, ...], str, Visibility | None, bool, datetime | None]


@dataclass(frozen=True, slots=True)
class StreamObserved:
    """The result of one observation of a stream; `overrun`: it was important, and dropped."""

    session_id: str
    observed: Observed
    overrun: bool = False


@dataclass(slots=True)
class _Slot:
    one: Scored
    answer: "asyncio.Future[StreamObserved]"

    def settle(self, observed: Observed, *, overrun: bool = False) -> None:
        if not self.answer.done():
            answer = StreamObserved(self.one.seen.session_id, observed, overrun)
            self.answer.set_result(answer)


class ObserveStream:
    """One stream of observations, of any sessions."""

    def __init__(self, ledger: Ledger, ring_max: int = RING_MAX) -> None:
        self._ledger = ledger
        self._ring_max = ring_max
        self._rings: dict[_Ring, deque[_Slot]] = {}
        self._order: asyncio.Queue[_Slot | None] = asyncio.Queue()
        self._room = asyncio.Semaphore(UNANSWERED_MAX)
        self._news = asyncio.Event()
        self._waiting: set[asyncio.Future[StreamObserved]] = set()
        self._ended = False

    async def answers(self, seen: AsyncIterator[Observation]) -> AsyncIterator[StreamObserved]:
        """Take in a stream, and give an answer for each observation, in order.

        Raises:
            AnamnesisError: an observation is invalid, or the ledger failed; what was answered
                before is durable.
        """
        reader = asyncio.create_task(self._read(seen), name="observe.read")
        writer = asyncio.create_task(self._write(), name="observe.write")
        reader.add_done_callback(lambda _: self._order.put_nowait(None))
        writer.add_done_callback(self._fail_waiting)
        try:
            while (slot := await self._order.get()) is not None:
                yield await slot.answer
                self._room.release()
            await reader
        finally:
            for task in (reader, writer):
                task.cancel()
            await asyncio.gather(reader, writer, return_exceptions=True)

    async def _read(self, seen: AsyncIterator[Observation]) -> None:
        """Score what comes, and put what matters into its ring."""
        try:
            async for observation in seen:
                await self._room.acquire()
                slot = _Slot(scored(observation), asyncio.get_running_loop().create_future())
                self._order.put_nowait(slot)
                if slot.one.matters:
                    self._put(slot)
                else:
                    slot.settle(Observed(slot.one.importance))
        finally:
            self._ended = True
            self._news.set()

    def _put(self, slot: _Slot) -> None:
        ring = self._rings.setdefault(_ring_of(slot.one.seen), deque())
        ring.append(slot)
        self._waiting.add(slot.answer)
        slot.answer.add_done_callback(self._waiting.discard)
        if len(ring) > self._ring_max:
            least = min(ring, key=lambda waiting: waiting.one.importance)
            ring.remove(least)
            least.settle(Observed(least.one.importance), overrun=True)
        self._news.set()

    async def _write(self) -> None:
        """Store what waits, ring after ring, until the stream has ended."""
        while self._rings or not self._ended:
            if not self._rings:
                self._news.clear()
                await self._news.wait()
                continue
            key = next(iter(self._rings))
            ring = self._rings.pop(key)
            batch = [ring.popleft() for _ in range(min(len(ring), BATCH_MAX))]
            if ring:
                self._rings[key] = ring
            await self._store(batch)

    async def _store(self, batch: list[_Slot]) -> None:
        done = await self._ledger.append(write_of([slot.one for slot in batch]))
        for slot, stored in zip(batch, done.stored, strict=True):
            slot.settle(
                Observed(
                    slot.one.importance,
                    stored.index,
                    stored.memory_id,
                    done.revision,
                    done.session,
                )
            )

    def _fail_waiting(self, writer: "asyncio.Task[None]") -> None:
        """Fail every waiting answer if the writer failed: the ledger answers no more."""
        error = None if writer.cancelled() else writer.exception()
        if error is None:
            return
        for answer in tuple(self._waiting):
            if not answer.done():
                answer.set_exception(error)
                answer.exception()  # the stream ends with the first; nobody asks for the others


def _ring_of(seen: Observation) -> _Ring:
    owners = (seen.agent_id, seen.user_id, seen.participants, seen.project, seen.visibility)
    return seen.namespace, seen.session_id, *owners, seen.server_time, seen.expire_time
