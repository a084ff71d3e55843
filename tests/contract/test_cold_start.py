"""A namespace begins with what another learned, and can be rid of it, on every backend."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import event_pb2, memory_pb2, policy_pb2
from anamnesis.memory.v1 import lesson_service_pb2 as lesson_pb
from anamnesis.memory.v1 import memory_service_pb2 as pb
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.memory_service import Served, serving

OLD, NEW = "kitchen", "bakery"
EVE = Caller(user_id="eve", agent_id="juno")
WAL = "The SQLite database is locked: turn on WAL and set a busy timeout of 150 ms"
PROXY = "Behind the proxy of the oven room, git push hangs: unset http_proxy first"


@pytest.fixture
async def served(tmp_path: Path, clock: SetClock, open_stores: Open) -> AsyncIterator[Served]:
    """A service with a namespace that learned two lessons for everybody, and one of a user's."""
    async with serving(tmp_path, clock, open_stores) as running:
        await learn(running, WAL)
        await learn(running, PROXY, user_id="ada", visibility=event_pb2.VISIBILITY_SHARED)
        await learn(running, "Ada keeps the spare key under the third pot", user_id="ada")
        yield running


async def learn(served: Served, text: str, **more: object) -> str:
    """A lesson in the old namespace; answers its id."""
    new = pb.NewMemory(kind=memory_pb2.MEMORY_KIND_LEARNING, content=text, **more)  # type: ignore[arg-type]
    made = await served.memory.CreateMemory(pb.CreateMemoryRequest(namespace=OLD, memory=new))
    return made.memory.memory_id


async def allow(served: Served, *names: str) -> None:
    policy = policy_pb2.Policy(seeds_to=names)
    mask = FieldMask(paths=["seeds_to"])
    await served.admin.UpdateNamespacePolicy(
        admin_pb.UpdateNamespacePolicyRequest(namespace=OLD, policy=policy, update_mask=mask)
    )


async def seed(served: Served, **more: object) -> lesson_pb.SeedNamespaceResponse:
    return await served.lessons.SeedNamespace(
        lesson_pb.SeedNamespaceRequest(
            namespace=NEW,
            source_namespace=OLD,
            caller=EVE,
            **more,  # type: ignore[arg-type]
        )
    )


async def seen(served: Served, caller: Caller = EVE) -> dict[str, memory_pb2.Memory]:
    """What a caller sees in the new namespace, by its text."""
    listed = await served.memory.ListMemories(pb.ListMemoriesRequest(namespace=NEW, caller=caller))
    ids = [one.memory_id for one in listed.memories]
    wanted = pb.BatchGetMemoriesRequest(namespace=NEW, memory_ids=ids, caller=caller)
    found = (await served.memory.BatchGetMemories(wanted)).memories if ids else []
    return {one.content: one for one in found}


async def seeds(served: Served) -> list[tuple[str, int, int, bool]]:
    listed = await served.lessons.ListSeeds(lesson_pb.ListSeedsRequest(namespace=NEW, caller=EVE))
    return [
        (one.source_namespace, one.memories, one.confirmed, one.source_present)
        for one in listed.seeds
    ]


async def withdraw(served: Served, **more: object) -> lesson_pb.WithdrawSeedResponse:
    return await served.lessons.WithdrawSeed(
        lesson_pb.WithdrawSeedRequest(
            namespace=NEW,
            source_namespace=OLD,
            caller=EVE,
            **more,  # type: ignore[arg-type]
        )
    )


async def left_of(served: Served, text: str) -> list[str]:
    """The places where a text is still kept in the new namespace."""
    asked = admin_pb.VerifyErasureRequest(namespace=NEW, canaries=[text])
    return [one.place for one in (await served.admin.VerifyErasure(asked)).places]


async def test_only_where_the_policy_of_the_source_says_so(served: Served) -> None:
    for names in ((), ("office",)):
        await allow(served, *names)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await seed(served)
        assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED
    await allow(served, NEW)
    foreseen = await seed(served, dry_run=True)
    assert len(foreseen.memories) == 2
    assert not foreseen.revision
    assert not any(one.memory_id for one in foreseen.memories)


async def test_copies_say_where_they_are_from_and_name_nobody(served: Served) -> None:
    await allow(served, "*")
    given = await seed(served)
    assert (len(given.memories), given.known, given.refused) == (2, 0, 0)
    found = await seen(served)
    assert set(found) == {WAL, PROXY}
    copy = found[PROXY]
    assert copy.provenance.seed.namespace == OLD
    assert copy.provenance.seed.memory_id in {one.source_memory_id for one in given.memories}
    assert copy.provenance.seed.revision
    assert copy.confidence == pytest.approx(0.56)
    assert not any((copy.user_id, copy.agent_id, copy.session_id))
    assert await seeds(served) == [(OLD, 2, 0, True)]


async def test_seeding_again_adds_only_what_is_new(served: Served) -> None:
    await allow(served, NEW)
    first = await seed(served, request_id="one")
    assert await seed(served, request_id="one") == first
    again = await seed(served)
    assert (len(again.memories), again.known) == (0, 2)
    gone = first.memories[0].memory_id
    await served.memory.DeleteMemory(
        pb.DeleteMemoryRequest(namespace=NEW, memory_id=gone, caller=EVE)
    )
    await learn(served, "The till prints nothing while its drawer is open")
    more = await seed(served)
    assert (len(more.memories), more.known) == (1, 2)


async def test_two_who_seed_at_once_bring_nothing_twice(served: Served) -> None:
    await allow(served, NEW)
    both = await asyncio.gather(seed(served), seed(served))
    assert sorted((len(one.memories), one.known) for one in both) == [(0, 2), (2, 0)]
    assert await seeds(served) == [(OLD, 2, 0, True)]


async def test_withdrawn_are_those_that_nothing_confirmed(served: Served) -> None:
    await allow(served, NEW)
    await seed(served)
    held = (await seen(served))[WAL].memory_id
    await served.lessons.ValidateLesson(
        lesson_pb.ValidateLessonRequest(namespace=NEW, memory_id=held, success=True, caller=EVE)
    )
    assert await seeds(served) == [(OLD, 2, 1, True)]
    foreseen = await withdraw(served, dry_run=True)
    assert (foreseen.withdrawn, foreseen.confirmed) == (1, 1)
    gone = await withdraw(served)
    assert (gone.withdrawn, gone.confirmed, gone.receipt.records["memories"]) == (1, 1, 1)
    assert set(await seen(served)) == {WAL}
    assert await left_of(served, PROXY) == []
    assert (await withdraw(served, include_confirmed=True)).withdrawn == 1
    assert await seen(served) == {}
    assert await seeds(served) == []
    assert not (await withdraw(served)).withdrawn


async def test_what_an_own_lesson_says_too_stays_as_that_lesson(served: Served) -> None:
    await allow(served, NEW)
    await seed(served)
    own = pb.NewMemory(kind=memory_pb2.MEMORY_KIND_LEARNING, content=WAL)
    await served.memory.CreateMemory(pb.CreateMemoryRequest(namespace=NEW, memory=own))
    assert (await withdraw(served, include_confirmed=True)).withdrawn == 2
    (stays,) = (await seen(served)).values()
    assert stays.content == WAL
    assert not stays.provenance.HasField("seed")


async def test_an_erasure_in_the_source_reaches_the_copies(served: Served) -> None:
    await allow(served, NEW)
    await seed(served)
    held = (await seen(served))[PROXY].memory_id
    await served.lessons.ApplyLesson(
        lesson_pb.ApplyLessonRequest(namespace=NEW, memory_id=held, caller=EVE)
    )
    await served.admin.DeleteSubject(admin_pb.DeleteSubjectRequest(namespace=OLD, user_id="ada"))
    assert await left_of(served, PROXY) == []
    assert set(await seen(served)) == {WAL}
    assert await seeds(served) == [(OLD, 1, 0, True)]


async def test_a_source_that_is_deleted_takes_its_copies_along(served: Served) -> None:
    await allow(served, NEW)
    await seed(served)
    source = await served.admin.GetNamespace(admin_pb.GetNamespaceRequest(namespace=OLD))
    await served.admin.DeleteNamespace(
        admin_pb.DeleteNamespaceRequest(namespace=OLD, incarnation=source.namespace.incarnation)
    )
    assert await seen(served) == {}
    assert await left_of(served, WAL) == []


async def test_one_agent_alone_may_be_seeded(served: Served) -> None:
    await allow(served, NEW)
    await seed(served, private_to_agent=True)
    assert set(await seen(served)) == {WAL, PROXY}
    assert await seen(served, Caller(agent_id="vesta")) == {}
    asked = lesson_pb.ListSeedsRequest(namespace=NEW, caller=Caller(agent_id="vesta"))
    assert not (await served.lessons.ListSeeds(asked)).seeds
    assert (await withdraw(served)).withdrawn == 0
    assert (await withdraw(served, private_to_agent=True)).withdrawn == 2


async def test_a_source_that_is_shared_no_more_is_withdrawn_one_that_became_another_is_not(
    served: Served,
) -> None:
    narrowed = await learn(
        served,
        "The scales drift after an hour: tare them",
        user_id="ada",
        visibility=event_pb2.VISIBILITY_SHARED,
    )
    await allow(served, NEW)
    await seed(served)
    mine = pb.MemoryChange(visibility=event_pb2.VISIBILITY_PRIVATE_TO_USER)
    await change(served, narrowed, mine, "visibility")
    assert set(await seen(served)) == {WAL, PROXY}
    corrected = pb.MemoryChange(content="Behind the proxy git push works again")
    (proxy,) = [one for one in await known(served, OLD) if one.content == PROXY]
    await change(served, proxy.memory_id, corrected, "content")
    assert set(await seen(served)) == {WAL, PROXY}


async def test_of_people_nothing_is_given(served: Served) -> None:
    await learn(served, "Mara prefers tea to coffee", category="preference")
    await allow(served, NEW)
    assert {one.summary for one in (await seed(served)).memories} == {WAL, PROXY}


async def test_what_was_seeded_is_not_given_on(served: Served) -> None:
    await allow(served, NEW)
    await seed(served)
    policy = policy_pb2.Policy(seeds_to=["*"])
    mask = FieldMask(paths=["seeds_to"])
    await served.admin.UpdateNamespacePolicy(
        admin_pb.UpdateNamespacePolicyRequest(namespace=NEW, policy=policy, update_mask=mask)
    )
    request = lesson_pb.SeedNamespaceRequest(namespace="third", source_namespace=NEW, caller=EVE)
    assert not (await served.lessons.SeedNamespace(request)).memories


async def test_an_exported_copy_keeps_where_it_is_from_and_can_be_withdrawn(
    served: Served,
) -> None:
    await allow(served, NEW)
    await seed(served)
    exported = admin_pb.ExportNamespaceRequest(namespace=NEW)
    chunks = [one.chunk async for one in served.admin.ExportNamespace(exported)]
    header = admin_pb.ImportNamespaceHeader(namespace="moved")
    sent = [admin_pb.ImportNamespaceRequest(header=header)]
    sent += [admin_pb.ImportNamespaceRequest(chunk=one) for one in chunks]
    await served.admin.ImportNamespace(iter(sent))
    moved = {one.content: one.provenance for one in await known(served, "moved")}
    assert {one.seed.namespace for one in moved.values()} == {OLD}
    assert moved == {one.content: one.provenance for one in await known(served, NEW)}
    await served.admin.DeleteSubject(admin_pb.DeleteSubjectRequest(namespace=OLD, user_id="ada"))
    assert {one.content for one in await known(served, "moved")} == {WAL}
    request = lesson_pb.WithdrawSeedRequest(namespace="moved", source_namespace=OLD, caller=EVE)
    assert (await served.lessons.WithdrawSeed(request)).withdrawn == 1
    assert await known(served, "moved") == []


async def known(served: Served, namespace: str) -> list[memory_pb2.Memory]:
    """What everybody sees in a namespace."""
    listing = pb.ListMemoriesRequest(namespace=namespace, caller=EVE)
    ids = [one.memory_id for one in (await served.memory.ListMemories(listing)).memories]
    wanted = pb.BatchGetMemoriesRequest(namespace=namespace, memory_ids=ids, caller=EVE)
    return list((await served.memory.BatchGetMemories(wanted)).memories) if ids else []


async def change(served: Served, memory_id: str, to: pb.MemoryChange, path: str) -> None:
    """Change a memory of the old namespace as its owner."""
    await served.memory.UpdateMemory(
        pb.UpdateMemoryRequest(
            namespace=OLD,
            memory_id=memory_id,
            change=to,
            update_mask=FieldMask(paths=[path]),
            caller=Caller(user_id="ada"),
        )
    )
