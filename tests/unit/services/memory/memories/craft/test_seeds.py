"""What may be given to another namespace, and how a copy begins there."""

from dataclasses import replace

import pytest

from anamnesis_memory.memories.craft.seeds import (
    copy_for,
    is_confirmed,
    is_giveable,
    seeded_from,
    worth,
)
from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance, Status, Visibility
from anamnesis_memory.model.memory_details import Lesson, Procedure, ProcedureStatus
from anamnesis_memory.model.seeds import text_mark

LESSON = Memory(
    memory_id="m-1",
    kind=Kind.LEARNING,
    content="turn on WAL",
    create_time_us=1,
    update_time_us=1,
    revision=7,
    provenance=Provenance(Origin.GENERATED, "s-1", "g-1", model="experience of 3 users"),
    tags=("sqlite", "segment:g-1"),
    entities=("Ada",),
    user_id="ada",
    agent_id="juno",
    session_id="s-1",
    part=Lesson("WAL", impact=0.5, evidence_memory_ids=("d-1",), applications=3, validated=True),
)
SKILL = replace(
    LESSON,
    memory_id="m-2",
    kind=Kind.PROCEDURAL,
    part=Procedure(
        "git-push", status=ProcedureStatus.ACTIVE, runs=3, success_rate=1.0, review_note="fine"
    ),
)


@pytest.mark.parametrize(
    "kept",
    [
        replace(LESSON, visibility=Visibility.PRIVATE_TO_USER),
        replace(LESSON, status=Status.ARCHIVED),
        replace(LESSON, confidence=0.49),
        replace(LESSON, expire_time_us=9),
        replace(LESSON, needs_review=True),
        replace(LESSON, category="preference"),
        replace(LESSON, kind=Kind.SEMANTIC),
        replace(LESSON, provenance=Provenance(Origin.ASSERTED, seed_namespace="office")),
        replace(SKILL, part=Procedure("git-push")),
        replace(SKILL, part=Procedure("git-push", status=ProcedureStatus.DEPRECATED)),
    ],
)
def test_what_is_not_everybodys_in_use_and_its_own_is_kept(kept: Memory) -> None:
    assert is_giveable(LESSON, 0.0)
    assert is_giveable(SKILL, 0.0)
    assert not is_giveable(kept, 0.0)


def test_published_skills_come_first_then_what_proved_itself() -> None:
    better = replace(LESSON, memory_id="m-0", confidence=0.95)
    found = sorted((LESSON, better, SKILL), key=worth, reverse=True)
    assert found == [SKILL, better, LESSON]


def test_a_copy_names_nobody_and_has_proved_nothing() -> None:
    copy = copy_for(LESSON, seeded_from(LESSON, "kitchen", "i-7"), "n-1", "")
    assert copy.provenance == Provenance(
        Origin.GENERATED, seed_namespace="kitchen", seed_memory_id="m-1", seed_revision="i-7"
    )
    assert (copy.user_id, copy.agent_id, copy.session_id, copy.entities) == ("", "", "", ())
    assert copy.part == Lesson("WAL", impact=0.5)
    assert copy.tags == ("sqlite",)
    assert copy.confidence == pytest.approx(0.56)
    assert not is_confirmed(copy, (), frozenset())
    skill = copy_for(SKILL, seeded_from(SKILL, "kitchen", "i-7"), "n-2", "vesta")
    assert skill.part == Procedure("git-push")
    assert (skill.visibility, skill.agent_id) == (Visibility.PRIVATE_TO_AGENT, "vesta")


def test_the_mark_is_of_what_is_said_and_not_of_how_it_fares() -> None:
    proved = replace(LESSON, confidence=1.0, part=Lesson("WAL", validated=True))
    assert text_mark(proved) == text_mark(LESSON)
    assert text_mark(replace(LESSON, part=Lesson("WAL!"))) != text_mark(LESSON)
    assert text_mark(SKILL) != text_mark(replace(SKILL, part=Procedure("git-pull")))
