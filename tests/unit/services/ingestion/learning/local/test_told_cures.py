"""An error and its cure that are only told are a lesson; hopes, plans and orders are none."""

import pytest

from anamnesis_ingestion.learning.knowledge import LearnedLesson
from anamnesis_ingestion.learning.local.lessons import lessons_of
from tests.support.talk import task

REPORT = ("user", "It crashes: database is locked")
ADVICE = ("assistant", "Turn on WAL, and set a busy timeout. Readers then block nobody.")


def _lessons(*turns: tuple[str, str]) -> list[LearnedLesson]:
    return list(lessons_of(task(*turns).events))


@pytest.mark.parametrize(
    "last",
    [
        ("user", "WAL and a busy timeout cured the locked database."),
        ("user", "The locked database was fixed by WAL and the timeout."),
    ],
)
def test_a_cure_told_in_words_is_a_lesson(last: tuple[str, str]) -> None:
    (lesson,) = _lessons(REPORT, ADVICE, last)
    assert (lesson.category, lesson.sources) == ("error", (0, 1, 2))
    assert "database is locked" in lesson.title
    assert lesson.resolution.startswith(last[1].rstrip("."))
    assert "Turn on WAL" in lesson.resolution


def test_an_agents_word_counts_once_somebody_has_tried() -> None:
    tried = (REPORT, ADVICE, ("user", "We did, and ordered from four phones."))
    cured = ("assistant", "Good: WAL plus a timeout cured the locked database.")
    (lesson,) = _lessons(*tried, cured)
    assert lesson.resolution.startswith("WAL plus a timeout cured")
    assert _lessons(REPORT, cured) == []


def test_an_error_that_nobody_gets_any_more_was_mended() -> None:
    (lesson,) = _lessons(REPORT, ADVICE, ("user", "Done. Nobody got the error any more."))
    assert "Turn on WAL" in lesson.resolution


@pytest.mark.parametrize(
    "last",
    [
        "WAL should have fixed the locked database.",
        "Maybe WAL fixed the locked database.",
        "WAL has not fixed the locked database.",
        "Has WAL fixed the locked database?",
        "If WAL fixed the locked database, we are done.",
        "WAL fixed the leaking tap.",
    ],
)
def test_what_is_not_told_as_so_teaches_nothing(last: str) -> None:
    assert _lessons(REPORT, ADVICE, ("user", last)) == []


def test_a_cause_told_of_what_was_just_worked_on_is_a_lesson() -> None:
    work = (("user", "the menu flickers on every key"), ("assistant", "I delayed the drawing."))
    (lesson,) = _lessons(*work, ("user", "undo that, it was the log in menu.py that did it"))
    assert lesson.title == "the menu flickers on every key"
    assert lesson.resolution == "undo that, it was the log in menu.py that did it"
