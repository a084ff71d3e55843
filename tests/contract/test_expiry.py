"""A memory past its expiry is neither found nor counted, and the sweep erases it; every store."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import StatusCode, aio

from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.memory.v1 import memory_pb2, palace_service_pb2
from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis_libs.rpc.status import from_rpc_error
from anamnesis_memory.model.memory import MemoryFilter
from anamnesis_memory.runtime.loops import expiry_loop
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.memory_service import Served, serving

NAME = "team-a"
LIFE_S = 3600
LEARNING, SEMANTIC = memory_pb2.MEMORY_KIND_LEARNING, memory_pb2.MEMORY_KIND_SEMANTIC


@pytest.fixture
async def served(tmp_path: Path, clock: SetClock, open_stores: Open) -> AsyncIterator[Served]:
    """A memory service over each store."""
    async with serving(tmp_path, clock, open_stores) as running:
        yield running


def at(served: Served, seconds: float = LIFE_S) -> Timestamp:
    """A time after now."""
    made = Timestamp()
    made.FromDatetime(served.clock.now() + timedelta(seconds=seconds))
    return made


async def create(served: Served, content: str, **given: Any) -> pb.CreateMemoryResponse:  # noqa: ANN401
    new = pb.NewMemory(**{"kind": LEARNING, "content": content, **given})
    return await served.memory.CreateMemory(pb.CreateMemoryRequest(namespace=NAME, memory=new))


async def change(served: Served, memory_id: str, expire_time: Timestamp | None) -> None:
    await served.memory.UpdateMemory(
        pb.UpdateMemoryRequest(
            namespace=NAME,
            memory_id=memory_id,
            change=pb.MemoryChange(expire_time=expire_time),
            update_mask=FieldMask(paths=["expire_time"]),
        )
    )


async def asserted(served: Served, city: str, **given: Any) -> knowledge_pb.AssertFactResponse:  # noqa: ANN401
    request = knowledge_pb.AssertFactRequest(
        namespace=NAME, subject="Nadia", predicate="lives_in", object=city, **given
    )
    return await served.knowledge.AssertFact(request)


async def objects(served: Served) -> list[str]:
    found = await served.knowledge.ListFacts(knowledge_pb.ListFactsRequest(namespace=NAME))
    told = await served.knowledge.GetTimeline(
        knowledge_pb.GetTimelineRequest(namespace=NAME, name="Nadia")
    )
    cities = [one.memory.fact.object for one in found.facts]
    assert cities == [one.memory.fact.object for one in told.facts]
    return cities


async def seen(served: Served, text: str) -> tuple[set[str], set[str], int]:
    """The texts that are listed, the ids that are found, and the number that is counted."""
    listed = await served.memory.ListMemories(pb.ListMemoriesRequest(namespace=NAME))
    about = await served.admin.GetNamespace(admin_pb.GetNamespaceRequest(namespace=NAME))
    request = pb.FindCandidatesRequest(
        namespace=NAME, query=text, at_least_revision=about.namespace.revision
    )
    found = await served.memory.FindCandidates(request)
    stats = await served.admin.GetStats(admin_pb.GetStatsRequest(namespace=NAME))
    assert stats.stats.indexed_memories == stats.stats.memories
    return (
        {one.content for one in listed.memories},
        {one.memory_id for one in found.candidates},
        stats.stats.memories,
    )


async def stored(served: Served) -> set[str]:
    """The texts in the store itself, which no call has asked for."""
    async with served.behind.namespaces.reading(NAME) as opened:
        found = await opened.store.list_memories(MemoryFilter(), None, 0, 100)
        return {one.content for one in found.items}


async def sweep(served: Served) -> None:
    await expiry_loop(served.behind.namespaces, served.calls.expire).step()


async def refused(served: Served, memory: pb.NewMemory) -> list[str]:
    request = pb.BatchCreateMemoriesRequest(
        namespace=NAME, memories=[pb.NewMemory(kind=LEARNING, content="a lesson"), memory]
    )
    with pytest.raises(aio.AioRpcError) as error:
        await served.memory.BatchCreateMemories(request)
    return fields(error.value)


def fields(error: aio.AioRpcError) -> list[str]:
    assert error.code() is StatusCode.INVALID_ARGUMENT
    return [one.field for one in getattr(from_rpc_error(error, "server"), "violations", ())]


async def test_a_memory_is_seen_until_it_expires_and_not_from_then_on(served: Served) -> None:
    soon = (await create(served, "mend the pump", expire_time=at(served))).memory
    later = (await create(served, "paint the pump", expire_time=at(served, LIFE_S + 1))).memory
    assert soon.expire_time == at(served)

    served.clock.move(seconds=LIFE_S, microseconds=-1)
    texts, found, count = await seen(served, "pump")
    assert texts == {"mend the pump", "paint the pump"}
    assert (found, count) == ({soon.memory_id, later.memory_id}, 2)

    served.clock.move(microseconds=1)
    assert await seen(served, "pump") == ({"paint the pump"}, {later.memory_id}, 1)
    with pytest.raises(aio.AioRpcError) as error:
        await served.memory.GetMemory(pb.GetMemoryRequest(namespace=NAME, memory_id=soon.memory_id))
    assert error.value.code() is StatusCode.NOT_FOUND


async def test_the_first_call_after_it_finds_nothing_whatever_it_is(served: Served) -> None:
    made = (await create(served, "mend the pump", expire_time=at(served))).memory
    served.clock.move(seconds=LIFE_S)
    found = await served.memory.FindCandidates(
        pb.FindCandidatesRequest(namespace=NAME, query="pump")
    )
    assert not found.candidates
    with pytest.raises(aio.AioRpcError) as error:
        await change(served, made.memory_id, None)
    assert error.value.code() is StatusCode.NOT_FOUND


async def test_the_sweep_erases_it_with_what_was_derived_from_it_alone(served: Served) -> None:
    root = (await create(served, "the pump leaks", expire_time=at(served))).memory
    other = (await create(served, "the roof leaks")).memory
    alone = memory_pb2.Lesson(evidence_memory_ids=[root.memory_id])
    both = memory_pb2.Lesson(evidence_memory_ids=[root.memory_id, other.memory_id])
    await create(served, "mend the pump", lesson=alone)
    await create(served, "mend what leaks", lesson=both)
    everything = {"the pump leaks", "the roof leaks", "mend the pump", "mend what leaks"}

    served.clock.move(seconds=LIFE_S, microseconds=-1)
    await sweep(served)
    assert await stored(served) == everything
    served.clock.move(microseconds=1)
    assert await stored(served) == everything
    await sweep(served)
    assert await stored(served) == {"the roof leaks", "mend what leaks"}


async def test_an_expiry_is_set_and_taken_away(served: Served) -> None:
    once = (await create(served, "mend the pump")).memory
    kept = (await create(served, "paint the shed", expire_time=at(served))).memory
    await change(served, once.memory_id, at(served))
    await change(served, kept.memory_id, None)
    with pytest.raises(aio.AioRpcError) as error:
        await change(served, kept.memory_id, at(served, 0))
    assert fields(error.value) == ["change.expire_time"]
    served.clock.move(seconds=LIFE_S)
    assert await seen(served, "shed") == ({"paint the shed"}, {kept.memory_id}, 1)


async def test_an_expiry_that_is_over_is_refused(served: Served) -> None:
    over = at(served, 0)
    new = pb.NewMemory(kind=LEARNING, content="another", expire_time=over)
    assert await refused(served, new) == ["memories[1].expire_time"]
    with pytest.raises(aio.AioRpcError) as error:
        await create(served, "one", expire_time=over)
    assert fields(error.value) == ["memory.expire_time"]
    with pytest.raises(aio.AioRpcError) as error:
        await asserted(served, "Utrecht", expire_time=over)
    assert fields(error.value) == ["expire_time"]


async def test_a_fact_that_expires_opens_again_what_it_had_closed(served: Served) -> None:
    first, second = at(served, -7200), at(served, -3600)
    await asserted(served, "Leiden", valid_from=first, single_valued=True)
    await asserted(served, "Utrecht", valid_from=second, single_valued=True, expire_time=at(served))
    assert await objects(served) == ["Leiden", "Utrecht"]
    served.clock.move(seconds=LIFE_S)
    assert await objects(served) == ["Leiden"]
    found = await served.knowledge.ListFacts(knowledge_pb.ListFactsRequest(namespace=NAME))
    assert not found.facts[0].memory.fact.HasField("valid_to")


async def test_a_fact_that_is_told_again_lasts_as_long_as_the_longer(served: Served) -> None:
    await asserted(served, "Leiden", expire_time=at(served))
    longer = await asserted(served, "Leiden", expire_time=at(served, 2 * LIFE_S), source="hall")
    assert longer.fact.memory.expire_time == at(served, 2 * LIFE_S)
    shorter = await asserted(served, "Leiden", expire_time=at(served, 60), source="door")
    assert shorter.fact.memory.expire_time == at(served, 2 * LIFE_S)
    forever = await asserted(served, "Leiden", source="book")
    assert not forever.fact.memory.HasField("expire_time")


async def test_a_lesson_is_merged_only_into_one_that_expires_with_it(served: Served) -> None:
    await create(served, "mend the pump")
    apart = await create(served, "mend the pump", expire_time=at(served))
    same = await create(served, "mend the pump", expire_time=at(served))
    assert apart.outcome != pb.CREATE_OUTCOME_MERGED
    assert (same.outcome, same.memory.memory_id) == (
        pb.CREATE_OUTCOME_MERGED,
        apart.memory.memory_id,
    )
    served.clock.move(seconds=LIFE_S)
    assert (await seen(served, "pump"))[0] == {"mend the pump"}


async def test_a_note_expires_with_what_its_event_says(served: Served) -> None:
    note = palace_service_pb2.SaveNoteRequest(
        namespace=NAME, content="the code is 4711", project="apollo", expire_time=at(served)
    )
    drawer = (await served.palace.SaveNote(note)).memory
    assert drawer.expire_time == at(served)
    served.clock.move(seconds=LIFE_S)
    events = await served.ledger.ListEvents(
        ledger_pb.ListEventsRequest(namespace=NAME, session_id=drawer.session_id)
    )
    assert [one.content for one in events.events] == [""]
    found = await served.palace.ResolvePointer(
        palace_service_pb2.ResolvePointerRequest(namespace=NAME, pointer=drawer.pointer)
    )
    assert not found.HasField("memory")


async def test_an_export_carries_the_expiry(served: Served) -> None:
    await create(served, "mend the pump", expire_time=at(served))
    await create(served, "paint the shed")
    content = await served.behind.exported(NAME)
    await served.behind.imported("copy", content)
    async with served.calls.reading("copy") as opened:
        (expiring,) = await opened.store.expiring(10)
        assert expiring.expire_time_us == at(served).ToMicroseconds()
    served.clock.move(seconds=LIFE_S)
    async with served.calls.reading("copy") as opened:
        found = await opened.store.list_memories(MemoryFilter(), None, 0, 10)
        assert [one.content for one in found.items] == ["paint the shed"]
