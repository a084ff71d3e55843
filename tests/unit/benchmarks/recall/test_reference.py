"""Which bars a result is held against, and when one is met."""

from benchmarks.recall.baselines import BM25, DENSE, RRF
from benchmarks.recall.metrics import Judged
from benchmarks.recall.reference import bars
from benchmarks.recall.results import OURS, SetResult


def _result(name: str, **hits: int) -> SetResult:
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
    )


def test_ours_is_held_against_the_best_baseline_less_a_point() -> None:
    against = bars(_result("beam", ours=70, dense=50, bm25=71, rrf=60))[0]
    assert (against.at_least, against.reached, against.is_met) == (70.0, 70.0, True)
    assert not bars(_result("beam", ours=69, dense=50, bm25=71, rrf=60))[0].is_met


def test_a_set_has_its_own_goals() -> None:
    found = bars(_result("beam", ours=81, dense=0, bm25=0, rrf=0))
    goals = {(bar.metric, bar.at_least): bar.is_met for bar in found if bar.kind == "goal"}
    assert goals == {("any@10", 80.0): True, ("all@10", 52.0): True}
