"""What becomes of a segmenter's answer: repaired where its intent is clear, else refused."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_ingestion.segmentation.repair import repaired
from anamnesis_ingestion.segmentation.tasks import SUMMARY_CHARS_MAX, TOPIC_CHARS_MAX, Task
from anamnesis_libs.errors import AnswerMalformed
from tests.support.segmenters import Ranges, task


def _ranges(answer: Ranges, length: int) -> list[tuple[int, int]]:
    tasks = repaired([task(first, last) for first, last in answer], length)
    return [(each.first, each.last) for each in tasks]


@pytest.mark.parametrize(
    ("rule", "answer", "kept"),
    [
        ("as it is", [(1, 3), (4, 6)], [(1, 3), (4, 6)]),
        ("unordered is sorted", [(4, 6), (1, 3)], [(1, 3), (4, 6)]),
        ("an overlap goes to the later start", [(1, 4), (4, 6)], [(1, 3), (4, 6)]),
        ("a gap goes to the task before it", [(1, 2), (5, 6)], [(1, 4), (5, 6)]),
        ("a gap at the start goes to the first", [(2, 3), (4, 6)], [(1, 3), (4, 6)]),
        ("a gap at the end goes to the last", [(1, 3), (4, 5)], [(1, 3), (4, 6)]),
        ("one task is made to fill the window", [(1, 4)], [(1, 6)]),
        ("out of range is clipped", [(-2, 3), (4, 99)], [(1, 3), (4, 6)]),
        ("all out of range is dropped", [(1, 6), (7, 9)], [(1, 6)]),
        ("negative is dropped", [(-5, -1), (1, 6)], [(1, 6)]),
        ("empty is dropped", [(1, 3), (4, 3), (4, 6)], [(1, 3), (4, 6)]),
        ("reversed is dropped", [(1, 6), (5, 2)], [(1, 6)]),
        ("said twice counts once", [(1, 3), (1, 3), (4, 6)], [(1, 3), (4, 6)]),
        ("counted from 0 is moved", [(0, 2), (3, 5)], [(1, 3), (4, 6)]),
        ("one task counted from 0", [(0, 5)], [(1, 6)]),
        ("of two that start together the longer", [(1, 2), (1, 4), (5, 6)], [(1, 4), (5, 6)]),
    ],
)
def test_a_clear_intent_is_repaired(rule: str, answer: Ranges, kept: Ranges) -> None:
    assert _ranges(answer, 6) == kept, rule


REFUSED: dict[str, Ranges] = {
    "no task": [],
    "nothing within the window": [(7, 9)],
    "only empty tasks": [(3, 2)],
    "most events unmentioned": [(1, 2)],
    "most events in several tasks": [(1, 6), (2, 6), (3, 6)],
    "more tasks than events": [(1, 1)] * 7,
}


@pytest.mark.parametrize("answer", REFUSED.values(), ids=REFUSED)
def test_what_is_not_clear_is_refused(answer: Ranges) -> None:
    with pytest.raises(AnswerMalformed):
        _ranges(answer, 6)


def test_words_are_kept_short_and_storable() -> None:
    wild = Task(1, 6, "a\n b\0\ud800" + "c" * 500, "s " * 5000)
    (kept,) = repaired([wild], 6)
    assert kept.topic.startswith("a b\ufffdc")
    assert len(kept.topic) <= TOPIC_CHARS_MAX
    assert len(kept.summary) <= SUMMARY_CHARS_MAX
    (kept.topic + kept.summary).encode()


numbers = st.integers(-3, 14) | st.integers()


@given(st.lists(st.tuples(numbers, numbers), max_size=14), st.integers(1, 12))
def test_any_answer_parts_the_window_or_is_refused(answer: Ranges, length: int) -> None:
    try:
        found = _ranges(answer, length)
    except AnswerMalformed:
        return
    assert found[0][0] == 1
    assert found[-1][1] == length
    assert all(first <= last for first, last in found)
    assert all(before[1] + 1 == after[0] for before, after in pairwise(found))


@given(st.sets(st.integers(2, 12)))
def test_a_sound_answer_is_left_as_it_is(starts: set[int]) -> None:
    borders = [1, *sorted(starts), 13]
    sound = [(first, end - 1) for first, end in pairwise(borders)]
    assert _ranges(sound, 12) == sound
