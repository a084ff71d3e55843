"""Sessions are ranked by the first of their turns, turns as they are found."""

from pathlib import Path

from benchmarks.longmemeval.dataset import Case, read
from benchmarks.longmemeval.recall import metrics_of, recall
from benchmarks.recall.metrics import LEARNED
from tests.support.longmemeval_file import CHOIR, VIOLIN, Element, write_file


def _case(tmp_path: Path, element: Element) -> Case:
    return next(read(write_file(tmp_path / "made.json", element)))


def test_sessions_and_turns_among_the_first(tmp_path: Path) -> None:
    ranking = ["garden/0", LEARNED, "garden/1", "choir-old/1", "choir-new/0"]
    assert recall(_case(tmp_path, CHOIR), ranking, (1, 2, 3, 5)) == {
        "session any@1": 0,
        "session all@1": 0,
        "session any@2": 1,
        "session all@2": 0,
        "session any@3": 1,
        "session all@3": 1,
        "session any@5": 1,
        "session all@5": 1,
        "turn any@1": 0,
        "turn all@1": 0,
        "turn any@2": 0,
        "turn all@2": 0,
        "turn any@3": 0,
        "turn all@3": 0,
        "turn any@5": 1,
        "turn all@5": 0,
    }


def test_a_question_without_an_answer_has_no_recall(tmp_path: Path) -> None:
    assert recall(_case(tmp_path, VIOLIN), ["garden/0"], (5,)) == {}


def test_scores_are_named_as_they_are_listed(tmp_path: Path) -> None:
    assert list(recall(_case(tmp_path, CHOIR), [], (5, 10))) == metrics_of((5, 10))
