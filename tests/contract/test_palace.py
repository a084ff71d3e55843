"""Wings, rooms, closets and drawers, on every backend: counts, last activity, what was given."""

from dataclasses import replace

from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.model.memory import Memory, Visibility
from anamnesis_memory.model.segments import Segment
from anamnesis_memory.model.session import Session
from anamnesis_memory.ports import NamespaceStore, WriteSet
from anamnesis_memory.ports.knowledge import (
    AllocatedPointers,
    ClosetCount,
    NamedCount,
    RoomCount,
    WingSummary,
)
from tests.support.knowing import entity, mention
from tests.support.life import everything, put
from tests.support.records import BASE_US, append

ADAS, BOBS = "user:ada", "user:bob"
ALL_SCOPES = ("shared", ADAS, BOBS)


def said(session_id: str, *texts: str, user_id: str = "ada", label: str = "") -> AppendEvents:
    """Events of a session; those of Bob only he sees."""
    seen_by = Visibility.PRIVATE_TO_USER if user_id == "bob" else Visibility.SHARED
    return replace(
        append(*texts, session_id=session_id), user_id=user_id, visibility=seen_by, label=label
    )


async def furnish(store: NamespaceStore) -> None:
    """Ada's wing with two rooms, and Bob's with one, which is his own."""
    await store.commit(said("s-1", "a", "b", "c", label="chat"))
    await store.commit(said("s-2", "d", user_id="bob"))
    await store.commit(said("s-3", "e", "f"))


async def furnish_naming_rome(store: NamespaceStore) -> None:
    """The same, with drawers of each room that name Rome, as two entities."""
    await furnish(store)
    (a, b, _), (d,), (e, _) = [await drawers(store, one) for one in ("s-1", "s-2", "s-3")]
    named = [
        mention(a.memory_id, "e-1", "Rome"),
        mention(a.memory_id, "e-2", "Roma"),
        mention(b.memory_id, "e-1", "Rome"),
        mention(d.memory_id, "e-1", "Rome", scope=BOBS),
        mention(e.memory_id, "e-2", "Roma"),
    ]
    edits = WriteSet(entities=(entity("e-1"), entity("e-2")), mentions=tuple(named))
    await put(store, edits)


async def drawers(store: NamespaceStore, session_id: str) -> list[Memory]:
    """Those of a session, in order."""
    return list(await store.drawers_of(session_id, 0, None, (), 100))


def segment(session_id: str, first: int, last: int) -> Segment:
    """A closet."""
    segment_id = f"{session_id}.{first}"
    return Segment(segment_id, session_id, first, last, "f", "topic", "", "local", 1, 1, 1)


async def test_homes_are_counted(store: NamespaceStore) -> None:
    assert await store.homes(None, 0, 10) == []
    await furnish(store)
    ada = WingSummary(1, ADAS, 2, 5, BASE_US + 2)
    bob = WingSummary(2, BOBS, 1, 1, BASE_US)
    assert list(await store.homes(None, 0, 10)) == [ada, bob]
    assert list(await store.homes(ALL_SCOPES, 0, 1)) == [ada]
    assert list(await store.homes(ALL_SCOPES, 1, 10)) == [bob]
    assert list(await store.homes(("shared",), 0, 10)) == [ada]
    assert list(await store.homes((BOBS,), 0, 10)) == [bob]
    assert await store.homes((), 0, 10) == []


async def test_a_home_counts_what_may_be_seen_in_it_archived_too(store: NamespaceStore) -> None:
    await furnish(store)
    first, second, third = await drawers(store, "s-1")
    hidden = replace(second, visibility=Visibility.PRIVATE_TO_USER, user_id="eve")
    edits = WriteSet(memories=(hidden,), archived_memories=(first.memory_id,))
    await put(store, edits)
    (home,) = await store.homes(("shared",), 0, 10)
    assert (home.rooms, home.drawers) == (2, 4)
    await put(store, WriteSet(deleted_memories=(third.memory_id,)))
    (home,) = await store.homes(("shared",), 0, 10)
    assert (home.rooms, home.drawers, home.last_us) == (2, 3, BASE_US + 1)


async def test_a_drawer_without_a_time_counts_from_when_it_was_stored(
    store: NamespaceStore,
) -> None:
    await store.commit(said("s-1", "a"))
    (drawer,) = await drawers(store, "s-1")
    await put(store, WriteSet(memories=(replace(drawer, event_time_us=None),)))
    (home,) = await store.homes(None, 0, 10)
    (room,) = await store.rooms_of_wing(1, None, 0, 10)
    assert home.last_us == room.last_us == drawer.create_time_us


async def test_rooms_are_listed_by_number(store: NamespaceStore) -> None:
    await furnish(store)
    await put(store, WriteSet(segments=(segment("s-1", 0, 1), segment("s-1", 2, 2))))
    first = RoomCount("s-1", 1, 1, "chat", 2, 3, BASE_US, BASE_US + 2)
    last = RoomCount("s-3", 1, 2, "", 0, 2, BASE_US, BASE_US + 1)
    assert list(await store.rooms_of_wing(1, None, 0, 10)) == [first, last]
    assert list(await store.rooms_of_wing(1, ("shared",), 0, 1)) == [first]
    assert list(await store.rooms_of_wing(1, ("shared",), 1, 10)) == [last]
    assert await store.rooms_of_wing(2, ("shared",), 0, 10) == []
    assert await store.rooms_of_wing(9, None, 0, 10) == []
    kept = [one.memory_id for one in await drawers(store, "s-3")]
    await put(store, WriteSet(deleted_memories=tuple(kept)))
    (_, room) = await store.rooms_of_wing(1, None, 0, 10)
    assert (room.drawers, room.last_us) == (0, None)


async def test_rooms_of_entities_are_those_whose_drawers_mention_one(
    store: NamespaceStore,
) -> None:
    await furnish_naming_rome(store)
    one = RoomCount("s-1", 1, 1, "chat", 0, 2, BASE_US, BASE_US + 1)
    two = RoomCount("s-2", 2, 1, "", 0, 1, BASE_US, BASE_US)
    last = RoomCount("s-3", 1, 2, "", 0, 1, BASE_US, BASE_US)
    both = ["e-1", "e-2"]
    assert list(await store.rooms_of_entities(both, None, None, 10)) == [one, last, two]
    assert list(await store.rooms_of_entities(both, ("shared",), None, 10)) == [one, last]
    assert list(await store.rooms_of_entities(both, None, None, 1)) == [one]
    after = (BASE_US + 1, "s-1")
    assert list(await store.rooms_of_entities(both, None, after, 1)) == [last]
    assert list(await store.rooms_of_entities(both, None, (BASE_US, "s-3"), 9)) == [two]
    assert (
        list(await store.rooms_of_entities(["e-2"], None, None, 10))
        == [
            replace(one, drawers=1, last_us=BASE_US),
            last,
        ][::-1]
    )
    assert await store.rooms_of_entities([], None, None, 10) == []
    assert await store.rooms_of_entities(["e-9"], None, None, 10) == []


async def test_what_names_entities_is_counted_for_many_at_once(store: NamespaceStore) -> None:
    await furnish_naming_rome(store)
    groups = [("e-2",), ("e-9",), ("e-1", "e-2"), ("e-1",), ()]
    none = NamedCount()
    assert list(await store.count_of_entities(groups, None)) == [
        NamedCount(2, 2, BASE_US),
        none,
        NamedCount(3, 4, BASE_US + 1),
        NamedCount(2, 3, BASE_US + 1),
        none,
    ]
    assert list(await store.count_of_entities(groups, ("shared",))) == [
        NamedCount(2, 2, BASE_US),
        none,
        NamedCount(2, 3, BASE_US + 1),
        NamedCount(1, 2, BASE_US + 1),
        none,
    ]
    assert list(await store.count_of_entities(groups[3:4], (BOBS,))) == [NamedCount(1, 1, BASE_US)]
    assert list(await store.count_of_entities([], None)) == []


async def test_closets_are_segments_with_their_drawers(store: NamespaceStore) -> None:
    await furnish(store)
    first, last = segment("s-1", 0, 1), segment("s-1", 2, 2)
    await put(store, WriteSet(segments=(last, first, segment("s-3", 0, 1))))
    assert list(await store.closets_of("s-1", -1, 10)) == [
        ClosetCount(first, 2, BASE_US + 1),
        ClosetCount(last, 1, BASE_US + 2),
    ]
    assert [one.segment for one in await store.closets_of("s-1", -1, 1)] == [first]
    assert [one.segment for one in await store.closets_of("s-1", 0, 10)] == [last]
    assert await store.closets_of("s-9", -1, 10) == []
    (drawer,) = await store.drawers_of("s-1", 2, 2, (), 10)
    await put(store, WriteSet(deleted_memories=(drawer.memory_id,)))
    assert list(await store.closets_of("s-1", 1, 10)) == [ClosetCount(last, 0, None)]


async def test_drawers_are_listed_by_event(store: NamespaceStore) -> None:
    await furnish(store)
    a, b, c = await drawers(store, "s-1")
    assert [one.content for one in (a, b, c)] == ["a", "b", "c"]
    assert list(await store.drawers_of("s-1", 1, None, (), 10)) == [b, c]
    assert list(await store.drawers_of("s-1", 0, 1, (), 10)) == [a, b]
    assert list(await store.drawers_of("s-1", 0, None, (), 2)) == [a, b]
    assert list(await store.drawers_of("s-1", 1, 1, (), 10)) == [b]
    assert await store.drawers_of("s-9", 0, None, (), 10) == []
    named = (mention(a.memory_id, "e-1", "Rome"), mention(c.memory_id, "e-2", "Oslo"))
    await put(store, WriteSet(entities=(entity("e-1"), entity("e-2")), mentions=named))
    assert list(await store.drawers_of("s-1", 0, None, ["e-1"], 10)) == [a]
    assert list(await store.drawers_of("s-1", 0, None, ["e-1", "e-2"], 1)) == [a]
    assert await store.drawers_of("s-1", 0, None, ["e-9"], 10) == []


async def test_drawers_of_one_event_are_listed_as_they_were_stored(store: NamespaceStore) -> None:
    await furnish(store)
    a, *_ = await drawers(store, "s-1")
    later = replace(a, memory_id="0" * len(a.memory_id), pointer=f"{a.pointer}9", content="later")
    await put(store, WriteSet(memories=(later,), archived_memories=(a.memory_id,)))
    assert [one.content for one in await store.drawers_of("s-1", 0, 0, (), 10)] == ["a", "later"]


async def test_a_pointer_leads_to_its_drawer_until_that_is_deleted(store: NamespaceStore) -> None:
    await furnish(store)
    for drawer in await drawers(store, "s-1"):
        assert await store.memory_at(drawer.pointer) == drawer
    assert await store.memory_at("§ W-001/R-01/D-004") is None
    assert await store.memory_at("") is None
    await put(store, WriteSet(deleted_memories=(drawer.memory_id,)))
    assert await store.memory_at(drawer.pointer) is None


async def test_what_was_given_stays_given(store: NamespaceStore) -> None:
    assert await store.given(1, 0) is None
    await furnish(store)
    assert await store.given(1, 0) == AllocatedPointers(ADAS, 2)
    assert await store.given(1, 3) == AllocatedPointers(ADAS, 2)
    assert await store.given(1, 1) == AllocatedPointers(
        ADAS, 2, 3, "s-1", user_id="ada", agent_id="agent"
    )
    private = Visibility.PRIVATE_TO_USER
    assert await store.given(2, 1) == AllocatedPointers(BOBS, 1, 1, "s-2", private, "agent", "bob")
    gone = await drawers(store, "s-1")
    await put(store, WriteSet(deleted_memories=tuple(one.memory_id for one in gone)))
    assert await store.given(1, 1) == AllocatedPointers(
        ADAS, 2, 3, "s-1", user_id="ada", agent_id="agent"
    )
    await put(store, WriteSet(erased_sessions=("s-1",)))
    assert await store.given(1, 1) == AllocatedPointers(ADAS, 2)
    (home,) = await store.homes(("shared",), 0, 10)
    assert home == WingSummary(1, ADAS, 1, 2, BASE_US + 1)
    assert [one.room for one in await store.rooms_of_wing(1, None, 0, 10)] == [2]


async def test_a_session_is_of_a_project_until_it_goes(store: NamespaceStore) -> None:
    await furnish(store)
    before = await store.session("s-1")
    assert isinstance(before, Session)
    assert before.project == ""
    named = replace(before, project="Anamnesis")
    await put(store, WriteSet(sessions=(named,)))
    assert await store.session("s-1") == named
    assert named in (await store.list_sessions(None, "", "", "", 10)).items
    found, _ = await store.occurrences(["Anamnesis"])
    assert found
    kept = tuple(one.memory_id for one in await everything(store) if one.session_id == "s-1")
    await put(store, WriteSet(erased_sessions=("s-1",), deleted_memories=kept))
    await store.scrub()
    found, _ = await store.occurrences(["Anamnesis"])
    assert not found
