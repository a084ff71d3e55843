"""A cluster service beside scripted memory services, stepped by hand."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from grpc import aio

from anamnesis.memory.v1 import event_pb2, memory_pb2
from anamnesis_cluster.wiring import ClusterModule, build
from anamnesis_libs.run.module import ServiceContext
from anamnesis_libs.tokens import TokenCounter
from tests.support.memory_server import MemoryServer
from tests.support.memory_spaces import Space
from tests.support.serving import service_context, serving_memory, serving_module

TIMEOUT_S = 10


class NoTokens:
    """The cluster service counts none."""

    def count(self, text: str) -> int:
        raise AssertionError(text)

    def truncate(self, text: str, tokens_max: int) -> str:
        raise AssertionError(text, tokens_max)


@dataclass
class Running:
    """The service, its channel, and the memory behind it."""

    memory: MemoryServer
    module: ClusterModule
    channel: aio.Channel
    context: ServiceContext

    def space(self, namespace: str = "n") -> Space:
        return self.memory.spaces[namespace]

    def homes(self, namespace: str = "n") -> dict[str, str]:
        """The topic of each lesson that has one."""
        topics = self.space(namespace).topics
        return {one: key for key, topic in topics.items() for one in topic.members}

    async def step(self) -> bool:
        loop = next(one for one in self.module.loops if one.name == "cluster.assign")
        return await loop.step()

    async def until(self, held: Callable[[], bool]) -> None:
        """Wait until something holds; steps the loop meanwhile."""
        async with asyncio.timeout(TIMEOUT_S):
            while not held():
                await self.step()
                await asyncio.sleep(0.01)


@asynccontextmanager
async def running(**clusters: object) -> AsyncIterator[Running]:
    """Runs it all with some settings of the group `clusters`."""
    tokens: TokenCounter = NoTokens()
    async with (
        serving_memory() as memory,
        service_context(memory, tokens, {"clusters": clusters}) as context,
    ):
        module = build(context)
        async with serving_module(module) as channel:
            yield Running(memory, module, channel, context)


def lesson(
    memory_id: str, *vector: float, agent_id: str = "", user_id: str = ""
) -> memory_pb2.Memory:
    """A LEARNING memory; private where an owner is named, without vector where none is given."""
    visibility = event_pb2.VISIBILITY_SHARED
    if agent_id:
        visibility = event_pb2.VISIBILITY_PRIVATE_TO_AGENT
    elif user_id:
        visibility = event_pb2.VISIBILITY_PRIVATE_TO_USER
    made = memory_pb2.Memory(
        memory_id=memory_id,
        content=f"Lesson {memory_id}",
        visibility=visibility,
        agent_id=agent_id,
        user_id=user_id,
        lesson=memory_pb2.Lesson(title=f"Title {memory_id}"),
    )
    if vector:
        made.embedding.vector.extend(vector)
    return made
