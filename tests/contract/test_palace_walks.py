"""The palace, on every backend: who sees which wings, rooms and drawers, and where pages end."""

from dataclasses import replace

import pytest

from libs.absent import PointerNotFound, SegmentNotFound, SessionNotFound, WingNotFound
from libs.errors import InvalidArgument
from services.memory.append import AppendEvents
from services.memory.erasure.erase_subject import SubjectErasure
from services.memory.erasure.erasing import Erasing
from services.memory.model import Caller, Status, Visibility, Work
from services.memory.palace.drawers import DrawerPlace, DrawersOf, list_drawers, place_of
from services.memory.palace.pointers import read_pointer
from services.memory.palace.resolving import PointerState, Resolved, resolve
from services.memory.palace.wings import WingKind, WingView, list_wings, room_place, rooms_of
from services.memory.port_life import Subject
from services.memory.ports import NamespaceStore
from tests.support.clock import SetClock
from tests.support.pipeline import claim, cut
from tests.support.records import BASE_US, append

NOBODY = Caller()
MARA = Caller(user_id="mara")


def said(session_id: str, *texts: str, start: int = 0, **owners: str) -> AppendEvents:
    """Events of a session of these owners."""
    stated = append(*texts, session_id=session_id, start=start)
    return replace(stated, **{"user_id": "", "agent_id": "", **owners})  # type: ignore[arg-type]


def hidden(write: AppendEvents) -> AppendEvents:
    """The same, for its user alone."""
    return replace(write, visibility=Visibility.PRIVATE_TO_USER)


async def told(store: NamespaceStore, *writes: AppendEvents) -> None:
    for write in writes:
        await store.commit(write)


async def wings(store: NamespaceStore, caller: Caller = NOBODY, *kinds: WingKind) -> list[WingView]:
    return list(await list_wings(store, caller, kinds, None, 50))


async def followed(store: NamespaceStore, pointer: str, caller: Caller = NOBODY) -> Resolved:
    return await resolve(store, read_pointer(pointer), caller)


async def drawers(
    store: NamespaceStore, where: DrawersOf, caller: Caller = NOBODY, size: int = 50
) -> list[list[str]]:
    """The texts of all pages."""
    pages, after = [], DrawerPlace()
    while found := await list_drawers(store, where, caller, after, size + 1):
        shown = found[:size]
        pages.append([one.content for one in shown])
        if len(found) <= size:
            break
        after = place_of(shown, after)
    return pages


async def test_a_session_lives_with_its_person_else_its_project_else_its_agent(
    store: NamespaceStore,
) -> None:
    await told(
        store,
        said("s-1", "a", user_id="mara", project="apollo", agent_id="scribe"),
        said("s-2", "b", project="apollo", agent_id="scribe"),
        said("s-3", "c", agent_id="scribe"),
        said("s-4", "d"),
        said("s-5", "e", project="apollo"),
    )
    found = [(one.wing_id, one.kind, one.name, one.rooms) for one in await wings(store)]
    assert found == [
        ("W-001", WingKind.USER, "mara", 1),
        ("W-002", WingKind.PROJECT, "apollo", 2),
        ("W-003", WingKind.AGENT, "scribe", 1),
        ("W-004", WingKind.NAMESPACE, "", 1),
    ]
    held = [await store.session(f"s-{number}") for number in range(1, 6)]
    assert [one and one.project for one in held] == ["apollo", "apollo", "", "", "apollo"]


async def test_the_project_is_that_of_the_first_write(store: NamespaceStore) -> None:
    await told(
        store,
        said("s-1", "a", project="apollo"),
        said("s-1", "b", start=1, project="gemini"),
        said("s-2", "c", agent_id="scribe"),
        said("s-2", "d", start=1, agent_id="scribe", project="apollo"),
    )
    first, second = await store.session("s-1"), await store.session("s-2")
    assert first
    assert second
    assert (first.project, first.wing, second.project, second.wing) == ("apollo", 1, "", 2)
    assert [one.name for one in await wings(store)] == ["apollo", "scribe"]


async def test_counts_and_activity_are_of_what_the_caller_sees(store: NamespaceStore) -> None:
    await told(
        store,
        said("s-1", "a", "b", user_id="mara"),
        hidden(said("s-2", "c", "d", "e", user_id="mara")),
        hidden(said("s-3", "f", user_id="tom")),
    )
    (wing,) = await wings(store)
    assert (wing.name, wing.rooms, wing.drawers, wing.last_us) == ("mara", 1, 2, BASE_US + 1)
    (own,) = await wings(store, MARA)
    assert (own.rooms, own.drawers, own.last_us) == (2, 5, BASE_US + 2)
    rooms = await rooms_of(store, "W-001", NOBODY, None, 9)
    assert [(room.session_id, room.room, room.drawers) for room in rooms] == [("s-1", 1, 2)]
    for caller in (NOBODY, MARA):
        with pytest.raises(WingNotFound):
            await rooms_of(store, "W-002", caller, None, 9)


async def test_wings_and_rooms_come_in_pages(store: NamespaceStore) -> None:
    await told(
        store, *(said(f"s-{n}-{m}", "x", user_id=f"u-{n}") for n in range(5) for m in (0, 1))
    )
    found: list[str] = []
    after = None
    while page := await list_wings(store, NOBODY, (), after, 2):
        found += [wing.name for wing in page]
        after = page[-1].place
    assert found == [f"u-{n}" for n in range(5)]
    (first,) = await rooms_of(store, "W-003", NOBODY, None, 1)
    (second,) = await rooms_of(store, "W-003", NOBODY, room_place("W-003", first), 1)
    assert (first.session_id, second.session_id) == ("s-2-0", "s-2-1")
    assert not await rooms_of(store, "W-003", NOBODY, room_place("W-003", second), 1)


async def test_wings_of_some_kinds(store: NamespaceStore) -> None:
    await told(store, said("s-1", "a", user_id="mara"), said("s-2", "b", project="apollo"))
    assert [one.name for one in await wings(store, NOBODY, WingKind.PROJECT)] == ["apollo"]
    assert await wings(store, NOBODY, WingKind.AGENT) == []
    (only,) = await list_wings(store, NOBODY, [WingKind.PROJECT], None, 1)
    assert only.name == "apollo"


@pytest.mark.parametrize("wing_id", ["", "E-", "R-1", "W-1/R-1", "mara", "W-0"])
async def test_what_names_no_wing_is_refused(store: NamespaceStore, wing_id: str) -> None:
    with pytest.raises(InvalidArgument, match="wing_id"):
        await rooms_of(store, wing_id, NOBODY, None, 9)


@pytest.mark.parametrize("wing_id", ["W-001", "§ W-9", "E-e-1"])
async def test_a_wing_that_is_not_there(store: NamespaceStore, wing_id: str) -> None:
    with pytest.raises(WingNotFound):
        await rooms_of(store, wing_id, NOBODY, None, 9)


async def test_drawers_of_a_room_and_of_a_closet(store: NamespaceStore, clock: SetClock) -> None:
    write = replace(said("s-1", "a", "b", "c", "d", user_id="mara"), end_session=True)
    await told(store, write)
    done = await cut(store, await claim(store, clock, Work.SEGMENT), (0, 1, "x"), (2, 3, "y"))
    first, second = done.segments
    assert await drawers(store, DrawersOf("s-1")) == [["a", "b", "c", "d"]]
    assert await drawers(store, DrawersOf("s-1", first.segment_id)) == [["a", "b"]]
    assert await drawers(store, DrawersOf("s-1", second.segment_id), size=1) == [["c"], ["d"]]
    closets = await store.closets_of("s-1", -1, 9)
    assert [(one.segment.segment_id, one.drawers, one.last_us) for one in closets] == [
        (first.segment_id, 2, BASE_US + 1),
        (second.segment_id, 2, BASE_US + 3),
    ]
    (room,) = await rooms_of(store, "W-001", NOBODY, None, 9)
    assert room.closets == 2
    with pytest.raises(SegmentNotFound):
        await drawers(store, DrawersOf("s-1", "no"))


async def test_every_text_of_an_event_keeps_its_drawer_on_some_page(store: NamespaceStore) -> None:
    await told(store, said("s-1", "a", "b", "c"))
    for text in ("b2", "b3", "b4"):
        await told(store, said("s-1", text, start=1))
    for size in (1, 2, 3, 4, 50):
        pages = await drawers(store, DrawersOf("s-1"), size=size)
        assert [text for page in pages for text in page] == ["a", "b", "b2", "b3", "b4", "c"]
        assert all(len(page) == size for page in pages[:-1])


async def test_a_page_goes_on_behind_a_drawer_that_went(store: NamespaceStore) -> None:
    await told(store, said("s-1", "a", "b"))
    await told(store, said("s-1", "b2", start=1), said("s-1", "b3", start=1))
    shown = await list_drawers(store, DrawersOf("s-1"), NOBODY, DrawerPlace(), 2)
    after = place_of(shown, DrawerPlace())
    await Erasing(store).memories([shown[-1].memory_id])
    rest = await list_drawers(store, DrawersOf("s-1"), NOBODY, after, 9)
    assert [one.content for one in rest] == ["b2", "b3"]


async def test_a_room_that_may_not_be_seen_is_not_there(store: NamespaceStore) -> None:
    await told(store, hidden(said("s-1", "a", user_id="mara")))
    assert await drawers(store, DrawersOf("s-1"), MARA) == [["a"]]
    for session_id, caller in (("s-1", NOBODY), ("s-1", Caller(user_id="tom")), ("no", MARA)):
        with pytest.raises(SessionNotFound):
            await drawers(store, DrawersOf(session_id), caller)


async def test_a_pointer_finds_what_it_was_given_to(store: NamespaceStore) -> None:
    await told(store, said("s-1", "a", "b", user_id="mara"))
    found = await followed(store, "w-1/r-1/d-2")
    assert found.state is PointerState.FOUND
    assert found.memory
    assert found.room
    assert found.wing
    assert (found.memory.content, found.room.session_id, found.wing.name) == ("b", "s-1", "mara")
    room = await followed(store, "W-1/R-1")
    assert (room.memory, room.room, room.wing) == (None, found.room, found.wing)
    wing = await followed(store, "W-1")
    assert (wing.memory, wing.room, wing.wing) == (None, None, found.wing)


async def test_a_text_that_was_replaced_is_still_at_its_pointer(store: NamespaceStore) -> None:
    await told(store, said("s-1", "a"), said("s-1", "b"))
    old, new = await followed(store, "W-1/R-1/D-1"), await followed(store, "W-1/R-1/D-2")
    assert old.memory
    assert new.memory
    assert (old.memory.content, old.memory.status) == ("a", Status.ARCHIVED)
    assert (new.memory.content, new.memory.status) == ("b", Status.ACTIVE)


async def test_what_was_never_given_is_not_found(store: NamespaceStore) -> None:
    await told(store, said("s-1", "a"))
    for pointer in ("W-2", "W-2/R-1", "W-1/R-2", "W-1/R-2/D-1", "W-1/R-1/D-2"):
        with pytest.raises(PointerNotFound):
            await followed(store, pointer)


async def test_what_was_deleted_is_gone(store: NamespaceStore) -> None:
    await told(store, said("s-1", "a", "b"), said("s-2", "c"))
    first = (await followed(store, "W-1/R-1/D-1")).memory
    assert first
    await Erasing(store).memories([first.memory_id])
    gone = await followed(store, "W-1/R-1/D-1")
    assert (gone.state, gone.memory, gone.room, gone.wing) == (PointerState.GONE, None, None, None)
    await SubjectErasure(store, Subject(session_id="s-1")).run()
    for pointer in ("W-1/R-1", "W-1/R-1/D-1", "W-1/R-1/D-2"):
        assert (await followed(store, pointer)).state is PointerState.GONE
    assert (await followed(store, "W-1/R-2/D-1")).state is PointerState.FOUND
    assert (await followed(store, "W-1")).state is PointerState.FOUND
    await SubjectErasure(store, Subject(session_id="s-2")).run()
    assert (await followed(store, "W-1")).state is PointerState.GONE


async def test_what_may_not_be_seen_is_not_found(store: NamespaceStore) -> None:
    await told(store, hidden(said("s-1", "a", "b", user_id="mara")))
    mine = (await followed(store, "W-1/R-1/D-1", MARA)).memory
    assert mine
    await Erasing(store).memories([mine.memory_id])
    for pointer in ("W-1", "W-1/R-1", "W-1/R-1/D-1", "W-1/R-1/D-2"):
        with pytest.raises(PointerNotFound):
            await followed(store, pointer)
    states = [(await followed(store, f"W-1/R-1/D-{n}", MARA)).state for n in (1, 2)]
    assert states == [PointerState.GONE, PointerState.FOUND]


async def test_the_name_of_a_project_goes_with_its_last_session(store: NamespaceStore) -> None:
    await told(
        store,
        said("s-1", "a", project="apollo", agent_id="scribe"),
        said("s-2", "b", project="apollo", agent_id="other"),
        said("s-3", "c", project="gemini", agent_id="scribe"),
    )
    await SubjectErasure(store, Subject(agent_id="scribe")).run()
    await store.scrub()
    assert [one.name for one in await wings(store)] == ["apollo"]
    assert not (await store.occurrences(["gemini"]))[0]
    assert (await store.occurrences(["apollo"]))[0]
    await told(store, said("s-4", "d", project="gemini"))
    assert [one.wing_id for one in await wings(store)] == ["W-001", "W-003"]
    assert (await followed(store, "W-2")).state is PointerState.GONE


async def test_an_erased_person_who_comes_back_gets_another_wing(store: NamespaceStore) -> None:
    await told(store, said("s-1", "a", user_id="mara"), said("s-2", "b", user_id="tom"))
    await SubjectErasure(store, Subject(user_id="mara")).run()
    await told(store, said("s-1", "new", user_id="mara"))
    assert [(one.wing_id, one.name) for one in await wings(store)] == [
        ("W-002", "tom"),
        ("W-003", "mara"),
    ]
    for pointer in ("W-1", "W-1/R-1", "W-1/R-1/D-1"):
        assert (await followed(store, pointer)).state is PointerState.GONE
