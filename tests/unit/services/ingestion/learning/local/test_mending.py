"""What mended a failed call is told by what was done until the same call no longer failed so."""

import json

import pytest

from anamnesis_ingestion.learning.knowledge import ExtractionInput, LearnedLesson
from anamnesis_ingestion.learning.local.extractor import knowledge_of
from anamnesis_ingestion.learning.local.mending import same_call
from anamnesis_ingestion.learning.local.procedures import spec_of
from anamnesis_ingestion.learning.local.turns import Attempt
from anamnesis_ingestion.model import ToolCall
from tests.support.talk import task

Turns = tuple[tuple[str, str], ...]


def _run(command: str, answer: str) -> Turns:
    return (("call", f"bash {json.dumps({'command': command})}"), ("tool", answer))


def _lessons(*turns: tuple[str, str], ended_well: bool = False) -> list[LearnedLesson]:
    lecture = task(*turns)
    wanted = ExtractionInput(events=lecture.events, lessons=ended_well, proven=not ended_well)
    return list(knowledge_of(wanted).lessons)


REFUSED = _run("git push", "fatal: the branch quince has no upstream branch")
PUSHED = _run("git push --set-upstream origin quince", "done")


def test_what_a_call_was_written_like_when_it_worked_is_its_mending() -> None:
    (lesson,) = _lessons(("user", "publish it"), *REFUSED, *PUSHED)
    assert lesson.title == "fatal: the branch quince has no upstream branch"
    assert lesson.resolution == "bash: `git push --set-upstream origin quince`"


def test_long_work_teaches_each_error_on_the_way() -> None:
    steps = [step for at in range(12) for step in _run(f"touch leaf{at}", "fine")]
    failing = _run("make check", "config.py: error: no key was found")
    mended = (("assistant", "The key was missing."), *_run("make key", "made"))
    turns = (*REFUSED, *PUSHED, *steps, *failing, *mended, *_run("make check", "all good"))
    for ended_well in (True, False):
        first, second = _lessons(("user", "go on"), *turns, ended_well=ended_well)
        assert "no upstream" in first.title
        assert second.title == "config.py: error: no key was found"
        assert second.resolution == "The key was missing.\nbash: `make key`"


@pytest.mark.parametrize(
    "turns",
    [
        (*REFUSED, *_run("git push", "fatal: the branch quince has no upstream branch")),
        (*_run("make check", "error: one"), *_run("make check | grep two", "")),
        (*_run("make check", "error: one"), *_run("make build", "fine")),
        (
            *_run("grep -n quince a.py", "Command exited with code 1"),
            *_run("grep pear a.py", "pear"),
        ),
    ],
)
def test_what_was_only_asked_otherwise_mended_nothing(turns: Turns) -> None:
    assert _lessons(("user", "publish it"), *turns) == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("cd a && npm run check 2>&1", "npm run check --all", True),
        ("npm run check", "npm run build", False),
        ("git add a b && git commit -m x", "git commit -m x", True),
        ("git commit -m x", "git add a && git commit -m x", False),
        ("LOCALE=de pytest tests", "pytest tests -q", True),
    ],
)
def test_calls_are_the_same_by_their_commands(one: str, other: str, same: bool) -> None:
    first, second = (
        Attempt(ToolCall("c", "bash", json.dumps({"command": each})), 0, 1, "")
        for each in (one, other)
    )
    assert same_call(first, second) is same


def test_a_command_may_be_a_list_of_words() -> None:
    shell, plain = (
        Attempt(ToolCall("c", "shell", json.dumps({"command": each})), 0, 1, "")
        for each in (["bash", "-lc", "cd a && make test"], ["make", "test", "-k"])
    )
    assert same_call(shell, plain)
    assert (spec_of(shell), spec_of(plain)) == ("`cd a && make test`", "`make test -k`")


def test_who_throws_away_what_was_done_was_not_helped() -> None:
    work = (("user", "the page is broken"), *_run("a", "one"), *_run("b", "two"))
    done = (*work, ("assistant", "Fixed it."))
    assert _lessons(*done, ended_well=True)
    undone = (*done, ("user", "yeah you can undo that"), ("assistant", "Undone."))
    assert not _lessons(*undone, ended_well=True)
