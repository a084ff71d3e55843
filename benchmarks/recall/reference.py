"""References for the figures: the bars of the project, and the results of others.

Sources: the project's quality goals (design notes of November 2026). The peers were measured
on the same half of LoCoMo with fp32 vectors of all-MiniLM-L6-v2 and without a model that writes;
they are quoted, not run.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.recall.baselines import NAMES as BASELINES
from benchmarks.recall.lines import PLAIN_LINES
from benchmarks.recall.metrics import NEWER_FIRST, Scores
from benchmarks.recall.results import OURS, READABLE, SetResult

# On every set, any@10 of the default is no lower than the best baseline's less this many points.
BASELINE_MARGIN = 1.0

# The first slice had to reach these,
FLOORS: Mapping[str, Scores] = {"locomo": {"any@10": 84.0}, "zh": {"any@10": 94.0}}
# and these are the goal.
GOALS: Mapping[str, Scores] = {
    "locomo": {
        "any@1": 54.0,
        "any@5": 84.0,
        "any@10": 90.0,
        "all@10": 78.0,
        "session@1": 79.0,
        "session@5": 93.0,
        "session@10": 97.0,
    },
    "beam": {"any@10": 80.0, "all@10": 52.0},
    "zh": {"any@10": 97.0, NEWER_FIRST: 90.0},
}

# What can be read in a context of so many tokens, in per cent; nowhere less than in plain lines.
CONTEXT_GOALS: Mapping[str, Mapping[int, float]] = {
    "locomo": {150: 62.0, 250: 76.0, 500: 87.0, 1_000: 92.0}
}

PEER_METRICS = ("any@1", "any@5", "any@10", "all@10", "session@1", "session@5", "session@10")
PEERS: Mapping[str, tuple[float, ...]] = {
    "mempalace 3.11": (28.3, 52.1, 61.6, 51.0, 54.5, 79.5, 88.9),
    "graphiti-core 0.31": (26.7, 50.9, 57.2, 47.8, 52.1, 81.5, 87.6),
    "engram-search": (16.4, 44.5, 56.8, 46.1, 32.9, 69.7, 83.4),
}


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure to be reached, in per cent, and what was reached."""

    kind: str
    metric: str
    at_least: float
    reached: float

    @property
    def is_met(self) -> bool:
        """True if the bar was reached."""
        return self.reached >= self.at_least


def bars(result: SetResult) -> Sequence[Bar]:
    """Every bar of a set: against the baselines that ran, the floor, the goal, for contexts."""
    ours = result.scores[OURS]
    baselines = [result.scores[name]["any@10"] for name in BASELINES if name in result.scores]
    floors = FLOORS.get(result.name, {})
    goals = GOALS.get(result.name, {})
    return (
        *(
            Bar("best baseline - 1", "any@10", best - BASELINE_MARGIN, ours["any@10"])
            for best in sorted(baselines)[-1:]
        ),
        *(Bar("floor", metric, least, ours[metric]) for metric, least in floors.items()),
        *(Bar("goal", metric, least, ours[metric]) for metric, least in goals.items()),
        *_context_bars(result),
    )


def _context_bars(result: SetResult) -> Iterator[Bar]:
    """At each budget the plain lines, and the goal where there is one."""
    goals = CONTEXT_GOALS.get(result.name, {})
    for context in result.contexts:
        reached = context.scores[OURS].get(READABLE)
        if reached is None:
            continue
        metric = f"{READABLE}, {context.budget:,} tokens"
        yield Bar(PLAIN_LINES, metric, context.scores[PLAIN_LINES][READABLE], reached)
        if context.budget in goals:
            yield Bar("goal", metric, goals[context.budget], reached)
