"""Changing a memory: what stays, who may, and who sees what was derived from it."""

from dataclasses import replace

import pytest

from anamnesis_libs.errors import Conflict, InvalidArgument, PermissionDenied
from anamnesis_libs.errors.not_found import MemoryNotFound
from anamnesis_memory.memories.editing.update import MemoryEdit, Relatives, Text, UpdateMemory
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Caller, Kind, Memory, Status, Visibility
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.session import Session
from anamnesis_memory.ports import CommitStamp, Decision, ReadView
from tests.support.records import lesson

STAMP = CommitStamp(9, 1_000)
SHARED, TO_AGENT, TO_USER = Visibility
ADA = Caller(user_id="ada")
NONE = Relatives()


def mine(content: str = "one", visibility: Visibility = SHARED, user_id: str = "ada") -> Memory:
    """A lesson of an agent's for somebody."""
    return lesson(content, visibility=visibility, agent_id="robot", user_id=user_id)


def decide(
    change: MemoryEdit,
    *memories: Memory,
    caller: Caller = ADA,
    etag: str = "",
    relatives: Relatives = NONE,
    edges: tuple[Edge, ...] = (),
) -> Decision[Memory]:
    """What becomes of the first of some memories."""
    write = UpdateMemory(memories[0].memory_id, caller, etag, change, "copy", "topic", relatives)
    seen = ReadView(memories={one.memory_id: one for one in memories}, edges=edges)
    return write.decide(seen, STAMP)


def test_a_correction_keeps_when_it_was_made_and_what_it_was() -> None:
    before = replace(mine(), create_time_us=5, update_time_us=6)
    decision = decide(MemoryEdit(text=Text("two", "t", "o")), before)
    after = decision.result
    assert (after.content, after.summary, after.overview) == ("two", "t", "o")
    assert (after.create_time_us, after.update_time_us, after.revision) == (5, 1_000, 9)
    (copy,) = decision.edits.copies
    assert (copy.memory, copy.memory_id) == (before, before.memory_id)
    assert decision.edits.stale_embeddings == (before.memory_id,)
    assert decision.edits.tombstones


def test_what_says_what_is_there_changes_nothing() -> None:
    before = mine()
    decision = decide(MemoryEdit(text=Text("one", "", ""), tags=(), pinned=False), before)
    assert (decision.result, decision.edits.memories) == (before, ())


def test_what_is_not_there_is_as_what_is_not_to_be_seen() -> None:
    hidden, other = mine(visibility=TO_USER, user_id="bob"), mine()
    for memory in (hidden, other):
        write = UpdateMemory(memory.memory_id, ADA, "", MemoryEdit(pinned=True), "c", "t")
        seen = {hidden.memory_id: hidden} if memory is hidden else {}
        with pytest.raises(MemoryNotFound, match=memory.memory_id):
            write.decide(ReadView(memories=seen), STAMP)


def test_an_etag_of_before_is_refused() -> None:
    memory = mine()
    assert decide(MemoryEdit(pinned=True), memory, etag=memory.etag).result.pinned
    with pytest.raises(Conflict):
        decide(MemoryEdit(pinned=True), memory, etag="other")


def test_only_an_owner_corrects_and_anybody_who_sees_archives() -> None:
    bob = Caller(user_id="bob")
    for change in (MemoryEdit(text=Text("two", "", "")), MemoryEdit(visibility=TO_USER)):
        with pytest.raises(PermissionDenied):
            decide(change, mine(), caller=bob)
        assert decide(change, mine(), caller=Caller(agent_id="robot")).edits.memories
    archived = decide(MemoryEdit(status=Status.ARCHIVED), mine(), caller=bob).result
    assert (archived.status, archived.archive_time_us) == (Status.ARCHIVED, 1_000)
    again = decide(MemoryEdit(status=Status.ACTIVE), archived, caller=bob).result
    assert (again.status, again.archive_time_us) == (Status.ACTIVE, None)


def test_a_drawer_stays_what_was_said() -> None:
    drawer = replace(mine(), kind=Kind.EPISODIC)
    for change in (MemoryEdit(text=Text("two", "", "")), MemoryEdit(visibility=TO_USER)):
        with pytest.raises(InvalidArgument, match="EPISODIC"):
            decide(change, drawer)


def test_somebody_must_see_it() -> None:
    nobodys = replace(mine(), agent_id="")
    with pytest.raises(InvalidArgument, match="nobody would see it"):
        decide(MemoryEdit(visibility=TO_AGENT), nobodys)


def test_it_is_no_wider_than_what_it_was_taken_from() -> None:
    source = mine("source", TO_USER)
    part = Fact("Ada", "likes", "tea", source_memory_ids=(source.memory_id,))
    fact = replace(mine(visibility=TO_USER), kind=Kind.SEMANTIC, part=part)
    sources = Relatives((source.memory_id,))
    with pytest.raises(InvalidArgument, match="wider"):
        decide(MemoryEdit(visibility=SHARED), fact, source, relatives=sources)
    with pytest.raises(Conflict, match="try again"):
        decide(MemoryEdit(visibility=SHARED), fact, source)
    hidden = replace(source, user_id="bob")
    assert decide(MemoryEdit(visibility=SHARED), fact, hidden, relatives=sources).edits.memories


def test_it_is_no_wider_than_the_session_that_taught_it() -> None:
    memory = replace(mine(visibility=TO_USER), session_id="s-1")
    session = Session("s-1", 1, 1, 1, 1, 1, "robot", "ada", visibility=TO_USER)
    relatives = Relatives(session_id="s-1")
    change = MemoryEdit(visibility=SHARED)
    write = UpdateMemory(memory.memory_id, ADA, "", change, "c", "t", relatives)
    seen = ReadView(memories={memory.memory_id: memory}, sessions={"s-1": session})
    assert write.wanted().sessions == ("s-1",)
    with pytest.raises(InvalidArgument, match="wider"):
        write.decide(seen, STAMP)


def test_what_was_derived_goes_where_it_goes_but_not_what_is_private_to_others() -> None:
    memory, ours = mine(), replace(mine("ours"), agent_id="other", user_id="bob")
    theirs = mine("theirs", TO_USER, user_id="bob")
    derived = Relatives(derived=(ours.memory_id, theirs.memory_id))
    decision = decide(MemoryEdit(visibility=TO_USER), memory, ours, theirs, relatives=derived)
    assert [one.memory_id for one in decision.edits.memories] == [
        memory.memory_id,
        ours.memory_id,
    ]
    moved = decision.edits.memories[1]
    assert (moved.visibility, moved.user_id, moved.revision) == (TO_USER, "ada", 9)
    topics = {one.topic_id: one.scope for one in decision.edits.topic_members}
    assert topics == {"topic": "user:ada", "topic1": "user:ada"}


def test_what_was_derived_in_between_makes_it_try_again() -> None:
    memory = mine()
    edge = Edge("late", memory.memory_id, EdgeType.DERIVED_FROM, 1.0, 1, 1)
    with pytest.raises(Conflict, match="try again"):
        decide(MemoryEdit(visibility=TO_USER), memory, edges=(edge,))
    assert decide(MemoryEdit(pinned=True), memory, edges=(edge,)).result.pinned
