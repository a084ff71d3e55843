"""Cosines from which two lessons count as near, by the model that made their vectors.

Calibrated on `tests/data/dedup/dev.jsonl` with the guard (`python -m benchmarks.dedup` prints the
table), and rounded up to steps of 0.05, since some 60 merges tell no finer. `merge` is the lowest
cosine from which on precision is 0.97 or more in each language by itself; both then use it.
`candidate` is the lowest from which on nine of ten pairs that the guard passes are one lesson.
A model that was not measured gets the thresholds of the reference design.
"""

from dataclasses import dataclass

from anamnesis_libs.settings import Dedup


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosines: from `merge` on two lessons are one, from `candidate` on they may be.

    `candidate` is at most `merge`; with both above 1 nothing is ever near.
    """

    merge: float
    candidate: float


NEVER = Thresholds(merge=2.0, candidate=2.0)
"""Nothing is near: what is compared where there are no vectors to compare."""
UNKNOWN = Thresholds(merge=0.85, candidate=0.75)
_CALIBRATED = (
    ("all-minilm-l6-v2:", Thresholds(merge=0.90, candidate=0.65)),
    ("all-minilm-l6-v2+use-multilingual-v3:", Thresholds(merge=0.90, candidate=0.65)),
    ("wordllama-l2-supercat-256:", Thresholds(merge=0.80, candidate=0.65)),
)
"""By the beginning of the model's fingerprint: the digest behind it tells files, not meaning."""


def thresholds_of(model: str, settings: Dedup) -> Thresholds:
    """The thresholds for vectors of a model; what the settings state goes first."""
    known = next((each for name, each in _CALIBRATED if model.startswith(name)), UNKNOWN)
    merge = known.merge if settings.merge_cosine_min is None else settings.merge_cosine_min
    stated = settings.candidate_cosine_min
    candidate = known.candidate if stated is None else stated
    return Thresholds(merge, min(candidate, merge))
