"""Writes and records that tests of the life of memories begin with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.documents import Collection, Document
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Kind, Memory, MemoryFilter, Vectors
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports import (
    CommitStamp,
    Decision,
    IdempotentAnswer,
    NamespaceStore,
    ReadSet,
    ReadView,
    RequestKey,
    WriteSet,
)
from tests.support.records import BASE_US, lesson

EVERYTHING = MemoryFilter(include_archived=True)


@dataclass(frozen=True, slots=True)
class Put:
    """A write of tests: whatever edits it is given; a memory takes the revision if it has none."""

    edits: WriteSet

    def wanted(self) -> ReadSet:
        """Nothing."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """Apply the edits; answers the revision it was given."""
        stamped = tuple(
            replace(one, revision=one.revision or stamp.revision) for one in self.edits.memories
        )
        return Decision(stamp.revision, replace(self.edits, memories=stamped))


@dataclass(frozen=True, slots=True)
class Look:
    """A write of tests that only looks."""

    asked: ReadSet

    def wanted(self) -> ReadSet:
        """What is looked at."""
        return self.asked

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[ReadView]:
        """Answer what was seen."""
        return Decision(seen)


async def put(store: NamespaceStore, edits: WriteSet) -> int:
    """Apply edits; answers the revision that was committed."""
    return (await store.commit(Put(edits))).revision


async def look(store: NamespaceStore, wanted: ReadSet) -> ReadView:
    """What a write would see."""
    seen = (await store.commit(Look(wanted))).result
    assert seen is not None
    return seen


async def created(store: NamespaceStore, *memories: Memory) -> Sequence[Memory]:
    """Store memories without vectors."""
    made = await store.commit(CreateMemories(memories, [None] * len(memories)))
    assert made.result is not None
    return tuple(one.memory for one in made.result)


async def everything(store: NamespaceStore) -> list[Memory]:
    """All memories in the order in which they were stored."""
    return list((await store.list_memories(EVERYTHING, None, 0, 500)).items)


def edge(
    source_id: str,
    target_id: str,
    type: EdgeType = EdgeType.SIMILAR_TO,  # noqa: A002 - as an edge calls it
    weight: float = 0.5,
) -> Edge:
    """An edge of a moment long ago."""
    return Edge(source_id, target_id, type, weight, BASE_US, BASE_US)


def copy(
    copy_id: str,
    memory_id: str,
    memory: Memory,
    role: CopyRole = CopyRole.CONTRIBUTION,
    vectors: Vectors | None = None,
) -> Copy:
    """A memory as it was, of a moment long ago."""
    return Copy(copy_id, memory_id, role, memory, BASE_US, 0.9, vectors=vectors)


EMPTY_BOARD = '{"session_id": "", "items": []}'


def document(
    name: str, body: str = EMPTY_BOARD, *, session_id: str = "", user_id: str = ""
) -> Document:
    """A working memory, of a moment long ago."""
    return Document(
        Collection.WORKING_MEMORY, name, body, BASE_US, user_id=user_id, session_id=session_id
    )


def stated(content: str, *source_ids: str) -> Memory:
    """A fact that was taken from other memories."""
    part = Fact("Ada", "lives in", content, source_memory_ids=source_ids)
    return replace(lesson(content), kind=Kind.SEMANTIC, part=part)


def answered(request_id: str) -> IdempotentAnswer[int]:
    """Remembers the answer of a `Put`, which is a text of its own."""
    key = RequestKey("Write", request_id, b"d")
    return IdempotentAnswer(key, lambda result, _: f"answer to {request_id}: {result}".encode())
