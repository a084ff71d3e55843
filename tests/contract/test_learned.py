"""What segments teach, on every backend: stored once, told newest first, and forgotten for good."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from anamnesis_libs.errors.not_found import SegmentNotFound
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import (
    Caller,
    Kind,
    Memory,
    MemoryFilter,
    Namespace,
    Visibility,
    Work,
)
from anamnesis_memory.model.memory_details import (
    Episode,
    EpisodeStage,
    Fact,
    FactKind,
    Lesson,
    Procedure,
    ProcedureStep,
    TimePrecision,
)
from anamnesis_memory.model.segments import Activity, SegmentState
from anamnesis_memory.model.work import COMPRESS_AFTER_US, WorkState
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.pipeline import SegmentFilter, WorkFilter
from tests.support.clock import SetClock
from tests.support.pipeline import (
    SECOND_US,
    claim,
    claims,
    complete,
    cut,
    learn,
    measured_session,
    now_us,
    promote,
    taught,
)
from tests.support.records import BASE_US, DIMENSION, append, lesson, new_event, rows

NOBODY = Caller()


async def activities(store: NamespaceStore, session_id: str = "") -> Sequence[Activity]:
    """All activities that anybody may see."""
    return await store.list_activities(session_id, NOBODY, None, 500)


async def learned(store: NamespaceStore) -> list[Memory]:
    """What was learned, in the order in which it was stored."""
    listed = (await store.list_memories(MemoryFilter(), None, 0, 500)).items
    return [memory for memory in listed if memory.kind is not Kind.EPISODIC]


async def test_what_a_segment_teaches_is_its_sessions(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (segment,) = await measured_session(store, clock, "one")
    sent = replace(taught("a fact"), tags=("mine",), visibility=Visibility.PRIVATE_TO_AGENT)
    done = await learn(
        store, extract, segment.segment_id, sent, vectors={sent.memory_id: rows(1.0)}
    )
    (fact,) = await learned(store)
    assert done.memory_ids == (fact.memory_id,)
    assert (fact.visibility, fact.agent_id, fact.user_id) == (Visibility.SHARED, "agent", "ada")
    assert (fact.session_id, fact.tags) == ("s-1", (segment.tag, "mine"))
    source = fact.provenance
    assert (source.segment_id, source.session_id) == (segment.segment_id, "s-1")
    assert (source.first_event_index, source.last_event_index) == (0, 0)
    assert (await store.embeddings([fact.memory_id])).keys() == {fact.memory_id}
    (told,) = await activities(store)
    assert told == Activity(
        time_us=now_us(clock),
        session_id="s-1",
        segment_id=segment.segment_id,
        topic="on one",
        memory_ids=(fact.memory_id,),
        facts=1,
        lessons=0,
        procedures=0,
        refusals=(),
        extractor="local",
        revision=store.revision,
    )
    (held,) = await store.list_segments(SegmentFilter(), None, None, 9)
    assert (held.state, held.revision) == (SegmentState.EXTRACTED, store.revision)


async def test_typed_parts_come_back_as_they_were(store: NamespaceStore, clock: SetClock) -> None:
    extract, (segment,) = await measured_session(store, clock, "one")
    fact = Fact(
        "Ada",
        "likes",
        "tea",
        BASE_US,
        None,
        FactKind.PREFERENCE,
        ("Ada", "猫"),
        "Zürich",
        "drinks",
        TimePrecision.DAY,
        ("m-1", "m-2"),
    )
    steps = (ProcedureStep("boil", "water", "it boils", "wait"), ProcedureStep("pour"))
    procedure = Procedure("tea", "a cup", steps, ("cold water",), ("thirst", "morning"))
    insight = Lesson("tea", "when cold", "drink", 0.5, ("m-3",))
    parts = (Kind.SEMANTIC, fact), (Kind.PROCEDURAL, procedure), (Kind.LEARNING, insight)
    sent = [replace(taught(kind.value, kind), part=part) for kind, part in parts]
    await learn(store, extract, segment.segment_id, *sent)
    kept = [memory.part for memory in await learned(store)]
    assert isinstance(kept[0], Fact)
    settled = replace(fact, fact_id=kept[0].fact_id, source="s-1")
    assert kept == [settled, procedure, insight]
    assert settled.fact_id
    (told,) = await activities(store)
    assert (told.facts, told.procedures, told.lessons) == (1, 1, 1)


async def test_learning_twice_stores_once(store: NamespaceStore, clock: SetClock) -> None:
    extract, (segment,) = await measured_session(store, clock, "one")
    first, again = await asyncio.gather(
        learn(store, extract, segment.segment_id, taught("once"), taught("twice")),
        learn(store, extract, segment.segment_id, taught("thrice")),
    )
    assert again.memory_ids == first.memory_ids
    assert [memory.content for memory in await learned(store)] == ["once", "twice"]
    assert len(await activities(store)) == 1


async def test_a_segment_that_teaches_nothing_is_done_with(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (segment,) = await measured_session(store, clock, "one")
    await learn(store, extract, segment.segment_id, refusals={"unsupported": 2, "confidence": 1})
    (told,) = await activities(store)
    assert (told.memory_ids, told.refusals) == ((), (("confidence", 1), ("unsupported", 2)))
    done = await complete(store, extract)
    assert done.state is WorkState.DONE
    (compress,) = await store.list_work(WorkFilter((Work.COMPRESS,)), None, 9)
    assert compress.due_us == now_us(clock) + COMPRESS_AFTER_US
    ((again, _),) = (await claims(store, clock, Work.COMPRESS, even_if_early=True)).items
    with pytest.raises(SegmentNotFound):
        await learn(store, again, "nobody", taught("x"))


async def test_what_was_deleted_is_not_learned_again(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (segment,) = await measured_session(store, clock, "one")
    await learn(store, extract, segment.segment_id, taught("A  secret fact"), taught("kept"))
    secret, kept = await learned(store)
    await store.commit(DeleteMemory(secret.memory_id, NOBODY))
    (told,) = await activities(store)
    assert (told.memory_ids, told.facts) == ((kept.memory_id,), 2)
    extract, (segment,) = await measured_session(store, clock, "two", session_id="other")
    said_again = (taught("a SECRET fact "), taught("A secret fact", Kind.LEARNING), taught("new"))
    done = await learn(store, extract, segment.segment_id, *said_again)
    assert (len(done.memory_ids), done.forgotten) == (2, 1)
    assert done.kinds == {Kind.LEARNING, Kind.SEMANTIC}
    texts = [memory.content for memory in await learned(store)]
    assert texts == ["kept", "A secret fact", "new"]
    await store.commit(CreateMemories([taught("a secret fact")], [None]))
    assert len(await learned(store)) == 4, "who states it may state it"


async def test_deleting_what_was_said_forbids_nothing(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (segment,) = await measured_session(store, clock, "I like tea")
    (drawer,) = (await store.list_memories(MemoryFilter(), None, 0, 9)).items
    await store.commit(DeleteMemory(drawer.memory_id, NOBODY))
    await learn(store, extract, segment.segment_id, taught("I like tea"))
    assert [memory.content for memory in await learned(store)] == ["I like tea"]


async def test_a_tombstone_is_of_one_namespace(
    stores: Stores, store: NamespaceStore, clock: SetClock
) -> None:
    space = Namespace("other", new_incarnation(BASE_US), BASE_US, "model", DIMENSION)
    other = await stores.open(space)
    (made,) = (await store.commit(CreateMemories([taught("secret")], [None]))).result or ()
    await store.commit(DeleteMemory(made.memory.memory_id, NOBODY))
    for each, forgotten in ((store, 1), (other, 0)):
        extract, (segment,) = await measured_session(each, clock, "one")
        done = await learn(each, extract, segment.segment_id, taught("secret"))
        assert done.forgotten == forgotten
    assert await other.list_activities("", NOBODY, None, 9) != await activities(store)
    await other.close()


async def test_a_tombstone_is_there_after_a_delete_in_the_same_batch(
    store: NamespaceStore, clock: SetClock
) -> None:
    (made,) = (await store.commit(CreateMemories([taught("secret")], [None]))).result or ()
    extract, (segment,) = await measured_session(store, clock, "one")
    _, done = await asyncio.gather(
        store.commit(DeleteMemory(made.memory.memory_id, NOBODY)),
        learn(store, extract, segment.segment_id, taught("secret")),
    )
    assert done.forgotten == 1


async def test_activities_are_told_newest_first_in_pages(
    store: NamespaceStore, clock: SetClock
) -> None:
    for name in ("a", "b"):
        extract, held = await measured_session(store, clock, "one", "two", session_id=name)
        for segment in held:
            clock.move(seconds=1)
            await learn(store, extract, segment.segment_id, taught(f"{name} {segment.topic}"))
    told = [(one.session_id, one.topic) for one in await activities(store)]
    assert told == [("b", "on two"), ("b", "on one"), ("a", "on two"), ("a", "on one")]
    paged: list[Activity] = []
    while page := await store.list_activities("", NOBODY, _place(paged), 3):
        paged += page
    assert paged == await activities(store)
    of_a = await activities(store, "a")
    assert [one.session_id for one in of_a] == ["a", "a"]
    assert await store.list_activities("a", NOBODY, _place(of_a[:1]), 9) == of_a[1:]


def _place(listed: Sequence[Activity]) -> tuple[int, str] | None:
    return (listed[-1].revision, listed[-1].segment_id) if listed else None


async def test_activities_are_seen_by_those_who_see_the_session(
    store: NamespaceStore, clock: SetClock
) -> None:
    private = AppendEvents(
        "mine", (new_event("one", 0),), user_id="ada", visibility=Visibility.PRIVATE_TO_USER
    )
    await store.commit(private)
    extract, (segment,) = await measured_session(store, clock, "one", session_id="mine")
    await learn(store, extract, segment.segment_id, taught("private"))
    (fact,) = await learned(store)
    assert (fact.visibility, fact.user_id) == (Visibility.PRIVATE_TO_USER, "ada")
    for caller, count in ((NOBODY, 0), (Caller("", "bob"), 0), (Caller("", "ada"), 1)):
        for name in ("", "mine"):
            assert len(await store.list_activities(name, caller, None, 9)) == count


async def test_an_activity_outlives_its_segment(store: NamespaceStore, clock: SetClock) -> None:
    extract, (segment,) = await measured_session(store, clock, "one")
    await learn(store, extract, segment.segment_id, taught("learned"))
    before = await activities(store)
    await store.commit(append("uno", end_session=True))
    item = await claim(store, clock, Work.SEGMENT)
    done = await cut(store, item, (0, 0, "uno"))
    assert done.archived == before[0].memory_ids
    assert await activities(store) == before


async def test_a_lesson_makes_clustering_due_and_keeps_its_holder(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (one, two) = await measured_session(store, clock, "one", "two")
    await learn(store, extract, one.segment_id, taught("a fact"))
    assert (await claims(store, clock, Work.CLUSTER)).items == ()
    await learn(store, extract, two.segment_id, taught("a lesson", Kind.LEARNING))
    holder = await claim(store, clock, Work.CLUSTER)
    await store.commit(CreateMemories([lesson("another")], [None]))
    assert (await claims(store, clock, Work.CLUSTER)).items == ()
    done = await complete(store, holder)
    assert (done.state, done.again) == (WorkState.PENDING, False)
    again = await claim(store, clock, Work.CLUSTER)
    assert (await complete(store, again)).state is WorkState.DONE


async def test_episodes_are_promoted_with_their_summaries(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, held = await measured_session(store, clock, "one", "two")
    await store.commit(append("elsewhere", session_id="other"))
    for segment in held:
        await learn(store, extract, segment.segment_id)
    await complete(store, extract)
    assert (await claims(store, clock, Work.COMPRESS)).items == ()
    clock.move(seconds=COMPRESS_AFTER_US / SECOND_US)
    item = await claim(store, clock, Work.COMPRESS)
    drawers = (await store.list_memories(MemoryFilter(), None, 0, 9)).items
    summaries = {one.memory_id: f"in short: {one.content}" for one in drawers}
    assert await promote(store, item, summaries) == 2
    after = (await store.list_memories(MemoryFilter(), None, 0, 9)).items
    assert [one.content for one in after] == ["one", "two", "elsewhere"]
    assert [one.summary for one in after] == ["in short: one", "in short: two", ""]
    stages = [one.part.stage for one in after if isinstance(one.part, Episode)]
    assert stages == [EpisodeStage.MEDIUM_TERM, EpisodeStage.MEDIUM_TERM, EpisodeStage.SHORT_TERM]
    assert {one.revision for one in after[:2]} == {store.revision}
    assert (await claims(store, clock, Work.COMPRESS, even_if_early=True)).items == ()
