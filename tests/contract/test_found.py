"""Short sequences on which a backend or a write once went wrong."""

from dataclasses import replace

import pytest

from anamnesis_libs.errors import Conflict, InvalidArgument, PermissionDenied
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.memory import Caller, Memory, MemoryFilter, Visibility
from anamnesis_memory.model.memory_details import Lesson
from anamnesis_memory.model.session import SessionState
from anamnesis_memory.ports import NamespaceStore, TopicLabel
from anamnesis_memory.ports.upkeep import TopicPlace
from tests.contract.test_export import exported
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
    private = Visibility.PRIVATE_TO_AGENT
    await store.commit(AppendEvents("s", (), agent_id="robot", visibility=private))
    await store.commit(AppendEvents("s", (new_event("one"),), agent_id="robot", user_id="ada"))
    seen = await store.list_memories(MemoryFilter(), Caller("robot"), 0, 10)
    assert [(memory.content, memory.user_id) for memory in seen.items] == [("one", "ada")]


@pytest.mark.parametrize("visibility", ["private_to_agent", "private_to_user"])
async def test_nobody_writes_into_what_is_private_to_others(
    store: NamespaceStore, visibility: str
) -> None:
    mine = AppendEvents("s", (new_event("one"),), "robot", "ada", visibility=Visibility(visibility))
    await store.commit(mine)
    before = await store.session("s")
    for agent_id, user_id in (("other", "bob"), ("", "")):
        theirs = AppendEvents("s", (new_event("one", 0),), agent_id, user_id)
        with pytest.raises(PermissionDenied, match="choose another session_id"):
            await store.commit(theirs)
    with pytest.raises(PermissionDenied):
        await store.commit(AppendEvents("s", (), "robot", "ada", writer=Caller("other", "bob")))
    assert await store.session("s") == before
    ended = AppendEvents("s", (), end_session=True, writer=Caller("robot", "ada"))
    done = (await store.commit(ended)).result
    assert done is not None
    assert done.session.state is SessionState.ENDED


async def test_a_side_branch_is_as_private_as_what_it_branches_off(store: NamespaceStore) -> None:
    private = Visibility.PRIVATE_TO_AGENT
    await store.commit(AppendEvents("s", (), "robot", "ada", visibility=private))
    branches = {"robot": private, "other": Visibility.SHARED}
    for agent_id, visibility in branches.items():
        branch = AppendEvents(f"of-{agent_id}", (), agent_id, parent_session_id="s")
        done = (await store.commit(branch)).result
        assert done is not None
        assert done.session.visibility is visibility
    to_user = Visibility.PRIVATE_TO_USER
    with pytest.raises(InvalidArgument, match="parent_session_id"):
        await store.commit(
            AppendEvents("b", (), "robot", "ada", parent_session_id="s", visibility=to_user)
        )
    assert await store.session("b") is None


async def test_what_is_stated_is_as_private_as_its_sources(store: NamespaceStore) -> None:
    def stated(visibility: Visibility, *sources: str) -> CreateMemories:
        one = lesson("so it is", visibility=visibility, agent_id="robot", user_id="ada")
        part = Lesson("", "", "", evidence_memory_ids=sources)
        return CreateMemories([replace(one, part=part)], [None])

    async def kept(write: CreateMemories) -> Memory:
        (made,) = (await store.commit(write)).result or ()
        return made.memory

    of_agent = await kept(stated(Visibility.PRIVATE_TO_AGENT))
    of_user = await kept(stated(Visibility.PRIVATE_TO_USER))
    others = lesson("theirs", visibility=Visibility.PRIVATE_TO_AGENT, agent_id="other")
    await store.commit(CreateMemories([others], [None]))
    derived = await kept(stated(Visibility.SHARED, of_agent.memory_id, others.memory_id))
    assert derived.visibility is Visibility.PRIVATE_TO_AGENT
    assert (await kept(stated(Visibility.SHARED, others.memory_id))).visibility is Visibility.SHARED
    for visibility, *sources in (
        (Visibility.SHARED, of_agent.memory_id, of_user.memory_id),
        (Visibility.PRIVATE_TO_USER, derived.memory_id),
    ):
        with pytest.raises(InvalidArgument, match="state what is from each apart"):
            await store.commit(stated(visibility, *sources))


async def test_a_topic_takes_nobody_in_who_is_seen_by_others(store: NamespaceStore) -> None:
    private = Visibility.PRIVATE_TO_AGENT
    shared, mine = lesson("shared"), lesson("mine", visibility=private, agent_id="robot")
    await store.commit(CreateMemories([shared, mine], [rows(1.0), rows(1.0)]))
    await assign(store, (shared.memory_id, "t-1"), (mine.memory_id, "t-1"))
    assert list((await store.list_topic_members("t-1", 0, 10)).items) == [shared.memory_id]
    await assign(store, (mine.memory_id, "t-2"))
    await assign(store, (mine.memory_id, "t-1"))
    (kept,) = (await store.topics("", Caller("robot"), "t-1", 10)).items
    assert (kept.topic_id, kept.scope, kept.member_count) == ("t-2", "agent:robot", 1)


async def test_what_a_person_put_into_a_topic_is_held_there(store: NamespaceStore) -> None:
    one, two = lesson("one"), lesson("two")
    await store.commit(CreateMemories([one, two], [rows(1.0), rows(1.0)]))
    await assign(store, (one.memory_id, "t-1"), (two.memory_id, "t-2"))

    async def moved(topic_id: str, *, held: bool | None) -> tuple[str, bool]:
        revision, _ = await store.topic_progress()
        place = Assignment(one.memory_id, topic_id, "label", held)
        await store.commit(AssignTopicMembers([place], revision, None))
        (kept,) = [
            record
            for record in await exported(store)
            if isinstance(record, TopicPlace) and record.memory_id == one.memory_id
        ]
        return kept.topic_id, kept.held

    assert await moved("t-1", held=True) == ("t-1", True)
    assert await moved("t-2", held=None) == ("t-1", True)
    assert await moved("t-2", held=True) == ("t-2", True)
    (topic,) = (await store.topics("", None, "", 10)).items
    assert (topic.topic_id, topic.member_count) == ("t-2", 2)
    assert await moved("t-2", held=False) == ("t-2", False)
    assert await moved("t-1", held=None) == ("t-1", False)


async def test_topics_are_named_as_they_were_when_the_names_were_found(
    store: NamespaceStore,
) -> None:
    one = lesson("one")
    await store.commit(CreateMemories([one], [rows(1.0)]))
    await assign(store, (one.memory_id, "t-1"))
    revision, _ = await store.topic_progress()
    names = {"t-1": TopicLabel("probes", "small", 4), "t-gone": TopicLabel("nothing")}
    await store.commit(AssignTopicMembers((), revision, None, labels=names))
    (topic,) = (await store.topics("", None, "", 10)).items
    assert (topic.topic_id, topic.label, topic.member_count) == ("t-1", "probes", 1)
    assert (topic.label_model, topic.label_member_count) == ("small", 4)
    named, _ = await store.topic_progress()
    assert named == store.revision > revision
    with pytest.raises(Conflict):
        await store.commit(
            AssignTopicMembers((), revision, None, labels={"t-1": TopicLabel("late")})
        )


async def test_a_topic_that_a_member_leaves_says_that_no_model_was_asked_about_the_others(
    store: NamespaceStore,
) -> None:
    one, two, three = lesson("one"), lesson("two"), lesson("three")
    await store.commit(CreateMemories([one, two, three], [rows(1.0)] * 3))
    await assign(store, (one.memory_id, "t-1"), (two.memory_id, "t-1"), (three.memory_id, "t-1"))

    async def labelled() -> None:
        revision, _ = await store.topic_progress()
        names = {"t-1": TopicLabel("probes", "small", 3)}
        await store.commit(AssignTopicMembers((), revision, None, labels=names))

    async def asked_of() -> tuple[str, int]:
        (topic,) = (await store.topics("t-1", None, "", 10)).items
        return topic.label_model, topic.label_member_count

    await labelled()
    await assign(store, (one.memory_id, "t-1"))
    assert await asked_of() == ("small", 3)
    await assign(store, (one.memory_id, "t-2"))
    assert await asked_of() == ("small", 0)
    await labelled()
    await store.commit(DeleteMemory(two.memory_id, Caller()))
    assert await asked_of() == ("small", 0)


async def test_the_log_says_who_could_see_what_is_gone(store: NamespaceStore) -> None:
    mine = lesson("mine", visibility=Visibility.PRIVATE_TO_USER, user_id="ada")
    await store.commit(CreateMemories([mine], [None]))
    await store.commit(DeleteMemory(mine.memory_id, Caller(user_id="ada")))
    (change,) = (await store.changes(0, 10)).changes
    assert (change.memory_id, change.deleted, change.scope) == (mine.memory_id, True, "user:ada")


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
