"""What is left of an erased session, on every backend: nothing that names it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from anamnesis_libs.errors import LeaseLost
from anamnesis_memory.ledger.append import Appended
from anamnesis_memory.ledger.retention import ExpireSession
from anamnesis_memory.ledger.work import CompleteWork
from anamnesis_memory.model.documents import Collection
from anamnesis_memory.model.memory import Caller, Work
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.ports import IdempotentAnswer, NamespaceStore, RequestKey, WriteSet
from anamnesis_memory.ports.pipeline import SegmentFilter, WorkFilter
from anamnesis_memory.ports.upkeep import Record, RecordType
from anamnesis_memory.preparation.archive import PutUpload
from tests.contract.test_export import exported
from tests.support.clock import SetClock
from tests.support.kept import RETAIN_DAYS, RETAIN_US, lease_of, run_pipeline, upload
from tests.support.life import Put, answered, copy, created, document, everything, put
from tests.support.pipeline import claim
from tests.support.pipeline import lease_of as lease_of_item
from tests.support.records import append, lesson

NOBODY = Caller()
LEFT = (RecordType.SESSIONS, RecordType.EVENTS, RecordType.SEGMENTS, RecordType.ACTIVITIES)


def remembered(request_id: str) -> IdempotentAnswer[Appended]:
    """Remembers an append, whose answer tells of its session."""
    key = RequestKey("Append", request_id, b"d")
    return IdempotentAnswer(key, lambda done, _: repr(done.session).encode())


async def fill(store: NamespaceStore, clock: SetClock, session_id: str) -> None:
    """A session with everything that hangs on one: half of it has expired, and half is new."""
    await store.commit(append("alpha", "beta", session_id=session_id, end_session=True))
    await store.commit(PutUpload(upload(f"came in {session_id}", session_id)))
    await run_pipeline(store, clock, (lesson(f"taught by {session_id}"),), session_id)
    clock.move(days=RETAIN_DAYS)
    lease = await lease_of(store, clock, Work.RETAIN, session_id)
    await store.commit(ExpireSession(lease, RETAIN_US))
    await store.commit(append("gamma", session_id=session_id, start=2, end_session=True))
    await run_pipeline(store, clock, (), session_id)
    await store.commit(append("delta", session_id=session_id, start=3))
    (held, *_) = await everything(store)
    was = replace(lesson("said elsewhere"), session_id=session_id)
    copies = (
        copy(f"c-{session_id}", held.memory_id, was),
        copy(f"v-{session_id}", held.memory_id, was, CopyRole.VERSION),
    )
    await put(
        store, WriteSet(copies=copies, documents=(document(session_id, session_id=session_id),))
    )


async def erase(store: NamespaceStore, session_id: str) -> int:
    """Erase a session with its drawers."""
    drawers = [one.memory_id for one in await everything(store) if one.session_id == session_id]
    return await put(
        store, WriteSet(deleted_memories=tuple(drawers), erased_sessions=(session_id,))
    )


def naming(records: Sequence[Record], session_id: str) -> list[Record]:
    """Records that name a session, whatever they are."""
    return [record for record in records if session_id in repr(record)]


async def test_nothing_that_names_an_erased_session_is_left(
    store: NamespaceStore, clock: SetClock
) -> None:
    await created(store, lesson("held"))
    await fill(store, clock, "erased-1")
    await fill(store, clock, "stays-1")
    before = await exported(store)
    assert {type(one).__name__ for one in naming(before, "erased-1")} == {
        *("Session", "Segment", "KeptMemory", "EventStub", "Event", "Activity", "WorkItem"),
        *("NewUpload", "Copy", "Document"),
    }
    revision = store.revision
    assert await erase(store, "erased-1") == revision + 1
    after = await exported(store)
    assert naming(after, "erased-1") == []
    assert len(naming(after, "stays-1")) == len(naming(before, "stays-1"))
    assert await store.session("erased-1") is None
    await store.scrub()
    found, _ = await store.occurrences(["erased-1", "stays-1"])
    assert {one.needle for one in found} == {1}


async def test_lists_say_nothing_of_an_erased_session(
    store: NamespaceStore, clock: SetClock
) -> None:
    await created(store, lesson("held"))
    await fill(store, clock, "s-1")
    await erase(store, "s-1")
    assert not (await store.list_sessions(NOBODY, "", "", "", 9)).items
    assert not (await store.list_events("s-1", -1, 9)).items
    assert not await store.list_segments(SegmentFilter(), None, None, 9)
    assert not await store.list_activities("", NOBODY, None, 9)
    assert not await store.list_uploads("", NOBODY, None, 9)
    assert {one.session_id for one in await store.list_work(WorkFilter(), None, 9)} <= {""}
    assert not await store.list_copies(CopyRole.CONTRIBUTION, None, "", 9)
    assert not await store.list_copies(CopyRole.VERSION, None, "", 9)
    assert not await store.documents(Collection.WORKING_MEMORY, "", 9)
    counts = await store.counts()
    assert (counts.sessions, counts.events) == (0, 0)
    async with store.export() as export:
        assert [export.counts[kind] for kind in LEFT] == [0, 0, 0, 0]


async def test_erasing_takes_a_revision_and_what_is_not_there_is_passed_over(
    store: NamespaceStore,
) -> None:
    await store.commit(append("one", session_id="s-1"))
    assert await put(store, WriteSet(erased_sessions=("nobody",))) == 2
    assert await store.session("s-1") is not None


async def test_who_worked_on_an_erased_session_is_refused(
    store: NamespaceStore, clock: SetClock
) -> None:
    await store.commit(append("one", session_id="s-1", end_session=True))
    item = await claim(store, clock, Work.SEGMENT)
    await erase(store, "s-1")
    with pytest.raises(LeaseLost):
        await store.commit(CompleteWork(lease_of_item(item)))
    await store.commit(append("one", session_id="s-1", end_session=True))
    again = await claim(store, clock, Work.SEGMENT)
    assert again.token > item.token


async def test_an_erased_session_may_come_again(store: NamespaceStore, clock: SetClock) -> None:
    await created(store, lesson("held"))
    await fill(store, clock, "s-1")
    await erase(store, "s-1")
    done = (await store.commit(append("alpha", session_id="s-1"))).result
    assert done is not None
    assert (done.session.event_count, done.session.expired_before_index) == (1, 0)
    assert done.session.revision == store.revision


async def test_answers_that_tell_of_an_erased_session_go(store: NamespaceStore) -> None:
    await store.commit(append("one", session_id="s-1"), remembered("r-1"))
    await store.commit(append("one", session_id="s-1"), remembered("r-2"))
    await store.commit(append("one", session_id="s-2"), remembered("r-3"))
    await store.commit(Put(WriteSet(memories=(lesson("other"),))), answered("r-4"))
    await put(store, WriteSet(erased_sessions=("s-1",)))
    replayed = {
        name: (await store.commit(append("one", session_id="s-2"), remembered(name))).replayed
        for name in ("r-1", "r-2", "r-3")
    }
    assert replayed["r-1"] is None
    assert replayed["r-2"] is None, "an append that changed nothing told of the session too"
    assert replayed["r-3"] is not None
    assert (await store.commit(Put(WriteSet()), answered("r-4"))).replayed is not None
