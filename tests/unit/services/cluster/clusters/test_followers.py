"""Tests of following under leases: one process a namespace, and another when that one is gone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from anamnesis.memory.v1 import ledger_service_pb2, topic_service_pb2, work_pb2
from anamnesis_cluster.wiring import ClusterModule, build
from anamnesis_libs import errors
from tests.support.memory_spaces import number
from tests.support.serving import service_context
from tests.unit.services.cluster.running import TIMEOUT_S, NoTokens, Running, lesson, running

pytestmark = pytest.mark.slow

Claim = ledger_service_pb2.ClaimWorkRequest
Complete = ledger_service_pb2.CompleteWorkRequest
Fail = ledger_service_pb2.FailWorkRequest
Renew = ledger_service_pb2.RenewWorkRequest


@asynccontextmanager
async def another(run: Running, **clusters: object) -> AsyncIterator[ClusterModule]:
    """A second replica on the same memory."""
    async with service_context(run.memory, NoTokens(), {"clusters": clusters}) as context:
        module = build(context)
        yield module
        await module.stop()


def owner(run: Running, namespace: str) -> str:
    """Who holds the lease of a namespace; empty for nobody."""
    work = run.space(namespace).work
    return work.holder if work.state == work_pb2.WORK_STATE_CLAIMED else ""


async def settled(run: Running, namespace: str = "n") -> None:
    """Wait until a namespace is followed and nothing is left to assign."""

    def at_rest() -> bool:
        running = run.module.followers._running.get(namespace)
        return running is not None and running.follower.settled

    await run.until(at_rest)


async def test_two_replicas_never_follow_one_namespace_at_once() -> None:
    most = {"namespaces_followed_max": 3}
    async with running(**most) as run, another(run, **most) as other:
        names = [f"n{at}" for at in range(6)]
        for name in names:
            await run.memory.put(name, lesson("a", 1, 0))
        async with asyncio.timeout(TIMEOUT_S):
            while any(run.space(name).due for name in names):
                await asyncio.gather(run.step(), other.followers.step())
                assert not run.module.followers.followed & other.followers.followed
                assert all(run.memory.watching[name] <= 1 for name in names)
                await asyncio.sleep(0.01)
        assert run.module.followers.followed | other.followers.followed == set(names)
        # each in the name of one of two processes, and decided once
        assert len({owner(run, name) for name in names}) == 2
        assert all(list(run.homes(name)) == ["a"] for name in names)
        assert len(run.memory.asked(topic_service_pb2.AssignTopicMembersRequest)) == len(names)


async def test_a_replica_that_is_killed_is_taken_over_after_its_lease() -> None:
    async with running(lease_s=3) as run:
        await run.memory.put("n", lesson("a", 1, 0))
        async with asyncio.timeout(TIMEOUT_S):
            # another process claimed it and was killed
            assert run.space().work.claim("killed", 0.5)
            assert not await run.step()
            assert run.module.followers.followed == frozenset()
            await run.until(lambda: "a" in run.homes())
        assert run.space().work.token == 2


async def test_leases_are_renewed_while_a_namespace_is_followed() -> None:
    async with running(lease_s=3) as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.until(lambda: len(run.memory.asked(Renew)) == 2)
        assert run.space().work.token == 1
        assert run.module.followers.followed == {"n"}


async def test_a_replica_that_stalled_cannot_write_and_stops() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await settled(run)
        held = run.space().work
        held.ready_s = 0.0
        assert held.claim("another", 60)
        await run.memory.put("n", lesson("b", 1, 0))
        await run.until(lambda: run.module.followers.followed == frozenset())
        assert "b" not in run.homes()
        assert run.space().assigned == 2
        assert (held.holder, held.again) == ("another", True)
        assert run.module.followers.failures == 0
        assert run.memory.asked(Complete) == run.memory.asked(Fail) == []


async def test_a_lease_that_is_lost_is_noticed_by_its_renewal() -> None:
    async with running(lease_s=3) as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.until(lambda: "a" in run.homes())
        run.space().work.ready_s = 0.0
        assert run.space().work.claim("another", 60)
        await run.until(lambda: run.module.followers.followed == frozenset())
        assert len(run.memory.asked(Renew)) == 1
        assert run.memory.asked(Fail) == []


async def test_a_lease_that_cannot_be_renewed_in_time_counts_as_lost() -> None:
    async with running(lease_s=3) as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.until(lambda: "a" in run.homes())
        down = [errors.StoreUnavailable("the disk is gone")] * 1000
        run.memory.fail("RenewWork", *down)
        run.memory.fail("ClaimWork", *[errors.ResourceExhausted("busy")] * 1000)
        async with asyncio.timeout(TIMEOUT_S):
            while run.module.followers.followed:
                try:
                    await run.step()
                except errors.ResourceExhausted:
                    await asyncio.sleep(0.05)
        assert run.memory.watching["n"] == 0


async def test_closing_completes_what_has_caught_up() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await settled(run)
        await run.module.followers.close()
        assert run.space().work.state == work_pb2.WORK_STATE_DONE
        assert len(run.memory.asked(Complete)) == 1
        assert not await run.step()
        assert run.module.followers.followed == frozenset()


async def test_a_quiet_namespace_is_let_go_of_and_comes_back_with_its_next_lesson() -> None:
    async with running(quiet_s=0.05) as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.until(lambda: bool(run.memory.asked(Complete)))
        assert run.module.followers.followed == frozenset()
        assert owner(run, "n") == ""
        await run.memory.put("n", lesson("b", 0, 1))
        await run.until(lambda: "b" in run.homes())


async def test_lessons_that_came_while_it_was_followed_are_looked_at_once_more() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await settled(run)
        await run.memory.put("n", lesson("b", 1, 0))
        await run.module.followers.close()
        assert run.space().work.state == work_pb2.WORK_STATE_PENDING
        await run.until(lambda: "b" in run.homes())
        await settled(run)
        await run.module.followers.close()
        assert run.space().work.state == work_pb2.WORK_STATE_DONE


async def test_closing_leaves_what_waits_for_vectors_to_be_claimed_soon() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("late"))
        await run.until(lambda: run.memory.watching["n"] == 1)
        await run.module.followers.close()
        (told,) = run.memory.asked(Fail)
        assert (told.retry_after_seconds, bool(told.reason)) == (1, True)
        assert run.space().work.state == work_pb2.WORK_STATE_FAILED
        run.space().lessons["late"].embedding.vector.extend([1, 0])
        await run.until(lambda: "late" in run.homes())


async def test_a_broken_follower_says_why_and_waits_the_longer_the_more_often() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        refused = errors.Internal("a fault")
        run.memory.fail("BatchGetMemories", refused, refused)
        await run.until(lambda: "a" in run.homes())
        told = run.memory.asked(Fail)
        assert [one.retry_after_seconds for one in told] == [1, 2]
        assert all("Internal" in one.reason for one in told)
        assert run.module.followers.failures == 2


async def test_who_waits_has_a_due_namespace_claimed_at_once() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.module.followers.want("n")
        assert run.module.followers.followed == {"n"}
        assert [asked.namespace for asked in run.memory.asked(Claim)] == ["n"]
        await run.module.followers.want("n")
        assert len(run.memory.asked(Claim)) == 1


async def test_who_waits_for_what_another_replica_follows_does_no_double_work() -> None:
    async with running() as run, another(run) as other:
        await run.memory.put("n", lesson("a", 1, 0))
        await other.followers.step()
        await run.module.followers.want("n")
        assert run.module.followers.followed == frozenset()
        await run.until(lambda: not run.space().due)
        (write,) = run.memory.asked(topic_service_pb2.AssignTopicMembersRequest)
        assert (write.lease.token, number(write.assigned_revision)) == (1, 2)


async def test_what_is_wanted_makes_room_for_itself() -> None:
    async with running(namespaces_followed_max=1) as run:
        await run.memory.put("a", lesson("m", 1, 0))
        await settled(run, "a")
        await run.memory.put("b", lesson("m", 1, 0))
        await run.module.followers.want("b")
        assert run.module.followers.followed == {"b"}
        assert run.space("a").work.state == work_pb2.WORK_STATE_DONE
