"""Pointers on every backend: what they find, what is gone, and what was never given."""

import pytest

from anamnesis_libs.errors.not_found import PointerNotFound
from anamnesis_memory.erasure.batch import Erasing
from anamnesis_memory.erasure.erase_subject import SubjectErasure
from anamnesis_memory.knowledge.palace.resolving import PointerState
from anamnesis_memory.model.memory import Status
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.life import ErasureSubject
from tests.support.walking import (
    MARA,
    followed,
    hidden,
    said,
    told,
    wings,
)


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
    await SubjectErasure(store, ErasureSubject(session_id="s-1")).run()
    for pointer in ("W-1/R-1", "W-1/R-1/D-1", "W-1/R-1/D-2"):
        assert (await followed(store, pointer)).state is PointerState.GONE
    assert (await followed(store, "W-1/R-2/D-1")).state is PointerState.FOUND
    assert (await followed(store, "W-1")).state is PointerState.FOUND
    await SubjectErasure(store, ErasureSubject(session_id="s-2")).run()
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
    await SubjectErasure(store, ErasureSubject(agent_id="scribe")).run()
    await store.scrub()
    assert [one.name for one in await wings(store)] == ["apollo"]
    assert not (await store.occurrences(["gemini"]))[0]
    assert (await store.occurrences(["apollo"]))[0]
    await told(store, said("s-4", "d", project="gemini"))
    assert [one.wing_id for one in await wings(store)] == ["W-001", "W-003"]
    assert (await followed(store, "W-2")).state is PointerState.GONE


async def test_an_erased_person_who_comes_back_gets_another_wing(store: NamespaceStore) -> None:
    await told(store, said("s-1", "a", user_id="mara"), said("s-2", "b", user_id="tom"))
    await SubjectErasure(store, ErasureSubject(user_id="mara")).run()
    await told(store, said("s-1", "new", user_id="mara"))
    assert [(one.wing_id, one.name) for one in await wings(store)] == [
        ("W-002", "tom"),
        ("W-003", "mara"),
    ]
    for pointer in ("W-1", "W-1/R-1", "W-1/R-1/D-1"):
        assert (await followed(store, pointer)).state is PointerState.GONE
