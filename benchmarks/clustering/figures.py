"""Purity and adjusted Rand index of a grouping, against labels or another grouping."""

from collections import Counter
from collections.abc import Hashable, Sequence
from math import comb

Groups = Sequence[Hashable]


def purity(labels: Groups, groups: Groups) -> float:
    """The share of members that have the label most frequent in their group."""
    pairs = Counter(zip(groups, labels, strict=True))
    best: dict[Hashable, int] = {}
    for (group, _), count in pairs.items():
        best[group] = max(best.get(group, 0), count)
    return sum(best.values()) / len(labels)


def rand_index(labels: Groups, groups: Groups) -> float:
    """The adjusted Rand index: 1 for the same groups, about 0 for groups drawn at random."""
    both = _pairs(Counter(zip(labels, groups, strict=True)))
    ours, theirs = _pairs(Counter(labels)), _pairs(Counter(groups))
    expected = ours * theirs / comb(len(labels), 2)
    most = (ours + theirs) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def _pairs(counts: Counter[Hashable] | Counter[tuple[Hashable, Hashable]]) -> int:
    return sum(comb(count, 2) for count in counts.values())
