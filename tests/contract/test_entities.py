"""Entities and mentions on every backend: names by scope and count, and what goes with what."""

from dataclasses import replace

from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import EntityName, Named, NameKeys, Spelling
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.ports import NamespaceStore, ReadSet, WriteSet
from tests.support.knowing import entity, mention
from tests.support.life import created, look, put
from tests.support.records import lesson

NOBODY = Caller()
PERSON = EntityKind.PERSON
ADA, BOB, CAROL = entity("e-1"), entity("e-2"), entity("e-3")


async def memories(store: NamespaceStore, count: int = 2) -> list[str]:
    """The ids of some memories."""
    made = await created(store, *(lesson(f"number {place}") for place in range(count)))
    return [one.memory_id for one in made]


def name(
    text: str,
    count: int = 1,
    first_us: int = 5,
    last_us: int = 5,
    *,
    scope: str = "shared",
    is_alias: bool = False,
) -> EntityName:
    """A name, as it is counted."""
    return EntityName(scope, Spelling.of(text, PERSON), is_alias, count, first_us, last_us)


async def names(store: NamespaceStore, *scopes: str) -> tuple[EntityName, ...]:
    """Those of the first entity, in scopes or all."""
    found = await store.entities([ADA.entity_id], scopes or None)
    return found[0].names if found else ()


async def test_names_are_counted_by_mentions(store: NamespaceStore) -> None:
    one, two = await memories(store)
    said = (mention(one, "e-1", "Ada"), mention(two, "e-1", "Ada", time_us=9))
    before = store.revision
    assert await put(store, WriteSet(entities=(ADA,), mentions=said)) == before + 1
    assert await names(store) == (name("Ada", 2, 5, 9),)
    await put(store, WriteSet(mentions=said))
    assert await names(store) == (name("Ada", 2, 5, 9),), "the same again counts once"


async def test_names_are_told_the_first_spelled_first_and_used_before_told(
    store: NamespaceStore,
) -> None:
    one, two = await memories(store)
    said = (
        mention(two, "e-1", "Countess", time_us=9),
        mention(one, "e-1", "A. L.", is_alias=True),
        mention(one, "e-1", "Ada"),
    )
    await put(store, WriteSet(entities=(ADA,), mentions=said))
    (held,) = await store.entities(["e-1"], None)
    assert held == ADA
    assert [each.spelling.name for each in held.names] == ["Ada", "A. L.", "Countess"]
    assert [each.is_alias for each in held.names] == [False, True, False]
    await put(store, WriteSet(mentions=(mention(two, "e-1", "A. L."),)))
    (held,) = await store.entities(["e-1"], None)
    assert {each.spelling.name: each.is_alias for each in held.names} == {
        "Ada": False,
        "A. L.": False,
        "Countess": False,
    }


async def test_a_name_is_as_visible_as_what_spells_it_so(store: NamespaceStore) -> None:
    one, two = await memories(store)
    said = (mention(one, "e-1", "Ada"), mention(two, "e-1", "Ada", scope="user:bob"))
    await put(store, WriteSet(entities=(ADA,), mentions=said))
    assert await names(store, "shared") == (name("Ada"),)
    assert await names(store, "user:bob") == (name("Ada", scope="user:bob"),)
    assert len(await names(store)) == 2
    assert await names(store, "user:eve") == ()
    assert not await store.entities([], None)


async def test_a_mention_in_another_scope_takes_the_place_of_the_one_before(
    store: NamespaceStore,
) -> None:
    (one,) = await memories(store, 1)
    await put(store, WriteSet(entities=(ADA,), mentions=(mention(one, "e-1", "Ada"),)))
    again = mention(one, "e-1", "Ada", scope="user:bob", time_us=7)
    await put(store, WriteSet(mentions=(again,)))
    assert await names(store) == (name("Ada", 1, 7, 7, scope="user:bob"),)


async def test_what_lacks_memory_or_entity_is_passed_over(store: NamespaceStore) -> None:
    (one,) = await memories(store, 1)
    lost = (mention("nobody", "e-1", "Ada"), mention(one, "e-9", "Ada"))
    await put(store, WriteSet(entities=(ADA,), mentions=(*lost, mention(one, "e-1", "Ada"))))
    assert await names(store) == (name("Ada"),)
    assert not await store.entities(["e-9"], None)


async def test_names_go_with_the_last_memory_that_uses_them(store: NamespaceStore) -> None:
    one, two = await memories(store)
    said = (
        mention(one, "e-1", "Ada", time_us=3),
        mention(two, "e-1", "Ada", time_us=9, is_alias=True),
        mention(one, "e-1", "Countess"),
    )
    await put(store, WriteSet(entities=(ADA,), mentions=said))
    await store.commit(DeleteMemory(one, NOBODY))
    assert await names(store) == (name("Ada", 1, 9, 9, is_alias=True),)
    assert not await store.entities_named("countess", None)
    await store.commit(DeleteMemory(two, NOBODY))
    assert await names(store) == ()
    async with store.export() as export:
        records = [each async for page in export.pages for each in page]
    assert not [each for each in records if isinstance(each, type(ADA) | type(said[0]))]


async def test_what_a_memory_named_goes_before_what_it_names(store: NamespaceStore) -> None:
    one, two = await memories(store)
    said = (mention(one, "e-1", "Ada"), mention(one, "e-2", "Bob"), mention(two, "e-2", "Bob"))
    await put(store, WriteSet(entities=(ADA, BOB), mentions=said))
    await put(store, WriteSet(unmentioned=(one,), mentions=(mention(one, "e-1", "Ada L."),)))
    assert await names(store) == (name("Ada L."),)
    (bob,) = await store.entities(["e-2"], None)
    assert [each.count for each in bob.names] == [1]
    await put(store, WriteSet(unmentioned=(one, two)))
    assert not await store.entities(["e-1", "e-2"], None)


async def test_an_entity_outlives_a_memory_if_another_names_it_in_the_same_write(
    store: NamespaceStore,
) -> None:
    one, two = await memories(store)
    await put(store, WriteSet(entities=(ADA,), mentions=(mention(one, "e-1", "Ada"),)))
    moved = mention(two, "e-1", "Ada", time_us=6)
    await put(store, WriteSet(deleted_memories=(one,), mentions=(moved,)))
    assert await names(store) == (name("Ada", 1, 6, 6),)


async def test_a_write_sees_whom_a_name_may_mean(store: NamespaceStore) -> None:
    (one,) = await memories(store, 1)
    said = (
        mention(one, "e-1", "Dr. Ada Lovelace"),
        mention(one, "e-2", "Countess", is_alias=True),
        mention(one, "e-2", "Bob"),
        mention(one, "e-3", "Carol"),
    )
    await put(store, WriteSet(entities=(ADA, BOB, CAROL), mentions=said))

    async def meant(named: Named) -> set[str]:
        found = await look(store, ReadSet(names=NameKeys.of(named)))
        return {*found.entities}

    assert await meant(Named("ADA lovelace", PERSON)) == {"e-1"}, "but for what stands beside"
    assert await meant(Named("countess")) == {"e-2"}
    assert await meant(Named("Someone", aliases=("carol",))) == {"e-3"}
    assert await meant(Named("Dr. Ada Lovelaxe", PERSON)) == {"e-1"}, "its beginning is the same"
    assert await meant(Named("Xr. Ada Lovelace", PERSON)) == {"e-1"}, "its end is the same"
    assert await meant(Named("Nobody", PERSON)) == set()
    assert await meant(Named("", PERSON)) == set()
    found = await look(store, ReadSet(entities=("e-2", "e-9"), mentions_of=(one, "nobody")))
    assert [each.spelling.name for each in found.entities["e-2"].names] == ["Bob", "Countess"]
    assert found.mentions == {
        one: tuple(sorted(said, key=lambda each: (each.entity_id, each.spelling.name)))
    }


async def test_a_write_sees_all_that_is_one_with_whom_it_wants(store: NamespaceStore) -> None:
    (one,) = await memories(store, 1)
    every = (ADA, replace(BOB, merged_into_id="e-1"), replace(CAROL, merged_into_id="e-2"))
    said = [mention(one, each.entity_id, f"Ada {each.entity_id}") for each in every]
    alone = entity("e-4")
    said.append(mention(one, "e-4", "Somebody"))
    await put(store, WriteSet(entities=(*every, alone), mentions=tuple(said)))
    for wanted in (
        *(ReadSet(entities=(each.entity_id,)) for each in every),
        *(ReadSet(names=NameKeys.of(Named(f"Ada {each.entity_id}"))) for each in every),
    ):
        found = await look(store, wanted)
        assert {*found.entities.values()} == {*every}
        assert [found.entities[key].name for key in ("e-1", "e-3")] == ["Ada e-1", "Ada e-3"]


async def test_entities_are_found_by_a_name_that_may_be_seen(store: NamespaceStore) -> None:
    one, two = await memories(store)
    said = (
        mention(one, "e-2", "ADA"),
        mention(two, "e-2", "Lady", scope="user:bob"),
        mention(two, "e-1", "Ada", scope="user:bob"),
        mention(two, "e-1", "Countess", scope="user:bob"),
    )
    await put(store, WriteSet(entities=(ADA, BOB), mentions=said))
    found = await store.entities_named("ada", None)
    assert [(each.entity_id, len(each.names)) for each in found] == [("e-1", 2), ("e-2", 2)]
    found = await store.entities_named("ada", ["shared"])
    assert [(each.entity_id, each.name, each.aliases) for each in found] == [("e-2", "ADA", ())]
    assert not await store.entities_named("countess", ["shared"])


async def test_entities_that_are_one_are_told_as_a_group(store: NamespaceStore) -> None:
    (one,) = await memories(store, 1)
    every = (ADA, replace(BOB, merged_into_id="e-1"), replace(CAROL, merged_into_id="e-2"))
    alone = entity("e-4", EntityKind.PLACE)
    said = tuple(mention(one, each.entity_id, "Ada") for each in (*every, alone))
    await put(store, WriteSet(entities=(*every, alone), mentions=said))
    group = ("e-1", "e-2", "e-3")
    assert await store.entity_groups(["e-3", "e-1", "e-4", "e-9"]) == {
        "e-3": group,
        "e-1": group,
        "e-4": ("e-4",),
    }
    (part,) = await store.entities(["e-3"], None)
    assert part.merged_into_id == "e-2", "one that is part of another is read like any"
    await put(store, WriteSet(entities=(replace(CAROL, merged_into_id=""),)))
    assert await store.entity_groups(["e-3"]) == {"e-3": ("e-3",)}


async def test_entities_are_listed_whatever_they_are_part_of(store: NamespaceStore) -> None:
    (one,) = await memories(store, 1)
    every = (ADA, replace(BOB, merged_into_id="e-1"), CAROL, entity("e-4", EntityKind.PLACE))
    said = [mention(one, each.entity_id, "Ada") for each in every[:2]]
    said += [mention(one, "e-3", "C", scope="user:bob"), mention(one, "e-4", "Rome")]
    await put(store, WriteSet(entities=every, mentions=tuple(said)))

    async def listed(
        kind: EntityKind | None = None, scopes: list[str] | None = None, after: str = ""
    ) -> list[str]:
        return [each.entity_id for each in await store.list_entities(kind, scopes, after, 2)]

    assert await listed() == ["e-1", "e-2"]
    assert await listed(after="e-2") == ["e-3", "e-4"]
    assert await listed(scopes=["shared"], after="e-1") == ["e-2", "e-4"]
    assert await listed(EntityKind.PLACE) == ["e-4"]


async def test_parts_of_what_goes_stay_together(store: NamespaceStore) -> None:
    one, two = await memories(store)
    parts = (replace(BOB, merged_into_id="e-1"), replace(CAROL, merged_into_id="e-1"))
    below = replace(entity("e-4"), merged_into_id="e-3")
    said = [mention(two, each.entity_id, "Ada") for each in (*parts, below)]
    edits = WriteSet(entities=(ADA, *parts, below), mentions=(mention(one, "e-1", "Ada"), *said))
    await put(store, edits)
    await store.commit(DeleteMemory(one, NOBODY))
    assert await store.entity_groups(["e-4"]) == {"e-4": ("e-2", "e-3", "e-4")}
    await put(store, WriteSet(unmentioned=(two,), mentions=(said[0], said[2])))
    assert await store.entity_groups(["e-4"]) == {"e-4": ("e-2", "e-4")}
