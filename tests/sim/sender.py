"""Sending a request and drawing the conclusion: acknowledged, refused or in doubt.

A client believes an answer only while the life it came from still runs: what a server
says after the power went is heard by nobody.
"""

import asyncio
import random
from typing import Any

from anamnesis.memory.v1 import ledger_service_pb2, memory_service_pb2, topic_service_pb2
from anamnesis_libs.errors import AnamnesisError, Conflict, NotFound, Unavailable
from anamnesis_libs.errors.not_found import MemoryNotFound
from tests.sim.faults import ATTEMPT, Attempt
from tests.sim.life import Life, World
from tests.sim.model import Answer, Fate, Model, Request, Sent, check

TRIES_MAX = 3


class _Context:
    """What a servicer asks of its call."""

    def time_remaining(self) -> float:
        """Seconds."""
        return 5.0


CONTEXT: Any = _Context()
"""gRPC's type of it names the messages of one rpc; this one serves all."""


class Sender:
    """Delivers requests to one life."""

    def __init__(self, life: Life, world: World, model: Model, generator: random.Random) -> None:
        self._life = life
        self._world = world
        self._model = model
        self._generator = generator

    async def deliver(self, sent: Sent) -> None:
        """Send a request until its sender knows enough, or gives up for now."""
        sent.in_hand = True
        await self._send(sent)
        sent.in_hand = False
        if sent.answer is not None and sent.texts:
            self._learn_ids(sent)

    async def _send(self, sent: Sent) -> None:
        """Send, perhaps twice at once, perhaps without waiting for the end, perhaps again."""
        match self._generator.random():
            case luck if luck < 0.1:
                self._world.faults.happened["sent twice at once"] += 1
                await asyncio.gather(self._attempt(sent), self._attempt(sent))
            case luck if luck < 0.15:
                await self._give_up(sent)
            case _:
                await self._attempt(sent)
        tries = 1
        while sent.fate is Fate.DOUBT and tries < TRIES_MAX and self._generator.random() < 0.7:
            tries += 1
            await self._attempt(sent)

    async def _give_up(self, sent: Sent) -> None:
        """Send, and go away some turns later."""
        sent.given_up = True
        self._world.faults.happened["client went away"] += 1
        task = asyncio.ensure_future(self._attempt(sent))
        for _ in range(self._generator.randrange(12)):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

    async def _attempt(self, sent: Sent) -> None:
        """Deliver once and draw the conclusion."""
        attempt = Attempt()
        ATTEMPT.set(attempt)
        sent.deliveries += 1
        try:
            answer = await self._call(sent.message)
        except asyncio.CancelledError:
            sent.doubtful()
            raise
        except AnamnesisError as error:
            self._failed(sent, attempt, error)
            return
        if self._world.disk.cut is not None:
            sent.doubtful()
            return
        self._answered(sent, answer)

    async def _call(self, message: Request) -> Answer:
        life = self._life
        match message:
            case ledger_service_pb2.AppendEventsRequest():
                return await life.ledger.AppendEvents(message, CONTEXT)
            case memory_service_pb2.BatchCreateMemoriesRequest():
                return await life.memory.BatchCreateMemories(message, CONTEXT)
            case memory_service_pb2.DeleteMemoryRequest():
                return await life.memory.DeleteMemory(message, CONTEXT)
            case topic_service_pb2.AssignTopicMembersRequest():
                return await life.topics.AssignTopicMembers(message, CONTEXT)
            case _:
                raise TypeError(f"nobody serves {type(message).__name__}")

    def _failed(self, sent: Sent, attempt: Attempt, error: AnamnesisError) -> None:
        """What an error lets the client conclude."""
        if sent.verb == "delete" and isinstance(error, MemoryNotFound):
            if sent.fate is Fate.DOUBT and self._world.disk.cut is None:
                sent.fate = Fate.ACKNOWLEDGED
            sent.refused()
            return
        certain = isinstance(error, Conflict | NotFound) or not attempt.commit_begun
        full = isinstance(error, Unavailable) and "FullError" in error.message
        self._world.faults.happened["write to a full disk"] += full
        if (certain or full) and self._world.disk.cut is None:
            sent.refused()
        else:
            sent.doubtful()

    def _answered(self, sent: Sent, answer: Answer) -> None:
        """An answer: the first counts, and every other must be the same."""
        revision = self._model.told(sent.namespace, answer.revision)
        if sent.answer is not None and sent.request_id:
            check(answer == sent.answer, f"{sent.verb} {sent.number}: a retry got another answer")
            return
        sent.fate, sent.answer, sent.revision = Fate.ACKNOWLEDGED, answer, revision
        sent.answered_at = self._model.tick()

    def _learn_ids(self, sent: Sent) -> None:
        """From now on these memories can be deleted: nobody sends this request again."""
        if sent.created:
            check(tuple(text for _, text in sent.promised) == sent.texts, "other texts are stored")
        self._model.text_of.update(sent.promised)
