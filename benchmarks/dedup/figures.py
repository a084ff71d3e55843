"""Precision and recall of merging, over pairs that were judged once.

A pair is merged where its texts are identical but for their writing, or where its cosine is at
least the threshold and, with the guard, nothing is objected. A precision without any merge is 1:
nothing was destroyed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.dedup.pairs import Pair


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair with its cosine, whether its normal forms are equal, and whether the guard objects."""

    pair: Pair
    cosine: float
    identical: bool
    objected: bool

    def merged(self, cosine_min: float, *, guarded: bool) -> bool:
        """True if the pair is merged at a threshold."""
        near = self.cosine >= cosine_min and not (guarded and self.objected)
        return self.identical or near


@dataclass(frozen=True, slots=True)
class Figures:
    """Of pairs at one threshold: right and wrong merges, and what should have been merged."""

    right: int
    wrong: int
    same: int

    @property
    def precision(self) -> float:
        """Share of the merges that are right."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Share of the same pairs that are merged."""
        return self.right / self.same if self.same else 0.0


def figures(judged: Sequence[Judged], cosine_min: float, *, guarded: bool) -> Figures:
    """Count the merges at a threshold."""
    merged = [each for each in judged if each.merged(cosine_min, guarded=guarded)]
    right = sum(each.pair.same for each in merged)
    return Figures(right, len(merged) - right, sum(each.pair.same for each in judged))


def lowest_precise(
    judged: Sequence[Judged], steps: Iterable[float], precision_min: float
) -> float | None:
    """The lowest step from which on precision never falls below a bound; None: none holds it."""
    found = None
    for step in sorted(steps, reverse=True):
        if figures(judged, step, guarded=True).precision < precision_min:
            break
        found = step
    return found


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """One class: pairs, those that the guard objects to, and merges with and without it."""

    pairs: int
    objected: int
    merged: int
    merged_unguarded: int


def by_class(judged: Sequence[Judged], cosine_min: float) -> dict[str, ClassFigures]:
    """Figures of each class at a threshold."""
    return {
        label: _class([each for each in judged if each.pair.label == label], cosine_min)
        for label in sorted({each.pair.label for each in judged})
    }


def _class(judged: Sequence[Judged], cosine_min: float) -> ClassFigures:
    return ClassFigures(
        pairs=len(judged),
        objected=sum(each.objected for each in judged),
        merged=sum(each.merged(cosine_min, guarded=True) for each in judged),
        merged_unguarded=sum(each.merged(cosine_min, guarded=False) for each in judged),
    )
