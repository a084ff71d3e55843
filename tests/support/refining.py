"""Namespaces whose memories are refined, and the model's answers to that, for tests."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from anamnesis.cluster.v1.cluster_service_pb2 import RefineMemoriesRequest
from anamnesis.ingestion.v1.ingestion_service_pb2 import ObserveRequest
from anamnesis.memory.v1 import memory_pb2, sleep_pb2
from anamnesis.memory.v1 import memory_service_pb2 as pb
from tests.support.clients import Clients
from tests.support.openai_chat_script import Asked, Given

REFINE = "summarise_memories"
_ASKED = re.compile(r"^\[(\d+)\] \(([^)]*)\) (.*)$", re.MULTILINE)
Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Question:
    """One text of a question: its number, what is wanted of it, and the text as shown."""

    number: int
    wants: str
    text: str


def questions(prompt: str) -> list[Question]:
    """The texts of a question."""
    texts = prompt.split("\nThere are ")[1]
    return [Question(int(number), wants, text) for number, wants, text in _ASKED.findall(texts)]


def row(number: int, importance: float | None = None, **words: str) -> Row:
    """The model's word on one text."""
    return {
        "text": number,
        "importance": importance,
        "reason": "",
        "summary": "",
        "overview": "",
        **words,
    }


def rows(*given: Row) -> Given:
    """The model's words on several."""
    return {"texts": list(given)}


def weighing(importance: float) -> Callable[[Asked], Given]:
    """A model to which all matters so much."""
    return lambda asked: rows(
        *(row(one.number, importance, reason="a model says so") for one in questions(asked.prompt))
    )


@dataclass(frozen=True, slots=True)
class RefiningSpace:
    """One namespace, and the words of a test about it."""

    clients: Clients
    name: str

    async def observe(self, content: str, user: str = "ada", session: str = "") -> str:
        """Observe something a user says; the id of what is stored."""
        seen = await self.clients.ingestion.Observe(
            ObserveRequest(
                namespace=self.name,
                session_id=session or f"s-{user}",
                user_id=user,
                source="user",
                content=content,
                use_server_time=True,
            )
        )
        assert seen.stored, content
        return seen.memory_id

    async def create(self, content: str, **given: object) -> memory_pb2.Memory:
        """State a memory."""
        new = pb.NewMemory(
            kind=memory_pb2.MEMORY_KIND_LEARNING,
            category="pattern",
            content=content,
            **given,  # type: ignore[arg-type]
        )
        request = pb.CreateMemoryRequest(namespace=self.name, memory=new)
        return (await self.clients.memory.CreateMemory(request)).memory

    async def read(self, memory_ids: Sequence[str]) -> list[memory_pb2.Memory]:
        """Memories as they are, in order."""
        asked = pb.BatchGetMemoriesRequest(
            namespace=self.name, memory_ids=memory_ids, all_visibilities=True
        )
        found = {
            one.memory_id: one
            for one in (await self.clients.memory.BatchGetMemories(asked)).memories
        }
        return [found[memory_id] for memory_id in memory_ids]

    async def set_importance(self, memory_id: str, importance: float, user: str = "ada") -> None:
        """Set an importance by hand."""
        request = pb.UpdateMemoryRequest(namespace=self.name, memory_id=memory_id)
        request.caller.user_id = user
        request.change.importance = importance
        request.update_mask.paths.append("importance")
        await self.clients.memory.UpdateMemory(request)

    async def run(self) -> sleep_pb2.Run:
        """Refine; what the run came to."""
        request = RefineMemoriesRequest(namespace=self.name)
        told = [one async for one in self.clients.cluster.RefineMemories(request, timeout=60)]
        return told[-1].run
