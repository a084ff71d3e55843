"""Drawers and closets of a room, on every backend, page by page."""

from dataclasses import replace

import pytest

from anamnesis_libs.errors.not_found import SegmentNotFound, SessionNotFound
from anamnesis_memory.erasure.batch import Erasing
from anamnesis_memory.knowledge.palace.drawers import DrawerPlace, DrawersOf, list_drawers, place_of
from anamnesis_memory.knowledge.palace.wings import rooms_of
from anamnesis_memory.model.memory import Caller, Work
from anamnesis_memory.ports import NamespaceStore
from tests.support.clock import SetClock
from tests.support.pipeline import claim, cut
from tests.support.records import BASE_US
from tests.support.walking import (
    MARA,
    NOBODY,
    drawers,
    hidden,
    said,
    told,
)


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
