"""Agglomeration by average linkage: two groups are as near as their members are on average.

Nearest-neighbour chains find the same merges as comparing all pairs again and again would, in time
and memory of the order of n squared. What has no neighbour from the threshold on is done at once:
by average linkage no later merge can bring it any closer. Ties go to the first.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_NOWHERE = -2.0
"""Nearer than this is every cosine; it stands for what is oneself, merged or done."""


def linked(means: Floats, counts: Sequence[int], cosine_min: float) -> list[int]:
    """The group of each row, named after its first row.

    `means` are of `counts` unit vectors each, so that the product of two is the mean cosine over
    the pairs between them.
    """
    groups = _Groups(means, counts, cosine_min)
    for start in range(len(counts)):
        while groups.open[start]:
            groups.follow(start)
    return [int(each) for each in groups.root]


class _Groups:
    """Groups as they merge: `open` are those that may merge yet."""

    def __init__(self, means: Floats, counts: Sequence[int], cosine_min: float) -> None:
        self.open = np.ones(len(counts), dtype=np.bool_)
        self.root = np.arange(len(counts))
        self._near = means @ means.T
        np.fill_diagonal(self._near, _NOWHERE)
        self._sizes = np.asarray(counts, dtype=np.float64)
        self._cosine_min = cosine_min

    def follow(self, start: int) -> None:
        """Follow nearest neighbours from a group until the chain is used up."""
        chain = [start]
        while chain:
            last = chain[-1]
            before = chain[-2] if len(chain) > 1 else None
            best = int(np.argmax(self._near[last]))
            if before is not None and self._near[last, before] >= self._near[last, best]:
                best = before
            if self._near[last, best] < self._cosine_min:
                self._close(last)
                chain.pop()
            elif best == before:
                del chain[-2:]
                self._merge(min(last, best), max(last, best))
            else:
                chain.append(best)

    def _close(self, group: int) -> None:
        self.open[group] = False
        self._near[group, :] = self._near[:, group] = _NOWHERE

    def _merge(self, kept: int, gone: int) -> None:
        """The second goes into the first, whose nearness becomes the mean of both by size."""
        total = self._sizes[kept] + self._sizes[gone]
        share = np.float32(self._sizes[kept] / total)
        row = self._near[kept] * share + self._near[gone] * (1 - share)
        self._close(gone)
        row[~self.open] = _NOWHERE
        row[kept] = _NOWHERE
        self._near[kept, :] = self._near[:, kept] = row
        self._sizes[kept] = total
        self.root[self.root == gone] = kept
