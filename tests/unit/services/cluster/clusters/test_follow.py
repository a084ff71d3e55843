"""Tests of following: what is told is assigned once, in order, and nothing is passed over."""

import asyncio

import pytest

from anamnesis.memory.v1 import memory_service_pb2, topic_service_pb2, work_pb2
from anamnesis_cluster.clusters import follow
from anamnesis_libs import errors
from anamnesis_libs.errors import not_found
from tests.support.memory_server import MemoryServer
from tests.support.memory_spaces import number
from tests.unit.services.cluster.running import lesson, running

pytestmark = pytest.mark.slow

Assign = topic_service_pb2.AssignTopicMembersRequest
Watch = memory_service_pb2.WatchMemoriesRequest


def writes(memory: MemoryServer) -> list[tuple[list[str], int]]:
    """What each write assigned, and where it put the cursor; 0 for nowhere."""
    return [
        ([one.memory_id for one in asked.assignments], number(asked.assigned_revision))
        for asked in memory.asked(Assign)
    ]


async def test_lessons_are_assigned_and_the_cursor_moves_with_them() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0), lesson("b", 0.9, 0.1), lesson("c", 0, 1))
        await run.until(lambda: len(run.homes()) == 3)
        assert run.homes() == {"a": "t-a", "b": "t-a", "c": "t-c"}
        assert run.space().topics["t-a"].label == "Title a"
        assert writes(run.memory) == [(["a", "b", "c"], 2)]
        assert not run.space().due


async def test_a_later_lesson_is_assigned_without_another_look_at_what_is_due() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.until(lambda: "a" in run.homes())
        await run.memory.put("n", lesson("b", 1, 0))
        await run.until(lambda: "b" in run.homes())
        assert len(run.memory.asked(Watch)) == 1


async def test_quiet_namespaces_stay_quiet() -> None:
    """The cursor's own move is a revision, which must not move the cursor again."""
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.until(lambda: not run.space().due)
        for _ in range(20):
            await run.step()
            await asyncio.sleep(0.01)
        assert len(run.memory.asked(Assign)) == 1


async def test_a_namespace_that_is_due_for_nothing_is_not_written_to() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.memory.delete("n", "a")
        await run.until(lambda: run.memory.watching["n"] == 1)
        assert writes(run.memory) == []


async def test_private_lessons_are_clustered_in_their_own_scope() -> None:
    async with running() as run:
        await run.memory.put(
            "n",
            lesson("s", 1, 0),
            lesson("a", 1, 0, agent_id="x"),
            lesson("b", 1, 0, agent_id="y"),
            lesson("u", 1, 0, user_id="x"),
        )
        await run.memory.put("n", lesson("v", 1, 0, user_id="x"), lesson("t", 1, 0))
        await run.until(lambda: len(run.homes()) == 6)
        homes = run.homes()
        assert homes["s"] == homes["t"]
        assert homes["u"] == homes["v"]
        assert len(set(homes.values())) == 4


async def test_a_conflict_is_decided_anew() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        run.memory.fail("AssignTopicMembers", errors.Conflict("topics"), errors.Conflict("topics"))
        await run.until(lambda: "a" in run.homes())
        assert writes(run.memory) == [(["a"], 2)] * 3
        lists = run.memory.asked(topic_service_pb2.ListTopicsRequest)
        assert sum(asked.include_centroids for asked in lists) == 3


async def test_endless_conflicts_break_the_follower_and_are_counted() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        conflicts = [errors.Conflict("topics")] * follow.CONFLICTS_MAX
        run.memory.fail("AssignTopicMembers", *conflicts)
        await run.until(lambda: "a" in run.homes())
        assert run.module.followers.failures == 1


async def test_the_cursor_waits_for_vectors_and_others_do_not() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0), lesson("late"))
        await run.memory.put("n", lesson("b", 1, 0))
        await run.until(lambda: len(run.homes()) == 2)
        assert run.space().assigned == 1
        await run.memory.put("n", lesson("c", 1, 0))
        await run.until(lambda: "c" in run.homes())
        assert run.space().assigned == 1
        run.space().lessons["late"].embedding.vector.extend([1, 0])
        await run.until(lambda: "late" in run.homes() and not run.space().due)
        assert run.space().assigned >= 4
        assert sum(ids.count("a") for ids, _ in writes(run.memory)) == 1


async def test_a_lesson_deleted_while_it_waits_is_forgotten() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("late"))
        await run.until(lambda: len(run.memory.asked(Watch)) == 1)
        await run.memory.delete("n", "late")
        await run.until(lambda: not run.space().due)
        assert run.homes() == {}


async def test_a_long_backlog_goes_in_batches_and_the_cursor_last() -> None:
    async with running(assign_batch_max=2) as run:
        for at in range(5):
            await run.memory.put("n", lesson(f"m{at}", 1, 0))
        await run.until(lambda: not run.space().due)
        assert set(run.homes()) == {f"m{at}" for at in range(5)}
        cursors = [cursor for _, cursor in writes(run.memory) if cursor]
        assert cursors == sorted(cursors)
        assert all(len(ids) <= 3 for ids, _ in writes(run.memory))


async def test_lessons_of_one_revision_are_never_split_by_the_cursor() -> None:
    async with running(assign_batch_max=2) as run:
        await run.memory.put("n", *(lesson(f"m{at}", 1, 0) for at in range(7)))
        await run.until(lambda: not run.space().due)
        assigned: set[str] = set()
        for ids, cursor in writes(run.memory):
            assigned.update(ids)
            assert not cursor or len(assigned) == 7


async def test_a_broken_stream_is_opened_again_at_the_cursor() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.until(lambda: "a" in run.homes())
        await run.memory.break_streams()
        await run.until(lambda: run.module.followers.failures == 1)
        await run.memory.put("n", lesson("b", 1, 0))
        await run.until(lambda: "b" in run.homes())
        first, second = run.memory.asked(Watch)
        assert (number(first.after_revision), number(second.after_revision)) == (1, 3)
        assert sum(ids.count("a") for ids, _ in writes(run.memory)) == 1


async def test_a_forgotten_log_means_every_lesson_is_looked_at() -> None:
    async with running() as run:
        await run.memory.put("n", *(lesson(f"m{at}", 1, 0) for at in range(4)))
        await run.memory.put("n", lesson("p", 1, 0, agent_id="x"))
        run.space().log.clear()
        run.space().oldest = 3
        await run.until(lambda: len(run.homes()) == 5)
        await run.memory.put("n", lesson("new", 1, 0))
        await run.until(lambda: "new" in run.homes())
        assert run.module.followers.failures == 0


async def test_no_more_namespaces_are_followed_than_there_is_room_for() -> None:
    async with running(namespaces_followed_max=2) as run:
        for at in range(6):
            await run.memory.put(f"n{at}", lesson("a", 1, 0))
        most = 0

        def all_assigned() -> bool:
            nonlocal most
            most = max(most, len(run.module.followers.followed))
            return not any(space.due for space in run.memory.spaces.values())

        await run.until(all_assigned)
        assert most == 2
        assert all(space.topics for space in run.memory.spaces.values())


async def test_namespaces_that_wait_for_vectors_starve_nobody() -> None:
    async with running(namespaces_followed_max=1) as run:
        await run.memory.put("a-waits", lesson("late"))
        await run.memory.put("b-ready", lesson("m", 1, 0))
        await run.until(lambda: bool(run.homes("b-ready")))


async def test_a_namespace_that_is_gone_is_let_go() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        run.memory.fail("ListTopics", not_found.NamespaceNotFound("n"))
        await run.step()
        run.space().work.state = work_pb2.WORK_STATE_DONE
        await run.until(lambda: run.module.followers.followed == frozenset())
        assert run.module.followers.failures == 0


async def test_stopping_ends_every_watch() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.until(lambda: "a" in run.homes())
        run.context.stopping.set()
        await run.until(lambda: run.memory.watching["n"] == 0)
        assert await run.step() is False
        assert run.module.followers.followed == frozenset()


async def test_memory_that_does_not_answer_fails_the_step() -> None:
    async with running() as run:
        run.memory.fail("ClaimWork", errors.ResourceExhausted("busy"))
        with pytest.raises(errors.ResourceExhausted):
            await run.step()
