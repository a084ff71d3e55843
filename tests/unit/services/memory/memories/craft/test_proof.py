"""Procedures and lessons put to the test."""

from dataclasses import replace

import pytest

from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.errors.not_found import MemoryNotFound
from anamnesis_memory.memories.craft.proof import ApplyLesson, RecordRun, ValidateLesson
from anamnesis_memory.model.memory import Caller, Kind, Memory, Visibility
from anamnesis_memory.model.memory_details import Lesson, Procedure, ProcedureStatus
from anamnesis_memory.ports import CommitStamp, ReadView
from tests.support.records import lesson

STAMP = CommitStamp(9, 1_000)
ADA = Caller(user_id="ada")


def seen(*memories: Memory) -> ReadView:
    """What a write finds."""
    return ReadView(memories={one.memory_id: one for one in memories})


def test_a_procedure_that_ran_is_active() -> None:
    made = replace(lesson("one"), kind=Kind.PROCEDURAL, part=Procedure("one"))
    after = RecordRun(made.memory_id, ADA, success=True).decide(seen(made), STAMP).result
    assert isinstance(after.part, Procedure)
    assert (after.part.runs, after.part.success_rate) == (1, 1.0)
    assert (after.part.status, after.revision) == (ProcedureStatus.ACTIVE, 9)


def test_evidence_is_added_once_with_an_edge_of_its_own() -> None:
    old, new = lesson("old"), lesson("new")
    made = replace(lesson("one"), part=Lesson(evidence_memory_ids=(old.memory_id,)))
    write = ValidateLesson(made.memory_id, ADA, success=True, evidence=(new.memory_id,))
    decision = write.decide(seen(made, old, new), STAMP)
    assert isinstance(decision.result.part, Lesson)
    assert decision.result.part.evidence_memory_ids == (old.memory_id, new.memory_id)
    assert decision.result.confidence == pytest.approx(0.9)
    assert [edge.target_id for edge in decision.edits.edges] == [new.memory_id]


def test_evidence_that_readers_of_the_lesson_may_not_see_is_refused() -> None:
    made = lesson("one")
    private = lesson("private", visibility=Visibility.PRIVATE_TO_USER, user_id="ada")
    write = ValidateLesson(made.memory_id, ADA, success=True, evidence=(private.memory_id,))
    with pytest.raises(InvalidArgument, match="visible to fewer"):
        write.decide(seen(made, private), STAMP)
    own = replace(made, visibility=Visibility.PRIVATE_TO_USER, user_id="ada")
    assert write.decide(seen(own, private), STAMP).edits.edges
    hidden = replace(private, user_id="bob")
    with pytest.raises(MemoryNotFound):
        write.decide(seen(made, hidden), STAMP)


def test_what_is_no_lesson_is_not_applied() -> None:
    made = lesson("one")
    after = ApplyLesson(made.memory_id, ADA).decide(seen(made), STAMP).result
    assert isinstance(after.part, Lesson)
    assert after.part.applications == 1
    fact = replace(made, kind=Kind.SEMANTIC)
    with pytest.raises(InvalidArgument, match="SEMANTIC"):
        ApplyLesson(made.memory_id, ADA).decide(seen(fact), STAMP)
