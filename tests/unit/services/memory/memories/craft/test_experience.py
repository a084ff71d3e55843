"""What several users bear out, without what fewer of them say."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.memories.craft.experience import (
    USERS_MIN,
    Experience,
    experiences,
    is_experience,
    may_count,
)
from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance, Status, Visibility
from anamnesis_memory.model.memory_details import (
    Lesson,
    Part,
    Procedure,
    ProcedureStatus,
    ProcedureStep,
)

WAL = "SQLite database is locked on {}: turn on WAL and a busy timeout of {} ms"


def own(number: int, user: str, content: str, **fields: object) -> Memory:
    """A lesson of one user."""
    memory = Memory(
        memory_id=f"m-{number:03d}",
        kind=Kind.LEARNING,
        content=content,
        create_time_us=0,
        update_time_us=0,
        revision=1,
        provenance=Provenance(Origin.GENERATED),
        visibility=Visibility.PRIVATE_TO_USER,
        user_id=user,
    )
    return replace(memory, **fields)  # type: ignore[arg-type]


def told(*memories: Memory) -> list[str]:
    return [one.memory.content for one in experiences(memories)]


def locked(places: str = "kiln loom forge", users: str = "ada bo cy") -> list[Memory]:
    pairs = enumerate(zip(users.split(), places.split(), strict=True))
    return [own(at, user, WAL.format(place, 100 + at)) for at, (user, place) in pairs]


def test_what_three_users_say_alike_is_told_without_what_each_says_alone() -> None:
    (found,) = experiences(locked())
    assert found.memory.content == (
        "SQLite database is locked on …: turn on WAL and a busy timeout of … ms"
    )
    assert (found.users, found.source_ids) == (3, ("m-000", "m-001", "m-002"))
    assert found.memory.visibility is Visibility.SHARED
    assert (found.memory.user_id, found.memory.agent_id, found.memory.session_id) == ("", "", "")
    assert is_experience(found.memory)
    assert found.memory.provenance.model == "experience of 3 users"


@pytest.mark.parametrize(
    "memories",
    [
        locked()[:2],
        locked(users="ada bo bo"),
        [replace(one, user_id="␟ada␟bo␟") for one in locked()],
        [replace(one, visibility=Visibility.SHARED) for one in locked()],
        [replace(one, status=Status.ARCHIVED) for one in locked()],
        [replace(one, kind=Kind.SEMANTIC) for one in locked()],
    ],
    ids=["two", "two-users", "together", "shared", "archived", "facts"],
)
def test_what_fewer_bear_out_is_told_to_nobody(memories: list[Memory]) -> None:
    assert told(*filter(may_count, memories)) == []


def test_opposites_do_not_bear_each_other_out() -> None:
    say = "Always run the database migrations before the deploy of the gateway"
    deny = "Never run the database migrations before the deploy of the gateway"
    memories = [own(0, "ada", say), own(1, "bo", say), own(2, "cy", deny), own(3, "di", deny)]
    assert told(*memories) == []
    assert told(*memories, own(4, "ed", say)) == [say]


def test_what_says_little_without_its_names_is_told_to_nobody() -> None:
    names = ("Mara at the kiln", "Omar at the loom", "Lin at the forge")
    memories = [own(at, str(at), f"Ask {name} for the key") for at, name in enumerate(names)]
    assert told(*memories) == []


def _part(name: str, number: int) -> tuple[Part, Part]:
    lesson = Lesson(
        title=f"locked database on {name}",
        context=f"{name} wrote {number} rows",
        resolution="turn on WAL",
        evidence_memory_ids=("e",),
        validated=True,
    )
    procedure = Procedure(
        name=f"unlock the database of {name}",
        steps=(ProcedureStep(action="turn on WAL", spec=f"for {name}"),),
        avoid=(f"{name} alone",),
        trigger_tags=("wal", name),
        status=ProcedureStatus.ACTIVE,
    )
    return lesson, procedure


def test_parts_and_labels_keep_what_all_have() -> None:
    lessons, procedures = [], []
    for at, one in enumerate(locked()):
        name = ("kiln", "loom", "forge")[at]
        lesson, procedure = _part(name, at)
        labels = {"tags": ("wal", name), "entities": (name,), "category": "database"}
        lessons.append(replace(one, part=lesson, **labels))  # type: ignore[arg-type]
        procedures.append(
            replace(one, memory_id=f"p-{at}", kind=Kind.PROCEDURAL, part=procedure, **labels)  # type: ignore[arg-type]
        )
    found = {one.memory.kind: one.memory for one in experiences([*lessons, *procedures])}
    assert found[Kind.LEARNING].part == Lesson(
        title="locked database on …", context="… wrote … rows", resolution="turn on WAL"
    )
    assert found[Kind.PROCEDURAL].part == Procedure(
        name="unlock the database of …",
        steps=(ProcedureStep(action="turn on WAL", spec="for …"),),
        avoid=("… alone",),
        trigger_tags=("wal",),
        status=ProcedureStatus.ACTIVE,
    )
    for memory in found.values():
        assert (memory.tags, memory.entities, memory.category) == (("wal",), (), "database")


VOCABULARY = [
    "run",
    "the",
    "tests",
    "with",
    "cache",
    "off",
    "before",
    "each",
    "deploy",
    "to",
    "Delft",
    "at",
    "10.0.0.7",
    "für",
    "测试",
    "Mara",
]
LESSONS = st.lists(
    st.tuples(
        st.sampled_from(["ada", "bo", "cy", "di", "ed"]),
        st.lists(st.sampled_from(VOCABULARY), min_size=4, max_size=10).map(" ".join),
    ),
    max_size=14,
)


def _bears_out(found: Experience, memories: list[Memory]) -> None:
    sources = [one for one in memories if one.memory_id in found.source_ids]
    assert len({one.user_id for one in sources}) == found.users >= USERS_MIN
    for word in re.findall(r"[^\s…]+", found.memory.content):
        users = {one.user_id for one in sources if word in one.content.split()}
        assert len(users) >= USERS_MIN, (word, found)


@pytest.mark.slow
@given(LESSONS)
def test_no_word_is_told_that_fewer_say(said: list[tuple[str, str]]) -> None:
    memories = [own(at, user, text) for at, (user, text) in enumerate(said)]
    found = experiences(memories)
    assert found == experiences(reversed(memories))
    for one in found:
        _bears_out(one, memories)
