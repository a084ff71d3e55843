"""What was learned and is to be done, on every backend: exported at one revision, and put back."""

from collections.abc import Sequence
from dataclasses import replace

from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.key import Statement
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.learn import tombstone_of
from anamnesis_memory.memories.report_usage import ReportUsage
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Caller, Kind, Memory, MemoryFilter, Namespace, Work
from anamnesis_memory.model.memory_details import (
    Fact,
    FactKind,
    Lesson,
    Part,
    Procedure,
    ProcedureStep,
    TimePrecision,
)
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.usage import HOUR_US, HourUsage
from anamnesis_memory.model.work import WorkItem, WorkState
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.pipeline import SegmentFilter, WorkFilter
from anamnesis_memory.ports.upkeep import (
    Cursors,
    KeptMemory,
    Record,
    RecordType,
    Tombstone,
    TombstoneKey,
)
from tests.contract.test_export import comparable, exported
from tests.support.clock import SetClock
from tests.support.pipeline import claim, complete, learn, measured_session, taught
from tests.support.records import BASE_US, append, lesson, rows

NOBODY = Caller()
COST = HourUsage(1_000 * HOUR_US, "extract", 3, 100, 20)


def full_parts() -> list[Memory]:
    """A memory of each kind that is learned, with every field of its part set."""
    fact = Fact(
        "Ada",
        "prefers",
        "tea",
        valid_from_us=1,
        valid_to_us=2,
        kind=FactKind.PREFERENCE,
        persons=("Ada", "Bob"),
        location="London",
        topic="drinks",
        time_precision=TimePrecision.DAY,
        source_memory_ids=("m-1", "m-2"),
        source="Bob",
        single_valued=True,
    )
    steps = (ProcedureStep("boil", "water", "it boils", "wait"),)
    procedure = Procedure("tea", "a cup", steps, avoid=("milk",), trigger_tags=("tea", "cup"))
    learned = Lesson("tea", "kitchen", "boil first", 0.5, evidence_memory_ids=("m-3",))
    return [
        replace(taught("Ada prefers tea"), part=fact),
        replace(taught("how to make tea", Kind.PROCEDURAL), part=procedure),
        replace(taught("boil first", Kind.LEARNING), part=learned),
    ]


async def fill(store: NamespaceStore, clock: SetClock) -> WorkItem:
    """A session that taught, one thing of it deleted, and one that is claimed; gives the claim."""
    extract, (one, two) = await measured_session(store, clock, "one", "two")
    made = await learn(
        store, extract, one.segment_id, *full_parts(), taught("gone"), refusals={"DATED": 2}
    )
    await learn(store, extract, two.segment_id)
    await complete(store, extract)
    await store.commit(DeleteMemory(made.memory_ids[-1], NOBODY))
    await store.commit(ReportUsage([COST]))
    await store.commit(append("later", session_id="s-2", end_session=True))
    return await claim(store, clock, Work.SEGMENT)


async def copied(stores: Stores, namespace: Namespace, records: Sequence[Record]) -> NamespaceStore:
    """The records in another namespace, put there in small batches, each twice."""
    target = replace(namespace, name="copy", incarnation=new_incarnation(BASE_US + 1_000_000))
    made = await stores.open(target)
    for start in range(0, len(records), 4):
        await made.import_batch(records[start : start + 4])
        await made.import_batch(records[start : start + 4])
    return made


def of(records: Sequence[Record], made_of: type[Record]) -> list[Record]:
    """The records of one type."""
    return [record for record in records if isinstance(record, made_of)]


async def test_an_export_has_what_was_learned(store: NamespaceStore, clock: SetClock) -> None:
    claimed = await fill(store, clock)
    records = await exported(store)
    assert of(records, Segment) == await store.list_segments(SegmentFilter(), None, None, 9)
    told = await store.list_activities("", NOBODY, None, 9)
    assert of(records, Activity) == list(reversed(told))
    assert [len(one.memory_ids) for one in of(records, Activity)] == [3, 0]  # type: ignore[union-attr]
    work = await store.list_work(WorkFilter(), None, 9)
    assert of(records, WorkItem) == work
    assert claimed in work
    assert of(records, HourUsage) == [COST]
    assert len(of(records, Tombstone)) == 1
    places = [type(record) for record in records]
    assert places.index(TombstoneKey) + 1 == places.index(Tombstone)
    assert places.index(Segment) < places.index(KeptMemory) < places.index(Activity)
    assert places[-1] is Cursors


async def test_an_export_counts_what_was_learned(store: NamespaceStore, clock: SetClock) -> None:
    await fill(store, clock)
    async with store.export() as export:
        names = ("SEGMENTS", "ACTIVITIES", "WORK", "TOMBSTONES", "USAGES")
        assert [export.counts[RecordType[name]] for name in names] == [2, 2, 6, 1, 1]


async def test_without_a_tombstone_no_key_is_told(store: NamespaceStore) -> None:
    await store.commit(append("one"))
    assert not of(await exported(store), TombstoneKey)


async def test_what_was_learned_comes_back_as_it_was(
    store: NamespaceStore, stores: Stores, namespace: Namespace, clock: SetClock
) -> None:
    claimed = await fill(store, clock)
    made = await copied(stores, namespace, await exported(store))
    waiting = replace(
        claimed,
        state=WorkState.PENDING,
        token=claimed.token + 1,
        holder="",
        expires_us=0,
        attempts=0,
    )
    expected = [waiting if one == claimed else one for one in await exported(store)]
    assert comparable(await exported(made)) == comparable(expected)
    for one in (store, made):
        assert await one.usage(0) == [COST]
    told = await store.list_activities("", NOBODY, None, 9)
    assert await made.list_activities("", NOBODY, None, 9) == told
    assert await made.count_work(WorkFilter(states=(WorkState.CLAIMED,))) == {}
    again = await claim(made, clock, Work.SEGMENT)
    assert again.token > max(waiting.token, claimed.token)
    await made.close()


async def test_a_copy_goes_on_learning_and_forgetting(
    store: NamespaceStore, stores: Stores, namespace: Namespace, clock: SetClock
) -> None:
    await fill(store, clock)
    made = await copied(stores, namespace, await exported(store))
    (first, *_) = (await made.list_activities("", NOBODY, None, 9))[-1].memory_ids
    await made.commit(DeleteMemory(first, NOBODY))
    assert first not in (await made.list_activities("", NOBODY, None, 9))[-1].memory_ids
    extract, (segment,) = await measured_session(made, clock, "three", session_id="s-3")
    done = await learn(made, extract, segment.segment_id, taught("gone"), taught("new"))
    assert (len(done.memory_ids), done.forgotten) == (1, 1), "the copy knows what was deleted"
    await made.commit(ReportUsage([COST]))
    assert await made.usage(0) == [replace(COST, calls=6, input_tokens=200, output_tokens=40)]
    await made.close()


async def test_a_tombstone_of_a_copy_says_as_little(
    store: NamespaceStore, stores: Stores, namespace: Namespace, clock: SetClock
) -> None:
    await fill(store, clock)
    (mark,) = of(await exported(store), Tombstone)
    assert isinstance(mark, Tombstone)
    assert mark.mark != tombstone_of(taught("gone"))
    target = replace(namespace, incarnation=new_incarnation(BASE_US + 2_000_000))
    other = await stores.open(target)
    extract, (segment,) = await measured_session(other, clock, "one")
    made = await learn(other, extract, segment.segment_id, taught("gone"))
    await other.commit(DeleteMemory(made.memory_ids[0], NOBODY))
    assert of(await exported(other), Tombstone) != [mark], "each namespace has its own key"
    await other.close()


async def test_what_belongs_to_nothing_is_passed_over(
    store: NamespaceStore, stores: Stores, namespace: Namespace, clock: SetClock
) -> None:
    await fill(store, clock)
    records = await exported(store)
    (segment, *_) = of(records, Segment)
    (activity, *_) = of(records, Activity)
    assert isinstance(segment, Segment)
    assert isinstance(activity, Activity)
    made = await copied(stores, namespace, records)
    strange = replace(segment, segment_id="f" * 32, session_id="nobody")
    named = replace(activity, memory_ids=("nobody", *activity.memory_ids))
    await made.import_batch([strange, named])
    assert of(await exported(made), Segment) == of(records, Segment)
    assert of(await exported(made), Activity) == of(records, Activity)
    await made.close()


def _settled(part: Part) -> Part:
    """A part as it is stored: a fact stands on a line by then."""
    if not isinstance(part, Fact):
        return part
    told = Interval(part.valid_from_us, part.valid_to_us)
    statement = Statement("shared", part.subject, part.predicate, part.object)
    return replace(part, fact_id=statement.fact_id(told))


async def test_every_field_of_a_part_survives(
    store: NamespaceStore, stores: Stores, namespace: Namespace
) -> None:
    parts = full_parts()
    await store.commit(CreateMemories([*parts, lesson("bare")], [rows(1.0), None, None, None]))
    held = (await store.list_memories(MemoryFilter(), None, 0, 9)).items
    kept = {memory.memory_id: memory.part for memory in held}
    assert [kept[memory.memory_id] for memory in parts] == [_settled(one.part) for one in parts]
    made = await copied(stores, namespace, await exported(store))
    assert (await made.list_memories(MemoryFilter(), None, 0, 9)).items == held
    await made.close()
