"""What is left when the ledger of a session has expired, on every backend."""

from collections.abc import Sequence

import pytest

from anamnesis_libs.errors import InvalidArgument, LeaseLost, LedgerExpired
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.ledger.append import AppendOutcome
from anamnesis_memory.ledger.cut import ReplaceSegments, SegmentPiece
from anamnesis_memory.ledger.retention import ExpireSession
from anamnesis_memory.model.memory import Caller, Memory, MemoryFilter, Namespace, Work
from anamnesis_memory.model.session import Event
from anamnesis_memory.model.work import WorkState
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.pipeline import SegmentFilter, WorkFilter
from tests.support.clock import SetClock
from tests.support.kept import RETAIN_DAYS, RETAIN_US, cut, lease_of, run_pipeline
from tests.support.records import append, lesson

NOBODY = Caller()
TEXTS = ("alpha", "beta", "gamma")


async def expire(store: NamespaceStore, clock: SetClock, session_id: str = "s-1") -> int:
    """Claim what is due of retention, and do it; answers how many events went."""
    lease = await lease_of(store, clock, Work.RETAIN, session_id)
    done = (await store.commit(ExpireSession(lease, RETAIN_US))).result
    assert done is not None
    return done


async def expired_session(
    store: NamespaceStore, clock: SetClock, learned: Sequence[Memory] = ()
) -> None:
    """A session of three events whose ledger is gone."""
    await store.commit(append(*TEXTS, end_session=True))
    await run_pipeline(store, clock, learned)
    clock.move(days=RETAIN_DAYS)
    assert await expire(store, clock) == 3


async def events(store: NamespaceStore) -> Sequence[Event]:
    """What the ledger holds of the session."""
    return (await store.list_events("s-1", -1, 10)).items


async def retain_state(store: NamespaceStore) -> list[WorkState]:
    """How the retention of the session stands."""
    listed = await store.list_work(WorkFilter((Work.RETAIN,), (), "s-1"), None, 10)
    return [item.state for item in listed]


async def test_the_ledger_goes_and_memories_stay(store: NamespaceStore, clock: SetClock) -> None:
    await expired_session(store, clock, [lesson("look first")])
    session = await store.session("s-1")
    assert session is not None
    assert (session.expired_before_index, session.next_index, session.event_count) == (3, 3, 0)
    assert await events(store) == []
    assert await store.list_segments(SegmentFilter("s-1"), None, None, 10) == []
    kept = (await store.list_memories(MemoryFilter(), NOBODY, 0, 10)).items
    assert [memory.content for memory in kept] == [*TEXTS, "look first"]
    assert kept[3].provenance.session_id == "s-1"
    assert (kept[3].provenance.first_event_index, kept[3].provenance.last_event_index) == (0, 2)
    (activity,) = await store.list_activities("s-1", NOBODY, None, 10)
    assert activity.memory_ids == (kept[3].memory_id,)
    assert (await store.counts()).events == 0
    assert await retain_state(store) == [WorkState.DONE]


async def test_the_same_session_again_adds_nothing(store: NamespaceStore, clock: SetClock) -> None:
    await expired_session(store, clock)
    drawers = [
        one.memory_id for one in (await store.list_memories(MemoryFilter(), None, 0, 9)).items
    ]
    revision = store.revision
    done = (await store.commit(append(*TEXTS, end_session=True))).result
    assert done is not None
    assert [outcome for _, _, outcome in done.results] == [AppendOutcome.UNCHANGED] * 3
    assert [memory_id for _, memory_id, _ in done.results] == drawers
    assert store.revision == revision


async def test_another_event_at_an_expired_index_is_refused(
    store: NamespaceStore, clock: SetClock
) -> None:
    await expired_session(store, clock)
    with pytest.raises(LedgerExpired) as refused:
        await store.commit(append("alpha", "other", "gamma", "new"))
    assert refused.value.metadata == {"session_id": "s-1", "expired_before_index": "3"}
    assert await events(store) == []
    with pytest.raises(LedgerExpired):
        await store.commit(append("beta", start=0))


async def test_what_is_new_is_appended_and_cut_from_the_first_that_is_kept(
    store: NamespaceStore, clock: SetClock
) -> None:
    await expired_session(store, clock)
    done = (await store.commit(append(*TEXTS, "delta", end_session=True))).result
    assert done is not None
    assert [outcome for _, _, outcome in done.results] == [AppendOutcome.UNCHANGED] * 3 + [
        AppendOutcome.APPENDED
    ]
    assert [event.content for event in await events(store)] == ["delta"]
    lease = await lease_of(store, clock, Work.SEGMENT)
    whole = ReplaceSegments(lease, done.session.etag, [SegmentPiece(0, 3, "m")], "local")
    with pytest.raises(InvalidArgument, match="is 0 to 3 where 3 must follow"):
        await store.commit(whole)
    rest = ReplaceSegments(lease, done.session.etag, [SegmentPiece(3, 3, "m")], "local")
    assert (await store.commit(rest)).result is not None


async def test_a_session_expires_again_with_what_was_added(
    store: NamespaceStore, clock: SetClock
) -> None:
    await expired_session(store, clock)
    await store.commit(append("delta", start=3, end_session=True))
    await run_pipeline(store, clock)
    clock.move(days=RETAIN_DAYS)
    assert await expire(store, clock) == 1
    session = await store.session("s-1")
    assert session is not None
    assert session.expired_before_index == 4
    done = (await store.commit(append(*TEXTS, "delta"))).result
    assert done is not None
    assert {outcome for _, _, outcome in done.results} == {AppendOutcome.UNCHANGED}


async def test_nothing_expires_before_its_time(store: NamespaceStore, clock: SetClock) -> None:
    await store.commit(append(*TEXTS, end_session=True))
    await run_pipeline(store, clock)
    clock.move(days=RETAIN_DAYS)
    lease = await lease_of(store, clock, Work.RETAIN)
    assert (await store.commit(ExpireSession(lease, 2 * RETAIN_US))).result == 0
    assert len(await events(store)) == 3
    assert await retain_state(store) == [WorkState.PENDING]
    clock.move(days=RETAIN_DAYS)
    assert await expire(store, clock) == 3


async def test_a_session_that_is_worked_on_again_is_left_alone(
    store: NamespaceStore, clock: SetClock
) -> None:
    await store.commit(append(*TEXTS, end_session=True))
    await run_pipeline(store, clock)
    clock.move(days=RETAIN_DAYS)
    await store.commit(append("delta", start=3, end_session=True))
    assert await expire(store, clock) == 0
    assert len(await events(store)) == 4
    assert await retain_state(store) == [WorkState.DONE]
    await run_pipeline(store, clock)
    clock.move(days=RETAIN_DAYS)
    assert await expire(store, clock) == 4


async def test_who_lost_the_lease_deletes_nothing(store: NamespaceStore, clock: SetClock) -> None:
    await store.commit(append(*TEXTS, end_session=True))
    await run_pipeline(store, clock)
    clock.move(days=RETAIN_DAYS)
    slow = await lease_of(store, clock, Work.RETAIN)
    clock.move(hours=1)
    await lease_of(store, clock, Work.RETAIN)
    with pytest.raises(LeaseLost):
        await store.commit(ExpireSession(slow, RETAIN_US))
    assert len(await events(store)) == 3


async def test_a_deleted_drawer_is_forgotten_by_its_stub(
    store: NamespaceStore, clock: SetClock
) -> None:
    await expired_session(store, clock)
    drawer = (await store.list_memories(MemoryFilter(), None, 0, 9)).items[1]
    await store.commit(DeleteMemory(drawer.memory_id, NOBODY))
    done = (await store.commit(append(*TEXTS))).result
    assert done is not None
    assert [bool(memory_id) for _, memory_id, _ in done.results] == [True, False, True]
    assert {outcome for _, _, outcome in done.results} == {AppendOutcome.UNCHANGED}


async def test_stubs_outlive_the_process(
    stores: Stores, namespace: Namespace, clock: SetClock
) -> None:
    store = await stores.open(namespace)
    await expired_session(store, clock)
    await store.close()
    again = await stores.open(namespace)
    done = (await again.commit(append(*TEXTS))).result
    assert done is not None
    assert {outcome for _, _, outcome in done.results} == {AppendOutcome.UNCHANGED}
    await again.close()


async def test_other_sessions_are_not_touched(store: NamespaceStore, clock: SetClock) -> None:
    await store.commit(append("other", session_id="s-10"))
    await cut(store, clock, "s-10")
    await expired_session(store, clock)
    assert len((await store.list_events("s-10", -1, 10)).items) == 1
    assert len(await store.list_segments(SegmentFilter("s-10"), None, None, 10)) == 1
