"""The results of a run, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.recall.baselines import NAMES as BASELINES
from benchmarks.recall.metrics import Judged, Scores, percentages

OURS = "anamnesis"
SYSTEMS = (OURS, *BASELINES)
READABLE, CITED, EMPTY, OVER = "readable", "cited", "empty", "over budget"
"""The scores of a context."""


@dataclass(frozen=True, slots=True)
class ContextResult:
    """All contexts of one data set at one budget of tokens, and the plain lines beside them.

    The token counts are those of the texts, counted again.
    """

    budget: int
    judged: Mapping[str, Sequence[Judged]]
    token_counts: Mapping[str, Sequence[int]]
    latencies_ms: Sequence[float]
    degraded: Sequence[str]

    @property
    def scores(self) -> Mapping[str, Scores]:
        """The mean of each score of each system, in per cent."""
        return {system: percentages(self.judged[system]) for system in self.judged}


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
    contexts: Sequence[ContextResult] = ()

    @property
    def systems(self) -> Sequence[str]:
        """Ours first, then the baselines that ran."""
        return tuple(self.judged)

    @property
    def scores(self) -> Mapping[str, Scores]:
        """The mean of each metric of each system, in per cent."""
        return {system: percentages(self.judged[system]) for system in self.judged}


@dataclass(frozen=True, slots=True)
class RunResult:
    """All sets of one run, with the fingerprint of the embedder of suite and baselines."""

    embedder: str
    embedding_model: str
    searches_at_once: int
    sets: Sequence[SetResult]
