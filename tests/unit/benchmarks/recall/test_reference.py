"""Which bars a result is held against, and when one is met."""

from collections.abc import Sequence

from benchmarks.recall.baselines import BM25, DENSE, RRF
from benchmarks.recall.lines import PLAIN_LINES
from benchmarks.recall.metrics import Judged
from benchmarks.recall.reference import bars
from benchmarks.recall.results import OURS, READABLE, ContextResult, SetResult


def _result(name: str, contexts: Sequence[ContextResult] = (), **hits: int) -> SetResult:
    """A result over a hundred questions; `hits` are those with an answer among the first ten."""
    systems = {"ours": OURS, "dense": DENSE, "bm25": BM25, "rrf": RRF}
    judged = {
        systems[short]: [
            Judged("kind", {"any@10": float(n < count), "all@10": float(n < count)})
            for n in range(100)
        ]
        for short, count in hits.items()
    }
    return SetResult(
        name=name,
        sha256="",
        conversations=1,
        turns=1,
        questions=100,
        judged=judged,
        latencies_ms=[1.0],
        profiles={},
        degraded=[],
        contexts=contexts,
    )


def _context(budget: int, ours: float, plain: float) -> ContextResult:
    return ContextResult(
        budget=budget,
        judged={
            OURS: [Judged("kind", {READABLE: ours})],
            PLAIN_LINES: [Judged("kind", {READABLE: plain})],
        },
        token_counts={OURS: [1], PLAIN_LINES: [1]},
        latencies_ms=[1.0],
        degraded=[],
    )


def test_ours_is_held_against_the_best_baseline_less_a_point() -> None:
    against = bars(_result("beam", ours=70, dense=50, bm25=71, rrf=60))[0]
    assert (against.at_least, against.reached, against.is_met) == (70.0, 70.0, True)
    assert not bars(_result("beam", ours=69, dense=50, bm25=71, rrf=60))[0].is_met


def test_a_set_has_its_own_goals() -> None:
    found = bars(_result("beam", ours=81, dense=0, bm25=0, rrf=0))
    goals = {(bar.metric, bar.at_least): bar.is_met for bar in found if bar.kind == "goal"}
    assert goals == {("any@10", 80.0): True, ("all@10", 52.0): True}


def test_without_baselines_there_is_no_bar_of_theirs() -> None:
    assert {bar.kind for bar in bars(_result("beam", ours=81))} == {"goal"}


def test_a_context_is_held_against_plain_lines_and_on_locomo_against_a_goal() -> None:
    contexts = [_context(150, ours=0.7, plain=0.6), _context(300, ours=0.7, plain=0.8)]
    of_beam = [bar for bar in bars(_result("beam", contexts, ours=0)) if READABLE in bar.metric]
    assert [(bar.kind, bar.metric, bar.is_met) for bar in of_beam] == [
        (PLAIN_LINES, "readable, 150 tokens", True),
        (PLAIN_LINES, "readable, 300 tokens", False),
    ]
    hits = {"any@1": 0, "any@5": 0, "all@10": 0, "session@1": 0, "session@5": 0, "session@10": 0}
    judged = [Judged("kind", {"any@10": 0.0, **hits})]
    locomo = SetResult("locomo", "", 1, 1, 1, {OURS: judged}, [1.0], {}, [], contexts)
    goals = {bar.metric: bar.at_least for bar in bars(locomo) if bar.kind == "goal"}
    assert goals["readable, 150 tokens"] == 62.0
    assert "readable, 300 tokens" not in goals
