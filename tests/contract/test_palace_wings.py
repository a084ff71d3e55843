"""Wings and their rooms, on every backend: which there are, who sees them, where pages end."""

import pytest

from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.errors.not_found import EntityNotFound, WingNotFound
from anamnesis_memory.knowledge.palace.drawers import DrawersOf
from anamnesis_memory.knowledge.palace.wings import WingKind, list_wings, room_place, rooms_of
from anamnesis_memory.ports import NamespaceStore, WriteSet
from tests.support.knowing import entity
from tests.support.life import Put
from tests.support.records import BASE_US
from tests.support.walking import MARA, NOBODY, drawers, hidden, mentioned, said, told, wings


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


async def test_entities_and_topics_have_wings_of_the_drawers_that_mention_them(
    store: NamespaceStore,
) -> None:
    await told(store, said("s-1", "a", "b", user_id="mara"), said("s-2", "c", user_id="tom"))
    await mentioned(store, "s-1", 0, "e-1", "e-9")
    await mentioned(store, "s-1", 1, "e-1")
    await mentioned(store, "s-2", 0, "e-1")
    *homes, person, topic = await wings(store)
    assert [one.name for one in homes] == ["mara", "tom"]
    assert (person.wing_id, person.kind, person.name) == ("E-e-1", WingKind.ENTITY, "E-1")
    assert (person.rooms, person.drawers, person.last_us) == (2, 3, BASE_US + 1)
    assert (topic.wing_id, topic.kind, topic.rooms, topic.drawers) == (
        "E-e-9",
        WingKind.TOPIC,
        1,
        1,
    )
    (first,) = await rooms_of(store, "E-e-1", NOBODY, None, 1)
    (second,) = await rooms_of(store, "E-e-1", NOBODY, room_place("E-e-1", first), 9)
    assert [(one.session_id, one.drawers) for one in (first, second)] == [("s-1", 2), ("s-2", 1)]
    assert await drawers(store, DrawersOf("s-1", entity_id="e-9")) == [["a"]]
    assert [one.name for one in await wings(store, NOBODY, WingKind.TOPIC)] == ["E-9"]
    assert [one.name for one in await wings(store, NOBODY, WingKind.ENTITY)] == ["E-1"]
    with pytest.raises(EntityNotFound):
        await drawers(store, DrawersOf("s-1", entity_id="e-7"))


async def test_all_wings_are_one_list_in_pages(store: NamespaceStore) -> None:
    await told(store, *(said(f"s-{n}", "x", user_id=f"u-{n}") for n in range(2)))
    for number in range(3):
        await mentioned(store, "s-0", 0, f"e-{number}")
    for size in (1, 2, 3, 4, 9):
        found: list[str] = []
        after = None
        while page := await list_wings(store, NOBODY, (), after, size):
            found += [wing.wing_id for wing in page]
            after = page[-1].place
        assert found == ["W-001", "W-002", "E-e-0", "E-e-1", "E-e-2"]


async def test_what_is_merged_is_one_wing(store: NamespaceStore) -> None:
    await told(store, said("s-1", "a", "b"))
    await mentioned(store, "s-1", 0, "e-1")
    await mentioned(store, "s-1", 1, "e-2")
    await store.commit(Put(WriteSet(entities=(entity("e-2", merged="e-1"),))))
    _, whole = await wings(store)
    assert (whole.wing_id, whole.drawers) == ("E-e-1", 2)
    for wing_id in ("E-e-1", "E-e-2"):
        (room,) = await rooms_of(store, wing_id, NOBODY, None, 9)
        assert room.drawers == 2
    assert await drawers(store, DrawersOf("s-1", entity_id="e-2")) == [["a", "b"]]


async def test_the_wing_of_an_entity_shows_what_the_caller_may_see(store: NamespaceStore) -> None:
    await told(store, hidden(said("s-1", "a", user_id="mara")), said("s-2", "b"))
    await mentioned(store, "s-1", 0, "e-1", "e-2")
    await mentioned(store, "s-2", 0, "e-2")
    assert [(one.wing_id, one.drawers) for one in await wings(store)] == [
        ("W-002", 1),
        ("E-e-2", 1),
    ]
    assert [(one.wing_id, one.drawers) for one in await wings(store, MARA)][2:] == [
        ("E-e-1", 1),
        ("E-e-2", 2),
    ]
    with pytest.raises(WingNotFound):
        await rooms_of(store, "E-e-1", NOBODY, None, 9)
