"""Cosines from which lessons are of one topic, by the model that made their vectors.

Calibrated on the `dev` half of `benchmarks/clustering/lessons.json` (`python -m
benchmarks.clustering` prints the table). `join` is for a lesson that comes, and the mean of a
topic's members: the lowest step of 0.05 from which on nine of ten lessons lie with those of their
own topic, in whatever order they came. It is strict on purpose, since what was joined wrongly is
found by nobody, and what was left apart is joined when all is grouped anew. `link` is for two
groups, and the mean cosine over the pairs between them: the step of 0.02 with the best adjusted
Rand index.
"""

from dataclasses import dataclass

from anamnesis_libs.settings import Clusters


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosines: from `join` on a lesson joins a topic, from `link` on two groups are one."""

    join: float
    link: float


UNKNOWN = Thresholds(join=0.50, link=0.30)
"""For a model that was not measured: stricter than any that was."""
_CALIBRATED = (
    ("all-minilm-l6-v2:", Thresholds(join=0.50, link=0.24)),
    ("all-minilm-l6-v2+use-multilingual-v3:", Thresholds(join=0.45, link=0.24)),
    ("wordllama-l2-supercat-256:", Thresholds(join=0.45, link=0.18)),
)
"""By the beginning of the model's fingerprint: the digest behind it tells files, not meaning."""


def thresholds_of(model: str, settings: Clusters) -> Thresholds:
    """The thresholds for vectors of a model; what the settings state goes first."""
    known = next((each for name, each in _CALIBRATED if model.startswith(name)), UNKNOWN)
    join, link = settings.join_cosine_min, settings.link_cosine_min
    return Thresholds(known.join if join is None else join, known.link if link is None else link)
