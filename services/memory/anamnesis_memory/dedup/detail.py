"""Detail of the edge between two lessons that are alike: JSON, kept in its `detail`."""

import json
from collections.abc import Sequence

from anamnesis_memory.dedup.difference import Difference
from anamnesis_memory.dedup.pair_record import PairRecord
from anamnesis_memory.model.edges import Edge, EdgeType, symmetric

UNDONE = "[]"
"""The detail of a pair that somebody has split: they are two, whatever their texts say."""

STATED = "{}"
"""The detail of an edge that a caller drew: no check takes it away."""


def kept_apart(
    one: str, other: str, cosine: float, differences: Sequence[Difference], now_us: int
) -> Edge:
    """The edge between two lessons that differ in what matters.

    Args:
        one: the memory whose text is `a` of each difference.
        other: the memory whose text is `b`.
        cosine: how near they are.
        differences: what the guard says.
        now_us: when it was found.
    """
    turned = symmetric(one, other) != (one, other)
    told = [each.turned() for each in differences] if turned else differences
    detail = json.dumps([[each.aspect.value, each.a, each.b] for each in told], ensure_ascii=False)
    return _edge(one, other, EdgeType.SIMILAR_TO, cosine, now_us, detail)


def undone(one: str, other: str, cosine: float, now_us: int) -> Edge:
    """The edge between two lessons whose merge was undone."""
    return _edge(one, other, EdgeType.SIMILAR_TO, cosine, now_us, UNDONE)


def may_duplicate(
    one: str, other: str, cosine: float, now_us: int, record: PairRecord | None = None
) -> Edge:
    """The edge between two lessons that may be one; `record` says why they are not yet."""
    detail = record.detail if record else ""
    return _edge(one, other, EdgeType.MAY_DUPLICATE, cosine, now_us, detail)


def decided_apart(one: str, other: str, cosine: float, now_us: int, record: PairRecord) -> Edge:
    """The edge between two lessons of which consolidation said that they are two."""
    return _edge(one, other, EdgeType.SIMILAR_TO, cosine, now_us, record.detail)


def _edge(one: str, other: str, type_: EdgeType, cosine: float, now_us: int, detail: str) -> Edge:
    source, target = symmetric(one, other)
    weight = min(max(cosine, WEIGHT_MIN), 1.0)
    return Edge(source, target, type_, weight, now_us, now_us, detail)


WEIGHT_MIN = 1e-6
"""An edge has some weight, even where a setting lets what is not near at all be a pair."""
