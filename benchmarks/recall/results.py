"""What a run came to, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.recall.baselines import NAMES as BASELINES
from benchmarks.recall.metrics import Judged, Scores, percentages

OURS = "anamnesis"
SYSTEMS = (OURS, *BASELINES)


@dataclass(frozen=True, slots=True)
class SetResult:
    """One data set: the judged questions of each system, and how our searches went.

    `profiles` counts the answers by the ranking profile that the suite chose; `degraded` are the
    reasons why anything could not take part in a search, normally none.
    """

    name: str
    sha256: str
    conversations: int
    turns: int
    questions: int
    judged: Mapping[str, Sequence[Judged]]
    latencies_ms: Sequence[float]
    profiles: Mapping[str, int]
    degraded: Sequence[str]

    @property
    def scores(self) -> Mapping[str, Scores]:
        """Of each system the mean of each metric, in per cent."""
        return {system: percentages(self.judged[system]) for system in self.judged}


@dataclass(frozen=True, slots=True)
class RunResult:
    """All sets of one run, with the fingerprint of the embedder of suite and baselines."""

    embedder: str
    embedding_model: str
    searches_at_once: int
    sets: Sequence[SetResult]
