"""Memories that others may see than when they were stored, on every backend."""

from dataclasses import replace

from anamnesis_memory.model.memory import Caller, MemoryFilter, Visibility
from anamnesis_memory.ports import NamespaceStore, WriteSet
from tests.support.clock import SetClock
from tests.support.life import everything, put
from tests.support.pipeline import learn, measured_session, taught
from tests.support.records import lesson

NOBODY = Caller()
ADA, BOB = Caller(user_id="ada"), Caller(user_id="bob")


async def test_a_memory_may_go_to_another_owner(store: NamespaceStore) -> None:
    made = replace(lesson("one"), agent_id="theirs", user_id="bob")
    await put(store, WriteSet(memories=(made,)))
    moved = replace(
        made, visibility=Visibility.PRIVATE_TO_USER, agent_id="ours", user_id="ada", revision=2
    )
    await put(store, WriteSet(memories=(moved,)))
    assert await everything(store) == [moved]
    assert not await store.memories([made.memory_id], BOB)
    assert await store.memories([made.memory_id], ADA)
    assert not (await store.list_memories(MemoryFilter(user_id="bob"), None, 0, 9)).items


async def test_an_activity_names_what_its_reader_may_see(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (segment,) = await measured_session(store, clock, "one")
    await learn(store, extract, segment.segment_id, taught("mine"), taught("everybody's"))
    listed = await store.list_memories(MemoryFilter(tags=(segment.tag,)), None, 0, 9)
    mine, ours = listed.items
    await put(store, WriteSet(memories=(replace(mine, visibility=Visibility.PRIVATE_TO_USER),)))
    for session_id in ("", "s-1"):
        (seen,) = await store.list_activities(session_id, ADA, None, 9)
        assert seen.memory_ids == (mine.memory_id, ours.memory_id)
        (told,) = await store.list_activities(session_id, NOBODY, None, 9)
        assert told.memory_ids == (ours.memory_id,)
