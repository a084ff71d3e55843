"""The best few, against sorting everything."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.index.ranking import choose_best

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=30)


@given(rows=ROWS, limit=st.integers(-1, 35))
def test_the_best_are_the_first_of_all_sorted(rows: list[tuple[int, int]], limit: int) -> None:
    scores = np.array([score for score, _ in rows], float)
    times_us = np.array([time for _, time in rows], np.int64)
    ids = [f"{(7 * place) % 31:02d}" for place in range(len(rows))]
    ranked = sorted(range(len(rows)), key=lambda i: (-scores[i], times_us[i], ids[i]))
    chosen = choose_best(scores, times_us.__getitem__, ids.__getitem__, limit)
    assert chosen == ranked[: max(limit, 0)]
