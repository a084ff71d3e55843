"""scikit-learn's clusterings of the same vectors, with parameters chosen on the `dev` half.

Each method is tried with a grid of its parameters; what has the best adjusted Rand index on `dev`
is used for the other half. What a method leaves out as noise counts as a cluster of one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Cluster = Callable[[Vectors], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Method:
    """A method with one choice of its parameters."""

    name: str
    parameters: str
    run: Cluster

    def groups(self, vectors: Vectors) -> list[str]:
        """A name for the group of each row."""
        found = self.run(vectors)
        return [f"alone {row}" if group < 0 else f"{group}" for row, group in enumerate(found)]


def methods() -> Iterator[Method]:
    """Every method with every choice of parameters, those of one method together."""
    yield from _agglomerative()
    yield from _dbscan()
    yield from _hdbscan()


def _agglomerative() -> Iterator[Method]:
    from sklearn.cluster import AgglomerativeClustering

    for linkage in ("average", "complete"):
        for step in range(5, 50):
            model = AgglomerativeClustering(
                None, metric="cosine", linkage=linkage, distance_threshold=1 - step / 100
            )
            name = f"agglomerative, {linkage}"
            yield Method(name, f"cosine from {step / 100:.2f}", model.fit_predict)
    for step in range(24, 60):
        model = AgglomerativeClustering(None, linkage="ward", distance_threshold=step / 20)
        yield Method("agglomerative, Ward", f"distance to {step / 20:.2f}", model.fit_predict)


def _dbscan() -> Iterator[Method]:
    from sklearn.cluster import DBSCAN

    for step in range(10, 80, 2):
        for least in (2, 3, 4, 5):
            model = DBSCAN(eps=step / 100, min_samples=least, metric="cosine")
            yield Method("DBSCAN", f"eps {step / 100:.2f}, {least} samples", model.fit_predict)


def _hdbscan() -> Iterator[Method]:
    from sklearn.cluster import HDBSCAN

    for size in range(2, 12):
        for least in (1, 2, 3, 5):
            for choice in ("eom", "leaf"):
                model = HDBSCAN(
                    min_cluster_size=size,
                    min_samples=least,
                    cluster_selection_method=choice,
                    copy=True,
                )
                told = f"size {size}, {least} samples, {choice}"
                yield Method("HDBSCAN", told, model.fit_predict)
