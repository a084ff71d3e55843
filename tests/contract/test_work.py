"""Work under leases, on every backend: who may claim what when, and whose results count."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from anamnesis_libs.errors import FailedPrecondition, LeaseLost
from anamnesis_memory.ledger.cut import ReplaceSegments, SegmentPiece, UpdateSegment
from anamnesis_memory.ledger.work import CompleteWork, FailWork, RenewWork, RetryWork
from anamnesis_memory.memories.learn import PromoteEpisodes, RecordLearned
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.model.work import (
    FIRST_PAUSE_US,
    LONGEST_PAUSE_US,
    TRIES_MAX,
    Lease,
    WorkItem,
    WorkState,
)
from anamnesis_memory.ports import NamespaceStore, Write
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.pipeline import SegmentFilter, WorkFilter
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.pipeline import (
    LEASE_US,
    MINUTE_US,
    SECOND_US,
    claim,
    claims,
    complete,
    cut,
    cut_session,
    label,
    lease_of,
    measured_session,
    now_us,
)
from tests.support.records import BASE_US, DIMENSION, append

IDLE_US = 30 * MINUTE_US
_ALL = SegmentFilter()


async def work(store: NamespaceStore, *kinds: Work) -> Sequence[WorkItem]:
    """All work of some kinds."""
    return await store.list_work(WorkFilter(kinds), None, 500)


async def states(store: NamespaceStore, session_id: str = "s-1") -> dict[Work, WorkState]:
    """Where the work on a session stands."""
    listed = await store.list_work(WorkFilter(session_id=session_id), None, 10)
    return {item.kind: item.state for item in listed}


async def test_an_append_makes_its_session_due(store: NamespaceStore, clock: SetClock) -> None:
    await store.commit(replace(append("one", session_id="open"), idle_us=IDLE_US))
    await store.commit(
        replace(append("one", session_id="ended", end_session=True), idle_us=IDLE_US)
    )
    due = {item.session_id: item.due_us for item in await work(store, Work.SEGMENT)}
    assert due == {"ended": now_us(clock), "open": now_us(clock) + IDLE_US}
    found = await claims(store, clock, Work.SEGMENT)
    assert [item.session_id for item, _ in found.items] == ["ended"]
    assert found.next_us == now_us(clock) + IDLE_US
    session = await store.session("ended")
    assert session is not None
    assert [etag for _, etag in found.items] == [session.etag]


async def test_every_event_puts_an_open_session_off(store: NamespaceStore, clock: SetClock) -> None:
    await store.commit(replace(append("one"), idle_us=IDLE_US))
    clock.move(minutes=20)
    await store.commit(replace(append("two", start=1), idle_us=IDLE_US))
    clock.move(minutes=20)
    assert (await claims(store, clock, Work.SEGMENT)).items == ()
    clock.move(minutes=10)
    assert (await claim(store, clock, Work.SEGMENT)).session_id == "s-1"


async def test_what_changes_nothing_makes_nothing_due(
    store: NamespaceStore, clock: SetClock
) -> None:
    await cut_session(store, clock, "one")
    before = await work(store)
    clock.move(seconds=1)
    await store.commit(append("one"))
    assert await work(store) == before


async def test_what_is_ready_first_is_claimed_first(store: NamespaceStore, clock: SetClock) -> None:
    for name in ("b", "c", "a"):
        await store.commit(append("one", session_id=name, end_session=True))
        clock.move(seconds=name != "c")
    first = await claims(store, clock, Work.SEGMENT, limit=2)
    rest = await claims(store, clock, Work.SEGMENT, limit=2)
    assert [item.session_id for item, _ in first.items] == ["b", "a"]
    assert [item.session_id for item, _ in rest.items] == ["c"]
    tokens = [item.token for item, _ in (*first.items, *rest.items)]
    assert tokens == sorted(set(tokens))


async def test_what_is_early_is_claimed_if_asked_for(
    store: NamespaceStore, clock: SetClock
) -> None:
    for name in ("a", "b", "c"):
        await store.commit(replace(append("one", session_id=name), idle_us=IDLE_US))
    assert (await claims(store, clock, Work.SEGMENT, session_id="b")).items == ()
    early = await claims(store, clock, Work.SEGMENT, session_id="b", even_if_early=True)
    assert [item.session_id for item, _ in early.items] == ["b"]
    others = await claims(store, clock, Work.SEGMENT, even_if_early=True)
    assert [item.session_id for item, _ in others.items] == ["a", "c"]
    again = await claims(store, clock, Work.SEGMENT, session_id="b", even_if_early=True)
    assert again.items == (), "somebody holds it"


async def test_what_failed_waits_for_its_time_even_if_what_is_early_is_asked_for(
    store: NamespaceStore, clock: SetClock
) -> None:
    await store.commit(append("one", end_session=True))
    item = await claim(store, clock, Work.SEGMENT)
    await store.commit(FailWork(lease_of(item), "broke"))
    for session_id in ("", "s-1"):
        found = await claims(store, clock, Work.SEGMENT, session_id=session_id, even_if_early=True)
        assert found.items == ()
    clock.move(seconds=30)
    again = await claims(store, clock, Work.SEGMENT, session_id="s-1", even_if_early=True)
    assert len(again.items) == 1


async def test_two_who_claim_at_once_never_get_the_same(
    store: NamespaceStore, clock: SetClock
) -> None:
    for number in range(12):
        await store.commit(append("one", session_id=f"s-{number}", end_session=True))
    found = await asyncio.gather(
        *(claims(store, clock, Work.SEGMENT, limit=2, holder=f"w-{n}") for n in range(8))
    )
    items = [item for each in found for item, _ in each.items]
    assert len(items) == 12
    assert len({item.session_id for item in items}) == 12
    assert len({item.token for item in items}) == 12


async def test_a_claim_sees_what_was_written_just_before_it(
    store: NamespaceStore, clock: SetClock
) -> None:
    _, found, _ = await asyncio.gather(
        store.commit(append("one", end_session=True)),
        claims(store, clock, Work.SEGMENT),
        store.commit(append("two", start=1, end_session=True)),
    )
    ((item, _),) = found.items
    with pytest.raises(LeaseLost):
        await cut(store, item, (0, 1, "both"))
    assert await states(store) == {Work.SEGMENT: WorkState.PENDING}


async def test_work_takes_no_revision(store: NamespaceStore, clock: SetClock) -> None:
    await store.commit(append("one", end_session=True))
    item = await claim(store, clock, Work.SEGMENT)
    await store.commit(RenewWork([lease_of(item)], LEASE_US))
    await store.commit(FailWork(lease_of(item), "no", 0))
    await store.commit(RetryWork([item.key]))
    assert (store.revision, await store.refresh()) == (1, 1)
    segments = await cut_session(store, clock, "one", "two")
    assert store.revision == 3, "an append, and a cut"
    labelling = await claim(store, clock, Work.LABEL)
    for segment in segments:
        await label(store, labelling, segment.segment_id, 0.5)
    await complete(store, labelling)
    assert store.revision == 5, "a measure each"
    assert (await store.changes(3, 10)).revision == 5


async def test_a_lease_is_renewed_as_long_as_it_is_held(
    store: NamespaceStore, clock: SetClock
) -> None:
    await store.commit(append("one", end_session=True))
    item = await claim(store, clock, Work.SEGMENT)
    clock.move(seconds=50)
    stale = Lease(Work.SEGMENT, "s-1", item.token - 1)
    nothing = Lease(Work.LABEL, "s-1", item.token)
    done = await store.commit(RenewWork([lease_of(item), stale, nothing], LEASE_US))
    assert done.result is not None
    assert done.result.lost == (stale, nothing)
    (held,) = done.result.items
    assert held == replace(item, expires_us=now_us(clock) + LEASE_US)
    clock.move(seconds=50)
    assert (await claims(store, clock, Work.SEGMENT)).items == ()
    clock.move(seconds=10)
    assert (await claim(store, clock, Work.SEGMENT)).token > item.token


async def test_an_expired_lease_holds_until_somebody_else_claims(
    store: NamespaceStore, clock: SetClock
) -> None:
    await cut_session(store, clock, "one")
    item = await claim(store, clock, Work.LABEL)
    clock.move(minutes=5)
    (segment,) = await store.list_segments(_ALL, None, None, 9)
    await label(store, item, segment.segment_id, 0.5)
    assert (await complete(store, item)).state is WorkState.DONE


WRITES: dict[str, Callable[[Lease], Write[object]]] = {
    "complete": CompleteWork,
    "fail": lambda lease: FailWork(lease, "no"),
    "cut": lambda lease: ReplaceSegments(lease, "etag", [SegmentPiece(0, 0, "f")], "local"),
    "label": lambda lease: UpdateSegment(lease, "segment", "coding", 1.0, "{}", "local"),
    "learn": lambda lease: RecordLearned(lease, "segment", [], {}, {}, "local"),
    "promote": lambda lease: PromoteEpisodes(lease, {}),
}


@pytest.mark.parametrize("make", WRITES.values(), ids=WRITES)
async def test_what_an_earlier_holder_sends_is_refused(
    store: NamespaceStore, clock: SetClock, make: Callable[[Lease], Write[object]]
) -> None:
    await store.commit(append("one", end_session=True))
    first = await claim(store, clock, Work.SEGMENT)
    clock.move(minutes=2)
    second = await claim(store, clock, Work.SEGMENT)
    assert second.attempts == 2
    before = await work(store)
    with pytest.raises(LeaseLost):
        await store.commit(make(lease_of(first)))
    assert await work(store) == before
    assert store.revision == 1
    assert await store.list_segments(_ALL, None, None, 9) == []


async def test_a_holder_that_vanishes_too_often_leaves_it_dead(
    store: NamespaceStore, clock: SetClock
) -> None:
    await store.commit(append("one", end_session=True))
    for attempt in range(TRIES_MAX):
        item = await claim(store, clock, Work.SEGMENT)
        assert item.attempts == attempt + 1
        clock.move(minutes=2)
    assert (await claims(store, clock, Work.SEGMENT)).items == ()
    (dead,) = await work(store, Work.SEGMENT)
    assert (dead.state, dead.ready_us) == (WorkState.DEAD, None)
    assert "vanished" in dead.reason
    clock.move(days=30)
    assert (await claims(store, clock, Work.SEGMENT, even_if_early=True)).items == ()
    retry = await store.commit(RetryWork([dead.key, (Work.LABEL, "s-1")]))
    assert retry.result == 1
    assert (await claim(store, clock, Work.SEGMENT)).attempts == 1


async def test_each_try_that_fails_waits_longer_and_the_last_one_is_dead(
    store: NamespaceStore, clock: SetClock
) -> None:
    await store.commit(append("one", end_session=True))
    pauses = []
    for attempt in range(TRIES_MAX):
        item = await claim(store, clock, Work.SEGMENT)
        done = await store.commit(FailWork(lease_of(item), f"try {attempt}"))
        assert done.result is not None
        assert done.result.reason == f"try {attempt}"
        pauses.append(done.result.due_us - now_us(clock))
        if attempt < TRIES_MAX - 1:
            clock.move(seconds=pauses[-1] / SECOND_US - 1)
            found = await claims(store, clock, Work.SEGMENT)
            assert (found.items, found.next_us) == ((), done.result.due_us)
            clock.move(seconds=1)
    assert pauses == [min(FIRST_PAUSE_US * 2**n, LONGEST_PAUSE_US) for n in range(TRIES_MAX)]
    assert await states(store) == {Work.SEGMENT: WorkState.DEAD}


async def test_a_model_that_is_away_costs_no_try(store: NamespaceStore, clock: SetClock) -> None:
    await store.commit(append("one", end_session=True))
    for _ in range(TRIES_MAX + 2):
        item = await claim(store, clock, Work.SEGMENT)
        assert item.attempts == 1
        done = await store.commit(FailWork(lease_of(item), "away", 10 * MINUTE_US))
        assert done.result is not None
        assert done.result.state is WorkState.FAILED
        clock.move(minutes=10)


async def test_an_append_takes_a_session_back_to_its_first_stage(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (segment,) = await measured_session(store, clock, "one")
    assert await states(store) == {
        Work.SEGMENT: WorkState.DONE,
        Work.LABEL: WorkState.DONE,
        Work.EXTRACT: WorkState.CLAIMED,
    }
    await store.commit(append("two", start=1, end_session=True))
    assert await states(store) == {
        Work.SEGMENT: WorkState.PENDING,
        Work.LABEL: WorkState.DONE,
        Work.EXTRACT: WorkState.DONE,
    }
    with pytest.raises(LeaseLost):
        await store.commit(
            RecordLearned(lease_of(extract), segment.segment_id, [], {}, {}, "local")
        )
    again = await claim(store, clock, Work.SEGMENT)
    await cut(store, again, (0, 0, "one"), (1, 1, "two"))
    assert (await states(store))[Work.LABEL] is WorkState.PENDING


async def test_a_stage_is_done_when_every_segment_is(
    store: NamespaceStore, clock: SetClock
) -> None:
    one, _ = await cut_session(store, clock, "one", "two")
    item = await claim(store, clock, Work.LABEL)
    await label(store, item, one.segment_id, 0.5)
    with pytest.raises(FailedPrecondition):
        await complete(store, item)
    assert (await states(store))[Work.LABEL] is WorkState.CLAIMED


async def test_work_is_listed_and_counted(store: NamespaceStore, clock: SetClock) -> None:
    for name in ("a", "b", "～", "😀"):
        await cut_session(store, clock, "one", session_id=name)
    await store.commit(append("one", session_id="c", end_session=True))
    keys = [(item.kind, item.session_id) for item in await work(store)]
    assert keys == [(Work.LABEL, name) for name in ("a", "b", "～", "😀")] + [
        (Work.SEGMENT, name) for name in ("a", "b", "c", "～", "😀")
    ]
    paged: list[WorkItem] = []
    while page := await store.list_work(WorkFilter(), paged[-1].key if paged else None, 2):
        assert len(page) <= 2
        paged += page
    assert [(item.kind, item.session_id) for item in paged] == keys
    pending = WorkFilter(states=(WorkState.PENDING,))
    assert len(await store.list_work(pending, None, 9)) == 5
    assert await store.list_work(pending, (Work.SEGMENT, "c"), 9) == []
    assert await store.count_work(WorkFilter()) == {
        (Work.LABEL, WorkState.PENDING): 4,
        (Work.SEGMENT, WorkState.PENDING): 1,
        (Work.SEGMENT, WorkState.DONE): 4,
    }
    assert await store.count_work(WorkFilter((Work.SEGMENT,), session_id="a")) == {
        (Work.SEGMENT, WorkState.DONE): 1
    }
    one = WorkFilter(states=(WorkState.DONE,), session_id="b")
    assert [item.key for item in await store.list_work(one, None, 9)] == [(Work.SEGMENT, "b")]
    assert await store.list_work(one, (Work.SEGMENT, "b"), 9) == []


async def test_tokens_are_not_given_out_again_after_a_restart(
    open_stores: Open, namespace: Namespace, clock: SetClock
) -> None:
    first = await open_stores()
    store = await first.open(namespace)
    await store.commit(append("one", end_session=True))
    before = await claim(store, clock, Work.SEGMENT)
    await store.close()
    await first.close()
    clock.move(minutes=2)
    second = await open_stores()
    reopened = await second.open(namespace)
    after = await claim(reopened, clock, Work.SEGMENT)
    assert after.token > before.token
    with pytest.raises(LeaseLost):
        await complete(reopened, before)
    await reopened.close()
    await second.close()


async def test_work_of_one_namespace_is_not_that_of_another(
    stores: Stores, store: NamespaceStore, clock: SetClock
) -> None:
    space = Namespace("other", new_incarnation(BASE_US), BASE_US, "model", DIMENSION)
    other = await stores.open(space)
    for each in (store, other):
        await each.commit(append("one", end_session=True))
    item = await claim(store, clock, Work.SEGMENT)
    (theirs,) = await work(other)
    assert theirs.state is WorkState.PENDING
    with pytest.raises(LeaseLost):
        await complete(other, item)
    await cut(store, item, (0, 0, "one"))
    assert await other.list_segments(_ALL, None, None, 9) == []
    assert len(await work(other)) == 1
    await other.close()
