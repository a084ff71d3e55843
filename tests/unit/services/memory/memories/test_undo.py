"""Undoing a merge: each gets back what is its own, and the two stay two."""

from dataclasses import replace

import pytest

from anamnesis_libs.errors.not_found import CopyNotFound, MemoryNotFound
from anamnesis_memory.dedup.detail import UNDONE
from anamnesis_memory.dedup.digests import digest_of
from anamnesis_memory.dedup.merging import merge
from anamnesis_memory.memories.undo_merge import UndoMerge
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Caller, Memory, Visibility
from anamnesis_memory.model.memory_details import Lesson
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.ports import CommitStamp, IndexRecord, ReadView, WriteSet
from tests.support.records import lesson, rows

NOBODY = Caller()
STAMP = CommitStamp(9, 5_000)


def having(tags: str, evidence: str = "") -> Memory:
    """A lesson with tags and evidence of one letter each."""
    part = Lesson(evidence_memory_ids=tuple(evidence))
    return replace(lesson(f"lesson {tags} {evidence}"), tags=tuple(tags), part=part)


def taken_in(known: Memory, *others: Memory) -> ReadView:
    """What a store shows after merges, in this order."""
    copies: list[Copy] = []
    for at, other in enumerate(others):
        merged = merge(known, IndexRecord(other, rows(1.0)), 0.95, CommitStamp(at, at))
        known = merged.memory
        copies.append(merged.copy)
    return ReadView(memories={known.memory_id: known}, copies={known.memory_id: tuple(copies)})


def undo(seen: ReadView, copy_id: str = "", caller: Caller = NOBODY) -> WriteSet:
    """The edits of an undo."""
    (memory_id,) = seen.memories
    return UndoMerge(memory_id, caller, copy_id).decide(seen, STAMP).edits


def tags_of(memory: Memory) -> str:
    return "".join(memory.tags)


def evidence_of(memory: Memory) -> str:
    assert isinstance(memory.part, Lesson)
    return "".join(memory.part.evidence_memory_ids)


def test_each_has_its_own_again() -> None:
    known, other = having("ab", "x"), having("bc", "xy")
    seen = taken_in(known, other)
    edits = undo(seen)
    after, restored = edits.memories
    assert (tags_of(after), evidence_of(after)) == ("ab", "x")
    assert (tags_of(restored), evidence_of(restored)) == ("bc", "xy")
    assert restored.memory_id == other.memory_id
    assert edits.digests == {other.memory_id: digest_of(other)}
    assert edits.embeddings.keys() == {other.memory_id}
    assert edits.removed_copies == (other.memory_id,)
    assert [key.target_id for key in edits.removed_edges] == ["y"]
    similar = [edge for edge in edits.edges if edge.type is EdgeType.SIMILAR_TO]
    assert [edge.detail for edge in similar] == [UNDONE]
    assert after.hit_count == 1


def test_what_another_contribution_names_stays_until_that_goes_too() -> None:
    known, one, two = having("a"), having("bc", "x"), having("cd", "x")
    seen = taken_in(known, one, two)
    first = undo(seen, one.memory_id)
    after, _ = first.memories
    assert (tags_of(after), evidence_of(after)) == ("acd", "x")
    left = ReadView(memories={after.memory_id: after}, copies={after.memory_id: first.copies})
    last, restored = undo(left).memories
    assert (tags_of(last), evidence_of(last)) == ("a", "")
    assert tags_of(restored) == "cd"


def test_the_latest_is_given_back_where_none_is_named() -> None:
    known, one, two = having("a"), having("b"), having("c")
    assert undo(taken_in(known, one, two)).removed_copies == (two.memory_id,)


def test_what_has_become_private_stays_so() -> None:
    known, other = having("a"), replace(having("b"), agent_id="other")
    seen = taken_in(replace(known, agent_id="a"), other)
    (memory,) = seen.memories.values()
    private = replace(memory, visibility=Visibility.PRIVATE_TO_AGENT)
    _, restored = undo(
        replace(seen, memories={memory.memory_id: private}), caller=Caller("a")
    ).memories
    assert (restored.visibility, restored.agent_id) == (Visibility.PRIVATE_TO_AGENT, "a")
    with pytest.raises(MemoryNotFound):
        undo(replace(seen, memories={memory.memory_id: private}), caller=Caller("other"))


def test_there_must_be_something_to_give_back() -> None:
    known = having("a")
    with pytest.raises(CopyNotFound):
        undo(ReadView(memories={known.memory_id: known}))
    with pytest.raises(CopyNotFound):
        undo(taken_in(known, having("b")), "another")
