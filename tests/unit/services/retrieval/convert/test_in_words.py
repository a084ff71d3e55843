"""Lessons and procedures in contexts read as sentences, and a draft is marked as one."""

import pytest

from anamnesis.memory.v1 import memory_pb2
from anamnesis_retrieval.convert.in_words import in_words
from anamnesis_retrieval.convert.search import to_remembered


def lesson(title: str, context: str, resolution: str) -> memory_pb2.Memory:
    parts = memory_pb2.Lesson(title=title, context=context, resolution=resolution)
    return memory_pb2.Memory(content="\n".join((title, context, resolution)), lesson=parts)


@pytest.mark.parametrize(
    ("context", "resolution", "told"),
    [
        (
            "command=git push, description=Push to remote\nfatal: no upstream",
            "It needs a branch.\nBash: command=git push -u origin x, description=Push, tracking",
            "fatal: no upstream\nFailed: Push to remote: `git push`\n"
            "It needs a branch.\nWhat helped: Push, tracking: `git push -u origin x`",
        ),
        (
            "`git push` (Push to remote)\nfatal: no upstream",
            "It needs a branch.\nBash: `git push -u origin x` (Push, tracking)",
            "fatal: no upstream\nFailed: Push to remote: `git push`\n"
            "It needs a branch.\nWhat helped: Push, tracking: `git push -u origin x`",
        ),
        (
            "git push\nfatal: no upstream",
            "bash: git push -u origin x",
            "fatal: no upstream\nFailed: `git push`\nWhat helped: `git push -u origin x`",
        ),
        (
            "please push it\nfatal: no upstream",
            "Edit: file_path=a.py, old_string=f(x), new_string=f(x, nullable=True, path=None)",
            "please push it\nfatal: no upstream\n"
            "What helped: In `a.py` write `f(x, nullable=True, path=None)`.",
        ),
    ],
)
def test_calls_in_a_lesson_are_told_in_words(context: str, resolution: str, told: str) -> None:
    assert in_words(lesson("fatal: no upstream", context, resolution)) == told


def test_a_lesson_that_somebody_worded_otherwise_stays_as_it_is() -> None:
    memory = lesson("fatal", "command=git push\nfatal", "bash: git push -u")
    memory.content = "Set command=x by hand."
    assert in_words(memory) == "Set command=x by hand."


@pytest.mark.parametrize(
    ("status", "caveats"),
    [
        (memory_pb2.PROCEDURE_STATUS_DRAFT, ("draft, not approved",)),
        (memory_pb2.PROCEDURE_STATUS_ACTIVE, ()),
    ],
)
def test_a_draft_is_marked(
    status: memory_pb2.ProcedureStatus.ValueType, caveats: tuple[str, ...]
) -> None:
    memory = memory_pb2.Memory(
        content="Push\nPush\n1. Bash: command=git push, description=Push it",
        procedure=memory_pb2.Procedure(name="Push", status=status),
    )
    told = to_remembered(memory)
    assert (told.content, told.caveats) == ("Push\n1. Push it: `git push`", caveats)


def test_a_goal_that_its_name_begins_is_said_once_and_whole() -> None:
    goal = "Move the tables to PostgreSQL, the harbour wants two instances."
    memory = memory_pb2.Memory(
        content=f"Move the tables to PostgreSQL, the harbour…\n{goal}\n1. Bash: `make up`",
        procedure=memory_pb2.Procedure(name="Move the tables to PostgreSQL, the harbour…"),
    )
    assert to_remembered(memory).content == f"{goal}\n1. `make up`"
