"""Tests of claiming, renewing, completing and failing work, over real channels and SQLite."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from anamnesis.memory.v1 import admin_service_pb2, topic_service_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1 import work_pb2 as work
from anamnesis_libs.errors import LeaseLost, StoreUnavailable
from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.work import WorkItem, WorkState
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet
from tests.support.memory_service import IDLE_S, Served, serving
from tests.support.pipeline_calls import (
    CLUSTER,
    LABEL,
    SECRET,
    SEGMENT,
    claim,
    learn,
    lease,
    listed,
    refused,
    talk,
)

pytestmark = pytest.mark.slow


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service."""
    async with serving(tmp_path) as running:
        yield running


async def test_an_ended_session_is_claimed_once_and_again_after_its_lease(served: Served) -> None:
    appended = await talk(served)
    (item,) = (await claim(served, lease_seconds=60)).items
    assert (item.namespace, item.kind, item.session_id) == ("n", SEGMENT, "s")
    assert (item.state, item.holder, item.attempts) == (work.WORK_STATE_CLAIMED, "w", 1)
    assert item.session_etag == appended.session.etag
    assert item.expire_time.ToSeconds() == int(served.clock.monotonic_s()) + 60
    again = await claim(served)
    assert list(again.items) == []
    assert again.next_due_time == item.expire_time
    served.clock.move(seconds=60)
    (taken,) = (await claim(served, holder="x")).items
    assert (taken.holder, taken.attempts) == ("x", 2)
    assert taken.token > item.token


async def test_an_open_session_is_due_when_it_has_been_idle(served: Served) -> None:
    await talk(served, end=False)
    nothing = await claim(served)
    assert list(nothing.items) == []
    assert nothing.next_due_time.ToSeconds() == int(served.clock.monotonic_s()) + IDLE_S
    served.clock.move(seconds=IDLE_S)
    assert len((await claim(served)).items) == 1


async def test_an_open_session_may_be_claimed_early_by_name(served: Served) -> None:
    await talk(served, "s", end=False)
    await talk(served, "t", end=False)
    asked = {"namespace": "n", "even_if_early": True, "session_id": "t"}
    (item,) = (await claim(served, **asked, lease_seconds=10)).items
    assert item.session_id == "t"
    assert list((await claim(served, **asked)).items) == []
    # whoever took it early and vanished does not delay it until the session is idle
    served.clock.move(seconds=10)
    (taken,) = (await claim(served)).items
    assert taken.session_id == "t"


async def test_work_is_claimed_wherever_it_is_due_up_to_the_limit(served: Served) -> None:
    for namespace in ("a", "b", "c"):
        for session_id in ("s", "t"):
            await talk(served, session_id, namespace)
    first = await claim(served, limit=3)
    assert len(first.items) == 3
    assert first.next_due_time.ToSeconds() <= int(served.clock.monotonic_s())
    rest = await claim(served, limit=10)
    claimed = [(one.namespace, one.session_id) for one in (*first.items, *rest.items)]
    assert sorted(claimed) == [(name, one) for name in "abc" for one in "st"]
    assert list((await claim(served)).items) == []


async def test_kinds_are_told_apart(served: Served) -> None:
    await talk(served)
    await learn(served)
    assert [one.kind for one in (await claim(served, CLUSTER)).items] == [CLUSTER]
    assert list((await claim(served, LABEL)).items) == []
    both = await claim(served, SEGMENT, CLUSTER, namespace="n")
    assert [one.kind for one in both.items] == [SEGMENT]


async def test_claiming_makes_no_namespace_and_passes_over_those_that_are_gone(
    served: Served,
) -> None:
    catalogue = served.behind.stores.catalogue
    await catalogue.set_due("gone", Work.SEGMENT, 0)
    await talk(served)
    assert [one.namespace for one in (await claim(served)).items] == ["n"]
    names = await served.admin.ListNamespaces(admin_service_pb2.ListNamespacesRequest())
    assert [one.namespace for one in names.namespaces] == ["n"]
    assert await catalogue.due([Work.SEGMENT], 0, 10) == []
    absent = await refused(
        served.ledger.ClaimWork(pb.ClaimWorkRequest(namespace="gone", kinds=[SEGMENT], holder="w"))
    )
    assert absent.reason == "NAMESPACE_NOT_FOUND"


async def test_a_namespace_that_fails_stops_none_of_the_others(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk(served, namespace="bad")
    await talk(served, namespace="good")
    reading = served.behind.namespaces.reading

    def broken(name: str) -> object:
        if name == "bad":
            raise StoreUnavailable("the disk is gone")
        return reading(name)

    monkeypatch.setattr(served.behind.namespaces, "reading", broken)
    assert [one.namespace for one in (await claim(served)).items] == ["good"]
    monkeypatch.undo()
    assert list((await claim(served)).items) == []  # it gets a pause
    served.clock.move(seconds=60)
    first, *_ = (await claim(served)).items
    assert first.namespace == "bad"


async def test_a_renewed_lease_holds_on_and_a_lost_one_is_named(served: Served) -> None:
    await talk(served, "s")
    await talk(served, "t")
    first, second = (await claim(served, lease_seconds=60)).items
    await talk(served, second.session_id)  # its subject changes
    served.clock.move(seconds=50)
    answer = await served.ledger.RenewWork(
        pb.RenewWorkRequest(namespace="n", leases=[lease(first), lease(second)], lease_seconds=60)
    )
    assert [one.session_id for one in answer.items] == [first.session_id]
    assert list(answer.lost) == [lease(second)]
    served.clock.move(seconds=50)
    assert [one.session_id for one in (await claim(served)).items] == [second.session_id]


async def test_clustering_is_completed_and_due_again_with_the_next_lesson(served: Served) -> None:
    await learn(served)
    (item,) = (await claim(served, CLUSTER)).items
    done = await served.ledger.CompleteWork(
        pb.CompleteWorkRequest(namespace="n", lease=lease(item))
    )
    assert done.item.state == work.WORK_STATE_DONE
    assert not done.item.HasField("due_time")
    nothing = await claim(served, CLUSTER)
    assert not nothing.items
    assert not nothing.HasField("next_due_time")
    await learn(served)
    (item,) = (await claim(served, CLUSTER)).items
    await learn(served)  # while it is held: it stays held, and is looked at once more
    assert not (await claim(served, CLUSTER)).items
    done = await served.ledger.CompleteWork(
        pb.CompleteWorkRequest(namespace="n", lease=lease(item))
    )
    assert done.item.state == work.WORK_STATE_PENDING
    assert len((await claim(served, CLUSTER)).items) == 1


async def test_a_try_that_fails_waits_is_dead_in_the_end_and_is_retried(served: Served) -> None:
    await talk(served)
    pauses = []
    for _ in range(5):
        (item,) = (await claim(served)).items
        failing = pb.FailWorkRequest(namespace="n", lease=lease(item), reason=f"asks {SECRET}")
        after = (await served.ledger.FailWork(failing)).item
        pauses.append(after.due_time.ToSeconds() - int(served.clock.monotonic_s()))
        served.clock.move(seconds=3600)
    assert pauses[:4] == [30, 60, 120, 240]
    assert (after.state, after.attempts) == (work.WORK_STATE_DEAD, 5)
    assert SECRET not in after.reason
    assert after.reason.startswith("asks ")
    assert not (await claim(served)).items
    dead = await listed(served, states=[work.WORK_STATE_DEAD])
    assert [one.session_id for one in dead.items] == ["s"]
    assert [(one.kind, one.state, one.count) for one in dead.counts] == [
        (SEGMENT, work.WORK_STATE_DEAD, 1)
    ]
    answer = await served.ledger.RetryWork(pb.RetryWorkRequest(namespace="n", kinds=[SEGMENT]))
    assert answer.retried == 1
    (item,) = (await claim(served)).items
    assert item.attempts == 1


async def test_what_was_nobodys_fault_counts_as_no_try(served: Served) -> None:
    await talk(served)
    for _ in range(7):
        (item,) = (await claim(served)).items
        failing = pb.FailWorkRequest(
            namespace="n", lease=lease(item), reason="no budget", retry_after_seconds=600
        )
        after = (await served.ledger.FailWork(failing)).item
        assert (after.state, after.attempts) == (work.WORK_STATE_FAILED, 0)
        served.clock.move(seconds=599)
        assert not (await claim(served)).items
        served.clock.move(seconds=1)


async def test_work_that_its_holders_leave_behind_is_dead_in_the_end(served: Served) -> None:
    await talk(served, "s")
    for _ in range(5):
        assert len((await claim(served, lease_seconds=60)).items) == 1
        served.clock.move(seconds=60)
    await talk(served, "t")
    # the dead one takes the place in the first answer; the other is not forgotten
    found = [one.session_id for _ in range(2) for one in (await claim(served, limit=1)).items]
    assert found == ["t"]
    (dead,) = (await listed(served, states=[work.WORK_STATE_DEAD])).items
    assert "vanished" in dead.reason


class _Put:
    """A write of 1,500 sessions' work: failed, dead and done in turn."""

    def wanted(self) -> ReadSet:
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        states = {0: WorkState.FAILED, 1: WorkState.DEAD, 2: WorkState.DONE}
        items = tuple(
            WorkItem(Work.SEGMENT, f"s-{at:04d}", states[at % 3], stamp.now_us, 0, at + 1)
            for at in range(1500)
        )
        return Decision(None, WriteSet(work=items))


async def test_retrying_reaches_all_pages_and_leaves_the_rest(served: Served) -> None:
    async with served.behind.namespaces.writing("n") as opened:
        await opened.store.commit(_Put())
    answer = await served.ledger.RetryWork(pb.RetryWorkRequest(namespace="n"))
    assert answer.retried == 1000
    counts = {one.state: one.count for one in (await listed(served)).counts}
    assert counts == {work.WORK_STATE_PENDING: 1000, work.WORK_STATE_DONE: 500}
    assert len((await claim(served, limit=100)).items) == 100


async def test_lists_of_work_page_by_kind_and_session(served: Served) -> None:
    await learn(served)
    for at in range(5):
        await talk(served, f"s-{at}")
    seen, token = [], ""
    while True:
        page = await listed(served, page_size=2, page_token=token)
        seen += [(one.kind, one.session_id) for one in page.items]
        assert {one.kind: one.count for one in page.counts} == {CLUSTER: 1, SEGMENT: 5}
        token = page.next_page_token
        if not token:
            break
    assert seen == [(CLUSTER, ""), *((SEGMENT, f"s-{at}") for at in range(5))]
    assert [one.session_id for one in (await listed(served, session_id="s-3")).items] == ["s-3"]


async def test_an_assignment_under_a_lost_lease_is_refused(served: Served) -> None:
    await learn(served)
    (item,) = (await claim(served, CLUSTER, lease_seconds=60)).items
    topics = await served.topics.ListTopics(
        topic_service_pb2.ListTopicsRequest(namespace="n", for_assignment=True)
    )
    request = topic_service_pb2.AssignTopicMembersRequest(
        namespace="n", expected_topics_revision=topics.topics_revision, lease=lease(item)
    )
    await served.topics.AssignTopicMembers(request)
    served.clock.move(seconds=60)
    await claim(served, CLUSTER)
    error = await refused(served.topics.AssignTopicMembers(request))
    assert (type(error), error.reason) == (LeaseLost, "LEASE_LOST")
