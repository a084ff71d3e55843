"""No namespace sees, counts or changes anything of another, however they are interleaved."""

import asyncio

from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Caller, MemoryFilter, Namespace
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from tests.support.records import BASE_US, DIMENSION, append, lesson, rows

NOBODY = Caller()
NAMESPACES = 20


async def fill(store: NamespaceStore, name: str) -> None:
    """Store the same things everywhere, with the namespace's name in every text."""
    await store.commit(append(f"{name} one", f"{name} two", session_id="same"))
    made = await store.commit(
        CreateMemories([lesson(f"{name} lesson"), lesson(f"{name} gone")], [rows(1.0), None])
    )
    assert made.result is not None
    kept, gone = made.result
    await store.commit(AssignTopicMembers([Assignment(kept.memory.memory_id, "same", name)], 0, 1))
    await store.commit(DeleteMemory(gone.memory.memory_id, NOBODY))


async def check(store: NamespaceStore, name: str) -> None:
    """Everything that is read is of this namespace, and all of it is there."""
    listed = (await store.list_memories(MemoryFilter(), NOBODY, 0, 100)).items
    assert [memory.content for memory in listed] == [f"{name} one", f"{name} two", f"{name} lesson"]
    events = (await store.list_events("same", -1, 100)).items
    assert [event.content for event in events] == [f"{name} one", f"{name} two"]
    assert len((await store.list_sessions(NOBODY, "", "", "", 100)).items) == 1
    (topic,) = (await store.topics("", NOBODY, "", 100)).items
    assert (topic.label, topic.member_count) == (name, 1)
    log = await store.changes(0, 100)
    assert (log.revision, len(log.changes)) == (4, 4)
    counts = await store.counts()
    assert counts.by_kind == {"episodic": 2, "learning": 1}
    assert (counts.sessions, counts.events, counts.topics) == (1, 2, 1)
    assert counts.pending_embeddings == len(await store.pending_embeddings(100)) == 2


async def test_namespaces_side_by_side_keep_apart(stores: Stores) -> None:
    names = [f"space-{number}" for number in range(NAMESPACES)]
    opened = [
        await stores.open(Namespace(name, new_incarnation(BASE_US), BASE_US, "model", DIMENSION))
        for name in names
    ]
    await asyncio.gather(*map(fill, opened, names))
    for store, name in zip(opened, names, strict=True):
        await check(store, name)
    first = (await opened[0].list_memories(MemoryFilter(), NOBODY, 0, 100)).items
    ids = [memory.memory_id for memory in first]
    assert await opened[1].memories(ids, None) == []
    assert await opened[1].embeddings(ids) == {}
    assert await opened[1].index_records(ids) == []
    for store in opened:
        await store.close()
