"""Tests of centroids.py: means within 1e-5 of the exact ones after many moves."""

import numpy as np

from anamnesis_memory.storage.centroids import FEW, joined, left


def test_ten_thousand_random_moves_keep_the_mean() -> None:
    chance = np.random.default_rng(7)
    vectors = chance.normal(size=(4000, 64)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    inside, outside = list(range(2000)), list(range(2000, 4000))
    centroid = vectors[:2000].mean(axis=0)
    read, worst = 0, 0.0
    for step in range(10_000):
        grows = chance.random() < (0.55 if step < 3000 else 0.35) or not inside
        source, target = (outside, inside) if grows and outside else (inside, outside)
        one = source.pop(int(chance.integers(len(source))))
        target.append(one)
        count = len(inside)
        if target is inside:
            centroid = joined(centroid, count - 1, vectors[one])
            continue
        moved = left(centroid, count + 1, [vectors[one]]) if count else None
        read += moved is None
        exact = vectors[inside].mean(axis=0, dtype=np.float64) if count else np.zeros(64)
        centroid = exact.astype(np.float32) if moved is None else moved
        worst = max(worst, float(np.abs(centroid - exact).max()))
    assert worst < 1e-5
    assert len(inside) < 200
    assert read < 1000


def test_few_members_and_powers_of_two_are_read() -> None:
    vector = np.ones(3, np.float32)
    assert left(vector, FEW + 1, [vector]) is None
    assert left(vector, 129, [vector]) is None
    assert left(vector, 140, [vector] * 20) is None
    assert left(vector, 140, [vector]) is not None
