"""Short sequences on which a backend or a write once went wrong."""

from services.memory.append import AppendEvents
from services.memory.assign import Assignment, AssignTopicMembers
from services.memory.create import CreateMemories
from services.memory.delete import DeleteMemory
from services.memory.model import Caller, MemoryFilter, Visibility
from services.memory.ports import NamespaceStore
from tests.support.clock import SetClock
from tests.support.records import lesson, new_event, rows

NOBODY = Caller()


async def create(store: NamespaceStore, *contents: str) -> list[str]:
    """Store lessons that have vectors; answers their ids."""
    lessons = [lesson(content) for content in contents]
    await store.commit(CreateMemories(lessons, [rows(1.0)] * len(lessons)))
    return [memory.memory_id for memory in lessons]


async def assign(store: NamespaceStore, *places: tuple[str, str]) -> None:
    """Put memories into topics as they are now."""
    changed, _ = await store.topic_progress()
    assignments = [Assignment(memory_id, topic_id, "label") for memory_id, topic_id in places]
    await store.commit(AssignTopicMembers(assignments, changed, None))


async def test_a_drawer_has_the_owner_that_its_own_write_named(store: NamespaceStore) -> None:
    private = Visibility.PRIVATE_TO_USER
    await store.commit(AppendEvents("s", (), visibility=private))
    await store.commit(AppendEvents("s", (new_event("one"),), user_id="ada"))
    seen = await store.list_memories(MemoryFilter(), Caller(user_id="ada"), 0, 10)
    assert [memory.content for memory in seen.items] == ["one"]


async def test_a_listing_goes_on_with_what_came_after_its_last_was_deleted(
    store: NamespaceStore,
) -> None:
    one, two = await create(store, "one", "two")
    page = await store.list_memories(MemoryFilter(), NOBODY, 0, 1)
    assert page.next_after is not None
    for memory_id in (two, one):
        await store.commit(DeleteMemory(memory_id, NOBODY))
    await create(store, "three")
    rest = await store.list_memories(MemoryFilter(), NOBODY, int(page.next_after), 10)
    assert [memory.content for memory in rest.items] == ["three"]


async def test_a_memory_named_twice_goes_where_it_is_named_last(store: NamespaceStore) -> None:
    one, two = await create(store, "one", "two")
    await assign(store, (one, "t-1"))
    before = (await store.topics("t-1", NOBODY, "", 1)).items[0]
    await assign(store, (one, "t-2"), (two, "t-2"), (one, "t-1"))
    topics = (await store.topics("", NOBODY, "", 10)).items
    assert [(topic.topic_id, topic.member_count) for topic in topics] == [("t-1", 1), ("t-2", 1)]
    assert topics[0].revision == before.revision, "nothing of it has changed"


async def test_a_topic_whose_members_change_places_in_one_write_is_not_founded_anew(
    store: NamespaceStore, clock: SetClock
) -> None:
    one, two = await create(store, "one", "two")
    await assign(store, (one, "t-1"))
    founded = (await store.topics("t-1", NOBODY, "", 1)).items[0]
    clock.move(hours=1)
    await assign(store, (one, "t-2"), (two, "t-1"))
    kept = (await store.topics("t-1", NOBODY, "", 1)).items[0]
    assert kept.create_time_us == founded.create_time_us
    assert list((await store.list_topic_members("t-1", 0, 10)).items) == [two]
