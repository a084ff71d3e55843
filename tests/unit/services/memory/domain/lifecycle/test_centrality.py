"""PageRank and percentiles, against small graphs computed by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.domain.lifecycle.centrality import (
    FloatArray,
    IntArray,
    pagerank,
    percentile_ranks,
)
from anamnesis_memory.domain.lifecycle.forgetting import CENTRALITY_TOP

Edges = list[tuple[int, int, float]]


def _columns(edges: Edges) -> tuple[IntArray, IntArray, FloatArray]:
    table = np.array(edges, dtype=np.float64).reshape(len(edges), 3)
    return table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2]


def _pagerank(node_count: int, edges: Edges) -> list[float]:
    scores = pagerank(node_count, *_columns(edges))
    return [float(score) for score in scores]


def _percentiles(node_count: int, edges: Edges) -> list[float]:
    ranks = percentile_ranks(pagerank(node_count, *_columns(edges)))
    return [float(rank) for rank in ranks]


CYCLE: Edges = [(0, 1, 1), (1, 2, 1), (2, 0, 1)]
STAR: Edges = [(leaf, 0, 1) for leaf in range(1, 5)]


def test_a_cycle_of_three_has_one_rank() -> None:
    assert _pagerank(3, CYCLE) == pytest.approx([1 / 3] * 3)
    assert _percentiles(3, CYCLE) == [0, 0, 0]


def test_a_star_leads_to_its_middle() -> None:
    """Leaf: l = 0.15/5 + 0.85 m/5; middle: m = l + 0.85 * 4 l = 4.4 l; 4 l + m = 1."""
    leaf = 1 / 8.4
    assert _pagerank(5, STAR) == pytest.approx([4.4 * leaf, *[leaf] * 4])
    assert _percentiles(5, STAR) == [0.8, 0, 0, 0, 0]


def test_dangling_mass_is_spread_evenly() -> None:
    """0 -> 1: a = 0.075 + 0.425 b, b = a + 0.85 a, a + b = 1, so a = 1/2.85."""
    assert _pagerank(2, [(0, 1, 1)]) == pytest.approx([1 / 2.85, 1.85 / 2.85])


def test_weights_share_a_rank_out() -> None:
    """0 gives 3/4 to 1 and 1/4 to 2, both give all back: r0 = 0.05 + 0.85 (r1 + r2)."""
    first = 0.9 / 1.85
    rest = [0.05 + 0.85 * share * first for share in (0.75, 0.25)]
    edges: Edges = [(0, 1, 3), (0, 2, 1), (1, 0, 1), (2, 0, 0.5)]
    assert _pagerank(3, edges) == pytest.approx([first, *rest])
    assert _percentiles(3, edges) == pytest.approx([2 / 3, 1 / 3, 0])


def test_parallel_edges_add_up() -> None:
    twice: Edges = [(0, 1, 1), (0, 1, 2), (0, 2, 1), (1, 0, 1), (2, 0, 1)]
    once: Edges = [(0, 1, 3), (0, 2, 1), (1, 0, 1), (2, 0, 1)]
    assert _pagerank(3, twice) == pytest.approx(_pagerank(3, once))


def test_an_edge_of_no_weight_leads_nowhere() -> None:
    assert _pagerank(3, [(0, 1, 0), (1, 2, 1)]) == pytest.approx(_pagerank(3, [(1, 2, 1)]))


def test_no_node_and_no_edge_are_graphs_too() -> None:
    assert _pagerank(0, []) == []
    assert _percentiles(0, []) == []
    assert _pagerank(4, []) == pytest.approx([0.25] * 4)
    assert _percentiles(4, []) == [0, 0, 0, 0]


def test_equal_scores_share_a_percentile() -> None:
    assert percentile_ranks(np.array([0.1, 0.4, 0.1, 0.2, 0.4])).tolist() == [0, 0.6, 0, 0.4, 0.6]


def test_noise_of_floating_point_makes_no_rank() -> None:
    assert percentile_ranks(np.array([0.25, 0.25 + 1e-13, 0.5])).tolist() == [0, 0, 2 / 3]


@pytest.mark.parametrize(
    "edges",
    [[(0, 3, 1.0)], [(-1, 0, 1.0)], [(0, 1, -1.0)], [(0, 1, float("inf"))], [(0, 1, float("nan"))]],
)
def test_an_edge_that_is_none_is_refused(edges: Edges) -> None:
    with pytest.raises(ValueError, match=r"edge|weight"):
        _pagerank(3, edges)


def test_an_isolated_node_of_a_big_graph_is_not_protected() -> None:
    """What others lead to is in the top 5 %; the last node, which nothing touches, is not."""
    edges: Edges = [(node, node % 50, 1.0) for node in range(50, 2000)]
    found = _percentiles(2001, edges)
    assert found[2000] == 0
    assert all(found[hub] >= CENTRALITY_TOP for hub in range(50))


@pytest.mark.parametrize("node_count", [1, 2, 3, 5, 10])
def test_in_a_small_graph_not_everything_is_protected(node_count: int) -> None:
    chain: Edges = [(node, node + 1, 1.0) for node in range(node_count - 1)]
    assert all(each < CENTRALITY_TOP for each in _percentiles(node_count, chain))


def _solved(node_count: int, edges: Edges) -> FloatArray:
    """PageRank as the solution of (I - 0.85 M) x = 0.15/n, without any iteration."""
    flow = np.zeros((node_count, node_count))
    for source, target, weight in edges:
        flow[target, source] += weight
    given_out = flow.sum(axis=0)
    flow[:, given_out == 0] = 1 / node_count
    flow[:, given_out > 0] /= given_out[given_out > 0]
    rest = np.full(node_count, 0.15 / node_count)
    return np.linalg.solve(np.eye(node_count) - 0.85 * flow, rest)


@given(st.data())
def test_ranks_solve_their_equations_and_few_are_at_the_top(data: st.DataObject) -> None:
    node_count = data.draw(st.integers(1, 60))
    node = st.integers(0, node_count - 1)
    edges = data.draw(st.lists(st.tuples(node, node, st.floats(0.01, 10)), max_size=120))
    scores = pagerank(node_count, *_columns(edges))
    assert scores.sum() == pytest.approx(1)
    assert scores == pytest.approx(_solved(node_count, edges), rel=1e-7)
    ranks = percentile_ranks(scores)
    assert ((ranks >= 0) & (ranks < 1)).all()
    assert (ranks >= CENTRALITY_TOP).sum() <= 0.05 * node_count
    assert (np.diff(ranks[np.argsort(scores)]) >= 0).all()


@pytest.mark.slow
def test_half_a_million_edges_are_ranked() -> None:
    node_count, edge_count = 50_000, 500_000
    generator = np.random.default_rng(3)
    sources = generator.integers(node_count // 10, node_count, edge_count)
    targets = generator.zipf(1.6, edge_count) % node_count
    weights = generator.random(edge_count) + 0.01
    found = percentile_ranks(pagerank(node_count, sources, targets, weights))
    assert found.shape == (node_count,)
    assert found[1] >= CENTRALITY_TOP
    assert (found >= CENTRALITY_TOP).sum() <= 0.05 * node_count
