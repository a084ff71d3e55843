"""Clients of a simulation: what they ask for, one thing after another, as a seed says."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from anamnesis.memory.v1 import ledger_service_pb2, topic_service_pb2
from anamnesis_libs.errors import AnamnesisError
from tests.sim import requests
from tests.sim.faults import ATTEMPT
from tests.sim.life import Life, World
from tests.sim.model import Fate, Model, Request, Sent, check
from tests.sim.sender import CONTEXT, Sender
from tests.sim.worker import Worker

A = TypeVar("A")

SESSIONS = 3
TOPICS = 3
VERBS = {
    "append": 8,
    "append_on": 4,
    "resend": 2,
    "end": 1,
    "create": 6,
    "delete": 3,
    "assign": 4,
    "search": 4,
    "follow": 2,
    "retry": 4,
    "work": 4,
}


class Client:
    """Sends requests to one life, one after another."""

    def __init__(
        self, life: Life, world: World, model: Model, names: list[str], generator: random.Random
    ) -> None:
        self._life = life
        self._world = world
        self._model = model
        self._names = names
        self._generator = generator
        self._sender = Sender(life, world, model, generator)

    async def run(self, count: int) -> None:
        """Send some requests, as long as the life lasts."""
        for _ in range(count):
            if self._world.disk.cut is not None:
                return
            self._world.clock.move(milliseconds=self._generator.randrange(1, 50))
            (verb,) = self._generator.choices(list(VERBS), list(VERBS.values()))
            await getattr(self, f"_{verb}")(self._generator.choice(self._names))
            await asyncio.sleep(self._generator.choice((0.0, 0.0, 0.01, 0.5)))

    def _new(self, namespace: str, verb: str, message: Request, *texts: str) -> Sent:
        sent = Sent(len(self._model.requests), namespace, verb, message, texts)
        sent.sent_at = self._model.tick()
        self._model.send(sent)
        return sent

    def _texts(self, namespace: str) -> list[str]:
        number = len(self._model.requests)
        count = self._generator.randint(1, 4)
        return [
            requests.text_of(namespace, number, place, self._generator) for place in range(count)
        ]

    async def _append(self, namespace: str) -> None:
        """Events at indices: new ones, or others in the place of those there."""
        texts, first = self._texts(namespace), self._generator.randrange(8)
        events = [requests.event(text, first + place) for place, text in enumerate(texts)]
        request_id = f"r-{len(self._model.requests)}" if self._generator.random() < 0.3 else ""
        message = requests.append(namespace, self._session(), events, request_id=request_id)
        await self._sender.deliver(self._new(namespace, "append", message, *texts))

    async def _append_on(self, namespace: str) -> None:
        """Events that follow the last, safe to repeat by their request id."""
        texts = self._texts(namespace)
        message = requests.append(
            namespace,
            self._session(),
            [requests.event(text, None) for text in texts],
            request_id=f"r-{len(self._model.requests)}",
            end_session=self._generator.random() < 0.2,
        )
        await self._sender.deliver(self._new(namespace, "append", message, *texts))

    async def _resend(self, namespace: str) -> None:
        """What was sent before, as a new request: with indices nothing may be doubled."""
        indexed = [sent for sent in self._model.of(namespace, "append") if sent.indexed]
        if indexed:
            old = self._generator.choice(indexed)
            message = ledger_service_pb2.AppendEventsRequest.FromString(
                old.message.SerializeToString()
            )
            message.ClearField("request_id")
            await self._sender.deliver(self._new(namespace, "append", message, *old.texts))

    async def _retry(self, namespace: str) -> None:
        """Try again what is in doubt and safe to repeat, perhaps from an earlier life."""
        open_ = [
            sent
            for sent in self._model.of(namespace, fate=Fate.DOUBT)
            if sent.verb != "ingest"
            and not sent.in_hand
            and (sent.request_id or sent.verb == "delete")
        ]
        if open_:
            await self._sender.deliver(self._generator.choice(open_))

    async def _end(self, namespace: str) -> None:
        """End a session without another word."""
        message = requests.append(namespace, self._session(), (), end_session=True)
        await self._sender.deliver(self._new(namespace, "append", message))

    async def _create(self, namespace: str) -> None:
        texts = self._texts(namespace)
        private = self._generator.random() < 0.3
        request_id = f"r-{len(self._model.requests)}"
        message = requests.create(namespace, texts, private=private, request_id=request_id)
        await self._sender.deliver(self._new(namespace, "create", message, *texts))

    async def _delete(self, namespace: str) -> None:
        """Delete something that an answer named; what was answered cannot be asked again."""
        known = [
            memory_id
            for memory_id, text in self._model.text_of.items()
            if requests.mark_of(text).endswith(namespace)
        ]
        if known:
            memory_id = self._generator.choice(known)
            sent = self._new(namespace, "delete", requests.delete(namespace, memory_id))
            await self._sender.deliver(sent)
            if sent.answer is not None:
                await self._is_not_found(namespace, memory_id)

    async def _is_not_found(self, namespace: str, memory_id: str) -> None:
        """After the answer of a delete no search finds it, whatever revision it asks for."""
        text = requests.mark_of(self._model.text_of[memory_id])
        ask = requests.find(namespace, text, "")
        answer = await self._read(lambda: self._life.memory.FindCandidates(ask, CONTEXT))
        found = () if answer is None else {hit.memory_id for hit in answer.candidates}
        check(memory_id not in found, f"{memory_id} was just deleted and is found")

    async def _assign(self, namespace: str) -> None:
        """Put lessons into topics, as the cluster service does: list, decide, assign."""
        ask = topic_service_pb2.ListTopicsRequest(namespace=namespace, for_assignment=True)
        space = await self._read(lambda: self._life.topics.ListTopics(ask, CONTEXT))
        if space is None:
            return
        known = [
            memory
            for sent in self._model.of(namespace, "create", Fate.ACKNOWLEDGED)
            for memory in sent.created
        ]
        count = min(len(known), self._generator.randrange(4))
        places = [
            (memory.memory_id, f"topic-{memory.visibility}-{self._generator.randrange(TOPICS)}")
            for memory in self._generator.sample(known, count)
        ]
        reached = self._model.reached.get(namespace, 0)
        incarnation = space.topics_revision.rpartition("-")[0]
        message = requests.assign(
            namespace, places, space.topics_revision, f"{incarnation}-{reached:x}"
        )
        await self._sender.deliver(self._new(namespace, "assign", message))

    async def _search(self, namespace: str) -> None:
        """Look for what was acknowledged, at its revision: it is there, and what is gone is not."""
        acknowledged = [sent for sent in self._model.of(namespace) if sent.created]
        if not acknowledged:
            return
        sent = self._generator.choice(acknowledged)
        (memory, *_) = sent.created
        gone_before = self._model.deleted(namespace, surely=True)
        ask = requests.find(namespace, requests.mark_of(memory.content), memory.revision)
        answer = await self._read(lambda: self._life.memory.FindCandidates(ask, CONTEXT))
        if answer is None:
            return
        found = {hit.memory_id for hit in answer.candidates if hit.matched_terms}
        if memory.memory_id in gone_before:
            check(memory.memory_id not in found, f"{memory.memory_id} is deleted and found")
        elif memory.memory_id not in self._model.named_by_deletes(namespace):
            check(memory.memory_id in found, f"{memory.memory_id} was acknowledged and not found")

    async def _follow(self, namespace: str) -> None:
        """Consume the change log, some entries at a time, from where it stopped."""

        async def step() -> bool:
            async with self._life.namespaces.reading(namespace) as opened:
                cursor = self._model.cursors.get(namespace, 0)
                changes = await opened.store.changes(cursor, self._generator.randint(1, 5))
                overtaken = cursor != self._model.cursors.get(namespace, 0)
                if self._world.disk.cut is None and not overtaken:
                    known = self._model.followed.setdefault(namespace, {})
                    known.update((one.memory_id, not one.deleted) for one in changes.changes)
                    self._model.cursors[namespace] = max(cursor, changes.revision)
            return True

        await self._read(step)

    async def _work(self, namespace: str) -> None:
        """Do a piece of work wherever one is due; sessions are idle after a minute."""
        self._world.clock.move(seconds=self._generator.choice((0, 0, 61)))
        await Worker(self._life, self._world, self._generator).run()

    async def _read(self, ask: Callable[[], Awaitable[A]]) -> A | None:
        """Read; a fault on the way is no news."""
        ATTEMPT.set(None)
        try:
            answer = await ask()
        except AnamnesisError:
            return None
        return None if self._world.disk.cut is not None else answer

    def _session(self) -> str:
        return f"s-{self._generator.randrange(SESSIONS)}"
