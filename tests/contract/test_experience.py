"""What several users' work bears out is told to all where the policy says so, on every backend."""

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import memory_pb2, policy_pb2, sleep_pb2
from anamnesis.memory.v1 import memory_service_pb2 as pb
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.memory_service import Served, serving

SPACE = "n"
OTHER = Caller(user_id="eve")
TOLD = "The SQLite database is locked on …: turn on WAL and wait … ms"


@pytest.fixture
async def served(tmp_path: Path, clock: SetClock, open_stores: Open) -> AsyncIterator[Served]:
    """A service that has heard nothing."""
    async with serving(tmp_path, clock, open_stores) as running:
        yield running


async def learn(served: Served, user: str, place: str, ms: int) -> str:
    """A lesson of one user; answers its id."""
    text = f"The SQLite database is locked on {place}: turn on WAL and wait {ms} ms"
    new = pb.NewMemory(
        kind=memory_pb2.MEMORY_KIND_LEARNING, content=text, user_id=user, entities=[place]
    )
    request = pb.CreateMemoryRequest(namespace=SPACE, memory=new)
    return (await served.memory.CreateMemory(request)).memory.memory_id


async def decide(served: Served, *, shared: bool) -> None:
    policy = policy_pb2.Policy(share_experience=shared)
    mask = FieldMask(paths=["share_experience"])
    await served.admin.UpdateNamespacePolicy(
        admin_pb.UpdateNamespacePolicyRequest(namespace=SPACE, policy=policy, update_mask=mask)
    )


async def sleep(served: Served) -> dict[str, int]:
    """Run the phase; answers its counts."""
    request = admin_pb.RunSleepCycleRequest(namespace=SPACE, phases=[sleep_pb2.SLEEP_PHASE_SHARE])
    run = [one async for one in served.admin.RunSleepCycle(request)][-1].run
    assert run.state == sleep_pb2.RUN_STATE_DONE, run
    return dict(run.counts)


async def seen(served: Served, caller: Caller = OTHER) -> list[memory_pb2.Memory]:
    listed = pb.ListMemoriesRequest(namespace=SPACE, caller=caller)
    ids = [one.memory_id for one in (await served.memory.ListMemories(listed)).memories]
    wanted = pb.BatchGetMemoriesRequest(namespace=SPACE, memory_ids=ids, caller=caller)
    return list((await served.memory.BatchGetMemories(wanted)).memories) if ids else []


async def three(served: Served) -> list[str]:
    """The same lesson of three users; answers their ids."""
    told = (("ada", "kiln", 150), ("bo", "loom", 250), ("cy", "forge", 350))
    return [await learn(served, *one) for one in told]


async def test_only_where_the_policy_says_so_and_without_whose_it_is(served: Served) -> None:
    ids = await three(served)
    assert await sleep(served) == {}
    assert await seen(served) == []
    await decide(served, shared=True)
    assert await sleep(served) == {"shared": 1, "told": 1}
    (told,) = await seen(served)
    assert told.content == TOLD
    assert told.provenance.model == "experience of 3 users"
    assert not any((told.user_id, told.agent_id, told.session_id, *told.entities))
    said = str(told)
    for drawn in (told.memory_id, told.revision, told.etag):  # any digits may be in these
        said = said.replace(drawn, "")
    for word in ("ada", "bo", "cy", "kiln", "loom", "forge", "150", "250", "350", *ids):
        assert word not in said
    walk = knowledge_pb.TraverseRequest(namespace=SPACE, caller=OTHER, start_ids=[told.memory_id])
    hops = await served.knowledge.Traverse(walk)
    assert not set(ids) & {one.node_id for one in hops.nodes}
    assert await sleep(served) == {"told": 1}


async def test_what_is_not_borne_out_any_more_is_withdrawn(served: Served) -> None:
    ids = await three(served)
    await decide(served, shared=True)
    await learn(served, "di", "mill", 450)
    await sleep(served)
    assert [one.provenance.model for one in await seen(served)] == ["experience of 4 users"]
    erasing = admin_pb.DeleteSubjectRequest(namespace=SPACE, user_id="di")
    await served.admin.DeleteSubject(erasing)
    assert (await sleep(served))["shared"] == 1
    assert [one.provenance.model for one in await seen(served)] == ["experience of 3 users"]
    await served.memory.DeleteMemory(
        pb.DeleteMemoryRequest(namespace=SPACE, memory_id=ids[0], caller=Caller(user_id="ada"))
    )
    assert await sleep(served) == {"withdrawn": 1}
    assert await seen(served) == []


async def test_a_policy_that_is_taken_back_takes_back_what_was_told(served: Served) -> None:
    await three(served)
    await decide(served, shared=True)
    await sleep(served)
    await decide(served, shared=False)
    assert await sleep(served) == {"withdrawn": 1}
    assert await seen(served) == []
    assert len(await seen(served, Caller(user_id="ada"))) == 1


async def test_nobody_else_says_that_several_bear_something_out(served: Served) -> None:
    new = pb.NewMemory(
        kind=memory_pb2.MEMORY_KIND_LEARNING,
        content="Trust me.",
        provenance=memory_pb2.Provenance(model="experience of 9 users"),
    )
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await served.memory.CreateMemory(pb.CreateMemoryRequest(namespace=SPACE, memory=new))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_what_is_told_is_consistent_and_found(served: Served) -> None:
    await three(served)
    await decide(served, shared=True)
    await sleep(served)
    request = admin_pb.VerifyConsistencyRequest(namespace=SPACE)
    findings = [one async for one in served.admin.VerifyConsistency(request)]
    assert not [one for one in findings if one.HasField("finding")], findings


async def test_what_lies_unused_is_neither_told_twice_nor_kept(served: Served) -> None:
    ids = await three(served)
    await decide(served, shared=True)
    await sleep(served)
    (told,) = await seen(served)
    archived = pb.MemoryChange(status=memory_pb2.MEMORY_STATUS_ARCHIVED)
    await served.memory.UpdateMemory(
        pb.UpdateMemoryRequest(
            namespace=SPACE,
            memory_id=told.memory_id,
            change=archived,
            update_mask=FieldMask(paths=["status"]),
            caller=OTHER,
        )
    )
    assert await sleep(served) == {"told": 1}
    await served.memory.DeleteMemory(
        pb.DeleteMemoryRequest(namespace=SPACE, memory_id=ids[0], caller=Caller(user_id="ada"))
    )
    assert await sleep(served) == {"withdrawn": 1}
