"""Copies that were merged with own lessons, and sources that were merged, on every backend."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import duplicate_pb2, event_pb2, memory_pb2, policy_pb2, sleep_pb2
from anamnesis.memory.v1 import lesson_service_pb2 as lesson_pb
from anamnesis.memory.v1 import memory_service_pb2 as pb
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.memory_service import Served, serving

OLD, NEW = "kitchen", "bakery"
JUNO = Caller(agent_id="juno")
WARM = "Keep the cache of the order page warm."
DEPLOY = "Warm the cache of the order page before the deploy."
BOTH = "Keep the cache of the order page warm, and warm it before the deploy."


@pytest.fixture
async def served(tmp_path: Path, clock: SetClock, open_stores: Open) -> AsyncIterator[Served]:
    """A service whose old namespace gives to all others."""
    async with serving(tmp_path, clock, open_stores) as running:
        policy = policy_pb2.Policy(seeds_to=["*"])
        await running.admin.CreateNamespace(
            admin_pb.CreateNamespaceRequest(namespace=OLD, policy=policy)
        )
        yield running


async def learn(served: Served, namespace: str, content: str, user: str) -> memory_pb2.Memory:
    """A lesson of one user's that everybody sees."""
    new = pb.NewMemory(
        kind=memory_pb2.MEMORY_KIND_LEARNING,
        content=content,
        category="pattern",
        user_id=user,
        visibility=event_pb2.VISIBILITY_SHARED,
    )
    request = pb.CreateMemoryRequest(namespace=namespace, memory=new)
    return (await served.memory.CreateMemory(request)).memory


async def merge(
    served: Served, namespace: str, known: memory_pb2.Memory, other: memory_pb2.Memory
) -> None:
    """Make one lesson of two, whose text says both."""
    run = await served.admin.StartRun(
        admin_pb.StartRunRequest(
            namespace=namespace, phase=sleep_pb2.SLEEP_PHASE_MERGE, holder="test"
        )
    )
    settled = await served.lessons.SettleDuplicate(
        lesson_pb.SettleDuplicateRequest(
            namespace=namespace,
            lease=run.lease,
            known_id=known.memory_id,
            known_etag=known.etag,
            other_id=other.memory_id,
            other_etag=other.etag,
            outcome=duplicate_pb2.DUPLICATE_OUTCOME_MERGED,
            content=BOTH,
        )
    )
    assert settled.memory.content == BOTH


async def seed(served: Served) -> memory_pb2.Memory:
    """Seed the new namespace with one lesson; answers the copy."""
    request = lesson_pb.SeedNamespaceRequest(namespace=NEW, source_namespace=OLD, caller=JUNO)
    (one,) = (await served.lessons.SeedNamespace(request)).memories
    got = pb.GetMemoryRequest(namespace=NEW, memory_id=one.memory_id, caller=JUNO)
    return (await served.memory.GetMemory(got)).memory


async def texts(served: Served) -> list[str]:
    """What the new namespace says to everybody."""
    listed = pb.ListMemoriesRequest(namespace=NEW, caller=JUNO)
    ids = [one.memory_id for one in (await served.memory.ListMemories(listed)).memories]
    asked = pb.BatchGetMemoriesRequest(namespace=NEW, memory_ids=ids, caller=JUNO)
    found = (await served.memory.BatchGetMemories(asked)).memories if ids else []
    return [one.content for one in found]


async def erase(served: Served, user: str) -> None:
    """Erase a user of the old namespace."""
    await served.admin.DeleteSubject(admin_pb.DeleteSubjectRequest(namespace=OLD, user_id=user))


async def is_gone(served: Served, word: str) -> bool:
    """True if the new namespace holds a word nowhere."""
    asked = admin_pb.VerifyErasureRequest(namespace=NEW, canaries=[word])
    return not (await served.admin.VerifyErasure(asked)).places


@pytest.mark.parametrize("copy_stays", [True, False], ids=["into the copy", "into the own"])
async def test_an_own_lesson_that_was_worked_together_with_a_copy_stays_alone(
    served: Served, *, copy_stays: bool
) -> None:
    await learn(served, OLD, DEPLOY, "ada")
    own = await learn(served, NEW, WARM, "bo")
    copy = await seed(served)
    await merge(served, NEW, *((copy, own) if copy_stays else (own, copy)))
    listed = await served.lessons.ListSeeds(lesson_pb.ListSeedsRequest(namespace=NEW, caller=JUNO))
    assert [(one.memories, one.confirmed) for one in listed.seeds] == [(1, 1)]
    await erase(served, "ada")
    assert await texts(served) == [WARM]
    assert await is_gone(served, "deploy")


async def test_a_withdrawal_takes_a_copy_out_of_an_own_lesson(served: Served) -> None:
    await learn(served, OLD, DEPLOY, "ada")
    own = await learn(served, NEW, WARM, "bo")
    await merge(served, NEW, own, await seed(served))
    request = lesson_pb.WithdrawSeedRequest(namespace=NEW, source_namespace=OLD, caller=JUNO)
    assert (await served.lessons.WithdrawSeed(request)).confirmed == 1
    assert await texts(served) == [BOTH]
    request.include_confirmed = True
    assert (await served.lessons.WithdrawSeed(request)).withdrawn == 1
    assert await texts(served) == [WARM]
    assert await is_gone(served, "deploy")


async def test_a_source_that_became_one_with_another_holds_its_copy_until_it_is_erased(
    served: Served,
) -> None:
    source = await learn(served, OLD, DEPLOY, "ada")
    await seed(served)
    known = await learn(served, OLD, WARM, "bo")
    await merge(served, OLD, known, source)
    assert await texts(served) == [DEPLOY]
    await erase(served, "ada")
    assert await texts(served) == []


async def test_a_text_that_two_worked_on_goes_when_one_of_them_is_erased(served: Served) -> None:
    known, other = [await learn(served, OLD, *one) for one in ((WARM, "bo"), (DEPLOY, "ada"))]
    await merge(served, OLD, known, other)
    assert (await seed(served)).content == BOTH
    await erase(served, "ada")
    assert await texts(served) == []
    assert await is_gone(served, "deploy")
