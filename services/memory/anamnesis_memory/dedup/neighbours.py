"""Lessons with their vectors, and which of them are nearest to one. No I/O."""

from collections.abc import Collection, Iterable
from itertools import chain

import numpy as np

from anamnesis_libs.index.port import Rows
from anamnesis_memory.dedup.decide import mean_of
from anamnesis_memory.model.memory import Kind, Memory, Status
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports import IndexRecord


def group_of(memory: Memory) -> tuple[Kind, str, str]:
    """The group within which memories may be merged: kind, category and scope."""
    return memory.kind, memory.category, scope_of(memory)


class Neighbours:
    """Active lessons that have vectors, each once; of two with one id the first counts."""

    def __init__(self, *lists: Iterable[IndexRecord]) -> None:
        records: dict[str, IndexRecord] = {}
        for one in chain(*lists):
            if one.vectors is not None and one.memory.status is Status.ACTIVE:
                records.setdefault(one.memory.memory_id, one)
        self._memories = [one.memory for one in records.values()]
        self._place = {memory_id: place for place, memory_id in enumerate(records)}
        groups: dict[tuple[Kind, str, str], int] = {}
        codes = [groups.setdefault(group_of(one), len(groups)) for one in self._memories]
        self._groups = np.array(codes, np.int32)
        means = [mean_of(one.vectors) for one in records.values() if one.vectors is not None]
        self._means: Rows = np.stack(means) if means else np.zeros((0, 1), np.float32)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all lessons."""
        return frozenset(self._place)

    def near(
        self, memory_id: str, at_least: float, present: Collection[str] | None, limit: int
    ) -> list[tuple[Memory, float]]:
        """The nearest of a lesson's group with their cosines, the nearest first.

        Args:
            memory_id: the lesson; none where it has no vectors.
            at_least: the lowest cosine.
            present: ids of the others that take part; None means all.
            limit: how many at most.
        """
        place = self._place.get(memory_id)
        if place is None:
            return []
        cosines = np.clip(self._means @ self._means[place], -1.0, 1.0)
        alike = (cosines >= at_least) & (self._groups == self._groups[place])
        alike[place] = False
        places = np.flatnonzero(alike)
        order = places[np.argsort(-cosines[places], kind="stable")]
        found = (
            (self._memories[one], float(cosines[one]))
            for one in order.tolist()
            if present is None or self._memories[one].memory_id in present
        )
        return [each for each, _ in zip(found, range(limit), strict=False)]
