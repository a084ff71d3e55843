"""Precision and recall of merging are counted as the page of the set says."""

from benchmarks.dedup.figures import Judged, by_class, figures, lowest_precise
from benchmarks.dedup.pairs import Pair


def _judged(
    cosine: float, *, same: bool, objected: bool = False, identical: bool = False
) -> Judged:
    pair = Pair("en-1", "en", "a", "b", same, "same_light" if same else "related")
    return Judged(pair, cosine, identical, objected)


JUDGED = [
    _judged(0.95, same=True),
    _judged(0.92, same=True, objected=True),
    _judged(0.2, same=True, identical=True),
    _judged(0.9, same=False, objected=True),
    _judged(0.7, same=False),
]


def test_the_guard_and_the_threshold_keep_pairs_apart() -> None:
    guarded = figures(JUDGED, 0.8, guarded=True)
    assert (guarded.right, guarded.wrong, guarded.same) == (2, 0, 3)
    without = figures(JUDGED, 0.8, guarded=False)
    assert (without.precision, without.recall) == (0.75, 1.0)
    assert figures(JUDGED, 0.6, guarded=True).wrong == 1


def test_the_lowest_step_holds_for_all_above_it() -> None:
    assert lowest_precise(JUDGED, (0.6, 0.71, 0.8, 0.9), 0.97) == 0.71
    assert lowest_precise([_judged(1.0, same=False)], (0.6, 0.9), 0.97) is None


def test_classes_are_counted_apart() -> None:
    related = by_class(JUDGED, 0.8)["related"]
    assert (related.pairs, related.objected, related.merged, related.merged_unguarded) == (
        2,
        1,
        0,
        1,
    )
