"""What becomes of a lesson follows from its cosine, the guard and the model's thresholds."""

import numpy as np
import pytest

from anamnesis_libs.settings import Dedup
from anamnesis_memory.dedup.decide import DuplicateVerdict, Nearness, nearest, verdict
from anamnesis_memory.dedup.difference import Aspect, Difference
from anamnesis_memory.dedup.thresholds import UNKNOWN, Thresholds, thresholds_of

LIMITS = Thresholds(merge=0.9, candidate=0.7)
OBJECTION = (Difference(Aspect.NUMBER, "40", "45"),)


@pytest.mark.parametrize(
    ("cosine", "objected", "expected"),
    [
        (1.0, False, DuplicateVerdict.MERGE),
        (0.9, False, DuplicateVerdict.MERGE),
        (0.89, False, DuplicateVerdict.CANDIDATE),
        (0.7, False, DuplicateVerdict.CANDIDATE),
        (0.69, False, DuplicateVerdict.NEW),
        (0.99, True, DuplicateVerdict.KEPT_APART),
        (0.7, True, DuplicateVerdict.KEPT_APART),
        (0.69, True, DuplicateVerdict.NEW),
    ],
)
def test_the_verdict(cosine: float, objected: bool, expected: DuplicateVerdict) -> None:
    near = Nearness(cosine, OBJECTION if objected else ())
    assert verdict(near, LIMITS) is expected


def test_memories_in_pieces_are_compared_by_their_means() -> None:
    east, north = np.eye(2, dtype=np.float32)
    both = np.stack([east, north])
    assert nearest(both, east[None]) == pytest.approx(np.sqrt(0.5))
    assert nearest(both, both[::-1]) == pytest.approx(1.0)
    assert nearest(np.stack([east, -east]), east[None]) == pytest.approx(1.0)


def test_what_is_set_goes_before_what_was_measured() -> None:
    measured = thresholds_of("all-minilm-l6-v2:8199be6f699a395f", Dedup())
    assert measured.candidate < measured.merge
    assert thresholds_of("somebody's:model", Dedup()) == UNKNOWN
    stated = Dedup(merge_cosine_min=0.6, candidate_cosine_min=0.8)
    assert thresholds_of("somebody's:model", stated) == Thresholds(0.6, 0.6)


def test_a_threshold_of_the_settings_is_a_cosine() -> None:
    with pytest.raises(ValueError, match="merge_cosine_min"):
        Dedup(merge_cosine_min=1.1)
