"""Links are drawn where calls and their answers show them, and nowhere else."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from anamnesis_ingestion.learning.knowledge import Knowledge, LearnedLesson, LearnedProcedure
from anamnesis_ingestion.learning.links.model import LearnedLink, LinkEnd, LinkType
from anamnesis_ingestion.learning.links.trail import Trail
from anamnesis_ingestion.learning.local.extractor import knowledge_of
from tests.support.talk import task

Turns = tuple[tuple[str, str], ...]
Tied = tuple[str, LinkType, str]
AFTER, CAUSE = LinkType.FOLLOWED_BY, LinkType.CAUSED_BY


def _run(command: str, answer: str) -> Turns:
    return (("call", f"bash {json.dumps({'command': command})}"), ("tool", answer))


REFUSED = _run("git push", "fatal: the branch quince has no upstream branch")
PUSHED = _run("git push --set-upstream origin quince", "branch quince is set up to track it")
BROKEN = _run("make check", "config.py: error: no key was found")
MADE = _run("make key", "the key was made")
DONE = (("assistant", "That worked."),)
CHECKED = _run("make check", "all 12 checks have passed")


def _links(*tasks: Turns) -> list[LearnedLink]:
    """The links of a session of these tasks, each learned from by rules."""
    lecture = task(*(turn for one in tasks for turn in one))
    events = [replace(each, memory_id=f"m-{each.index}") for each in lecture.events]
    ends = [sum(map(len, tasks[: at + 1])) for at in range(len(tasks))]
    spans = [(end - len(one), end - 1) for one, end in zip(tasks, ends, strict=True)]
    trail = Trail(events, spans)
    found: dict[LearnedLink, None] = {}
    for first, last in spans:
        part = replace(lecture, events=events[first : last + 1])
        found |= dict.fromkeys(trail.links((first, last), knowledge_of(part)))
    return list(found)


def _told(links: Sequence[LearnedLink], *tasks: Turns) -> set[Tied]:
    """The links with each end as its text."""
    texts = [content for one in tasks for _, content in one]
    return {(_text(one.source, texts), one.type, _text(one.target, texts)) for one in links}


def _text(end: LinkEnd, texts: Sequence[str]) -> str:
    match end:
        case LearnedLesson():
            return f"lesson {end.title}"
        case LearnedProcedure():
            return f"way {end.name}"
        case _:
            return texts[end]


def test_a_failure_leads_to_its_lesson_and_to_the_call_that_was_made_again() -> None:
    work = (("user", "publish it"), *REFUSED, *PUSHED, *DONE)
    links = _links(work)
    refused, pushed = REFUSED[1][1], PUSHED[1][1]
    assert _told(links, work) == {
        (pushed, CAUSE, refused),
        (f"lesson {refused}", CAUSE, refused),
    }
    assert {one.shown_by for one in links} == {(2,), (2, 4)}


def test_what_was_asked_for_and_learned_is_told_in_order() -> None:
    pushed = (("user", "publish it"), *REFUSED, *PUSHED, *DONE)
    first = (*pushed, ("user", "check it now"), *BROKEN, *MADE, *CHECKED, *DONE)
    second = (("user", "list the leaves"), *_run("make leaves", "oak, ash"))
    told = _told(_links(first, second), first, second)
    assert ("publish it", AFTER, "list the leaves") in told
    lessons = [(one, other) for one, type_, other in told if type_ is AFTER and "lesson" in one]
    assert lessons == [(f"lesson {REFUSED[1][1]}", f"lesson {BROKEN[1][1]}")]


def test_a_way_rests_on_the_lesson_whose_mending_it_holds() -> None:
    closing = ("assistant", "The key was missing; now all checks have passed.")
    work = (("user", "please make the quince release pass"), *BROKEN, *MADE, *CHECKED)
    work = (*work, *_run("make release", "quince 2 is released"), closing)
    told = _told(_links(work), work)
    (way,) = [one for one, _, _ in told if one.startswith("way ")]
    assert (way, CAUSE, f"lesson {BROKEN[1][1]}") in told


def test_a_failure_of_one_task_leads_to_the_task_that_mends_it() -> None:
    first = (("user", "check the quince branch"), *BROKEN)
    second = (("user", "fix the problem and commit"), *MADE, *CHECKED)
    told = _told(_links(first, second), first, second)
    broken = BROKEN[1][1]
    assert ("fix the problem and commit", CAUSE, broken) in told
    assert (CHECKED[1][1], CAUSE, broken) in told


@pytest.mark.parametrize(
    "tasks",
    [
        ((("user", "I moved to Delft"), ("assistant", "Noted")), (("user", "fix the date"),)),
        ((("user", "check it"), *CHECKED, ("user", "fix the title too")),),
        ((("user", "check it"), *BROKEN, *CHECKED),),
        ((("user", "check it"), *BROKEN, *MADE, *_run("make check", "error: no key was found")),),
        (
            (
                ("user", "check it"),
                *_run("make check", "The user doesn't want to proceed: the call was rejected"),
                *MADE,
                *CHECKED,
            ),
        ),
        ((("user", "look"), *_run("cat a.py", "cat: a.py: no such file"), *_run("cat b.py", "x")),),
    ],
    ids=[
        "talk without tools",
        "nothing had failed",
        "nothing was done in between",
        "it failed again",
        "a person stopped the call",
        "it was only looked for",
    ],
)
def test_what_no_call_shows_is_not_linked(tasks: tuple[Turns, ...]) -> None:
    assert _links(*tasks) == []


def test_a_lesson_that_quotes_no_failure_has_no_cause() -> None:
    work = (("user", "publish it"), *REFUSED, *PUSHED)
    lecture = task(*work)
    other = LearnedLesson(
        title="Leaves fall in autumn",
        context="",
        resolution="Rake them",
        category="pattern",
        sources=(0, 1, 2),
    )
    trail = Trail(lecture.events, [(0, len(work) - 1)])
    links = trail.links((0, len(work) - 1), Knowledge(lessons=(other,)))
    assert [one for one in links if one.source == other] == []
