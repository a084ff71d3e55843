"""Documents placed one by one stand as if all had been sorted."""

import numpy as np
import pytest

from anamnesis_libs.index.ordering import CanonicalOrder
from anamnesis_libs.index.records import DOCUMENT


def table_of(count: int) -> np.ndarray:
    random = np.random.default_rng(1)
    table = np.zeros(count, DOCUMENT)
    table["alive"] = True
    for field, values in (("session_key", 5), ("position", 9), ("create_time_us", 3)):
        table[field] = random.integers(-values, values, count)
    table["id_key"] = random.permutation(count)
    return table


@pytest.mark.parametrize("late", [1, 3, 300])
def test_late_documents_find_their_place(late: int) -> None:
    table = table_of(1000 + late)
    order = CanonicalOrder()
    for slot in range(1000):
        order.add(slot)
    order.settled(table)
    for slot in range(1000, 1000 + late):
        order.add(slot)
    table["alive"][[3, 1000]] = False
    keys = ["session_key", "position", "create_time_us", "id_key"]
    sorted_all = np.argsort(table[keys], order=keys, kind="stable")
    wanted = [slot for slot in sorted_all.tolist() if slot not in (3, 1000)]
    assert order.settled(table).tolist() == wanted
