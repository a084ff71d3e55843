"""What retention leaves and the archive, on every backend: exported, and put back as it was."""

import random
from collections.abc import Sequence
from dataclasses import replace

from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.ledger.append import AppendOutcome
from anamnesis_memory.ledger.retention import ExpireSession
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Caller, MemoryFilter, Namespace, Work
from anamnesis_memory.model.session import Event
from anamnesis_memory.model.stubs import EventStub
from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.model.work import WorkState
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.pipeline import WorkFilter
from anamnesis_memory.ports.upkeep import (
    Cursors,
    KeptMemory,
    Record,
    RecordType,
    Tombstone,
    TombstoneKey,
)
from anamnesis_memory.preparation.archive import PutUpload
from tests.contract.test_export import comparable, exported
from tests.support.clock import SetClock
from tests.support.kept import RETAIN_DAYS, RETAIN_US, lease_of, run_pipeline, upload
from tests.support.records import BASE_US, append

NOBODY = Caller()
TEXTS = ("alpha", "beta", "gamma", "delta")
LARGE = random.Random(1).randbytes(600_000)


async def fill(store: NamespaceStore, clock: SetClock) -> None:
    """A session that has expired and grew afterwards, one that is to expire, and uploads."""
    await store.commit(append(*TEXTS, session_id="k-1", end_session=True))
    await store.commit(PutUpload(upload("what came", "k-1")))
    await store.commit(PutUpload(upload("large", "k-1", LARGE)))
    await run_pipeline(store, clock, (), "k-1")
    clock.move(days=RETAIN_DAYS)
    lease = await lease_of(store, clock, Work.RETAIN, "k-1")
    await store.commit(ExpireSession(lease, RETAIN_US))
    await store.commit(append("later", session_id="k-1", start=len(TEXTS)))
    await store.commit(append("other", session_id="k-2", end_session=True))
    await store.commit(PutUpload(upload("what came", "k-2")))
    await run_pipeline(store, clock, (), "k-2")


async def copied(stores: Stores, namespace: Namespace, records: Sequence[Record]) -> NamespaceStore:
    """The records in another namespace, put there in small batches, each twice."""
    target = replace(namespace, name="copy", incarnation=new_incarnation(BASE_US + 1_000_000))
    made = await stores.open(target)
    for start in range(0, len(records), 3):
        for _ in range(2):
            await made.import_batch(records[start : start + 3])
    return made


def of(records: Sequence[Record], made_of: type[Record]) -> list[Record]:
    """The records of one type."""
    return [record for record in records if isinstance(record, made_of)]


async def test_an_export_has_what_is_kept(store: NamespaceStore, clock: SetClock) -> None:
    await fill(store, clock)
    records = await exported(store)
    stubs = [one for one in records if isinstance(one, EventStub)]
    assert [(one.session_id, one.index) for one in stubs] == [("k-1", at) for at in range(4)]
    drawers = (await store.list_memories(MemoryFilter(), None, 0, 4)).items
    assert [one.memory_id for one in stubs] == [one.memory_id for one in drawers]
    uploads = [one for one in records if isinstance(one, NewUpload)]
    assert [one.upload for one in uploads] == await store.list_uploads("", NOBODY, None, 9)
    for one in uploads:
        assert one.packed == await store.upload_content(one.upload.upload_id)
    assert LARGE in [one.packed for one in uploads]
    places = [type(record) for record in records]
    assert places.index(KeptMemory) < places.index(TombstoneKey) == places.index(EventStub) - 1
    assert places.index(EventStub) < places.index(Event) < places.index(NewUpload)
    assert places[-1] is Cursors
    async with store.export() as export:
        assert (export.counts[RecordType.STUBS], export.counts[RecordType.UPLOADS]) == (4, 3)


async def test_the_key_of_marks_is_told_once(store: NamespaceStore, clock: SetClock) -> None:
    await fill(store, clock)
    (drawer, *_) = (await store.list_memories(MemoryFilter(), None, 0, 1)).items
    await store.commit(DeleteMemory(drawer.memory_id, NOBODY))
    records = await exported(store)
    assert len(of(records, TombstoneKey)) == 1
    assert len(of(records, Tombstone)) <= 1
    first = next(one for one in records if isinstance(one, EventStub))
    assert (first.index, first.memory_id) == (0, ""), "what was deleted is named no more"


async def test_what_is_kept_comes_back_as_it_was(
    store: NamespaceStore, stores: Stores, namespace: Namespace, clock: SetClock
) -> None:
    await fill(store, clock)
    made = await copied(stores, namespace, await exported(store))
    assert comparable(await exported(made)) == comparable(await exported(store))
    async with store.export() as told, made.export() as told_again:
        assert told.counts == told_again.counts
    session = await made.session("k-1")
    assert session == await store.session("k-1")
    assert session is not None
    assert (session.expired_before_index, session.event_count) == (4, 1)
    listed = await made.list_uploads("", NOBODY, None, 9)
    assert listed == await store.list_uploads("", NOBODY, None, 9)
    for one in listed:
        content = await made.upload_content(one.upload_id)
        assert content == await store.upload_content(one.upload_id)
    retain = await made.list_work(WorkFilter((Work.RETAIN,)), None, 9)
    assert retain == await store.list_work(WorkFilter((Work.RETAIN,)), None, 9)
    assert [item.state for item in retain] == [WorkState.DONE, WorkState.PENDING]
    await made.close()


async def test_a_copy_knows_an_expired_session_again(
    store: NamespaceStore, stores: Stores, namespace: Namespace, clock: SetClock
) -> None:
    await fill(store, clock)
    made = await copied(stores, namespace, await exported(store))
    drawers = (await made.list_memories(MemoryFilter(), None, 0, 9)).items
    done = (await made.commit(append(*TEXTS, session_id="k-1"))).result
    assert done is not None
    assert [outcome for _, _, outcome in done.results] == [AppendOutcome.UNCHANGED] * 4
    assert [memory_id for _, memory_id, _ in done.results] == [one.memory_id for one in drawers[:4]]
    assert made.revision == store.revision
    (kept, *_) = await made.list_uploads("k-1", NOBODY, None, 1)
    again = "what came" if kept.sha256 == b"what came".hex() else "large"
    assert (await made.commit(PutUpload(upload(again, "k-1")))).result == kept
    assert len(await made.list_uploads("", NOBODY, None, 9)) == 3
    await made.close()


async def test_a_copy_lets_go_of_what_is_due(
    store: NamespaceStore, stores: Stores, namespace: Namespace, clock: SetClock
) -> None:
    await fill(store, clock)
    made = await copied(stores, namespace, await exported(store))
    clock.move(days=RETAIN_DAYS)
    lease = await lease_of(made, clock, Work.RETAIN, "k-2")
    assert (await made.commit(ExpireSession(lease, RETAIN_US))).result == 1
    done = (await made.commit(append("other", session_id="k-2"))).result
    assert done is not None
    assert [outcome for _, _, outcome in done.results] == [AppendOutcome.UNCHANGED]
    await made.close()


async def test_what_is_of_no_session_is_passed_over(
    store: NamespaceStore, stores: Stores, namespace: Namespace, clock: SetClock
) -> None:
    await fill(store, clock)
    records = await exported(store)
    made = await copied(stores, namespace, records)
    await made.import_batch([EventStub("nobody", 0, "", b"m" * 16), upload("lost", "nobody")])
    assert of(await exported(made), EventStub) == of(records, EventStub)
    assert of(await exported(made), NewUpload) == of(records, NewUpload)
    await made.close()


async def test_what_is_discarded_leaves_no_archive(
    stores: Stores, namespace: Namespace, clock: SetClock
) -> None:
    store = await stores.open(namespace)
    await fill(store, clock)
    kept = await store.list_uploads("", NOBODY, None, 9)
    await store.close()
    await stores.discard(namespace)
    again = await stores.open(namespace)
    assert await exported(again) == [Cursors(0, 0, 0)]
    assert [await again.upload_content(one.upload_id) for one in kept] == [b""] * 3
    await again.close()
