"""Vectors change their form when there are many, and nothing else changes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Document, Hit, Query, RowNumbers, Rows
from anamnesis_libs.index.vector_forms import CODE_MAX, QuantisedRows, quantised
from anamnesis_libs.index.vectors import NO_ROW, VectorRows

DIMENSION = 96
BOUND = 64
COSINE_TOLERANCE = 5e-3
FEATURE_TOLERANCE = 0.05


def rows_of(count: int, seed: int = 0) -> Rows:
    rows: Rows = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
    lengths: Rows = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / lengths


def numbers(*rows: int) -> RowNumbers:
    return np.array(rows, np.int32)


def talk(count: int, *, first: int = 0) -> list[Document]:
    """Turns of a talk whose neighbours are alike."""
    drift = rows_of(count + first, seed=7)
    vectors = (
        drift + 2 * np.repeat(rows_of((count + first) // 8 + 1, seed=8), 8, axis=0)[: len(drift)]
    )
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return [
        Document(
            f"m-{place:04d}",
            f"turn {place} about thing {place % 11}",
            "episodic",
            role=("user", "assistant")[place % 2],
            session_id="s",
            position=place,
            create_time_us=place,
            vectors=vectors[place : place + 1],
        )
        for place in range(first, first + count)
    ]


def index_of(documents: list[Document], bound: int) -> MemoryIndex:
    index = MemoryIndex(DIMENSION, exact_vectors_max=bound)
    for start in range(0, len(documents), 50):
        index.put(documents[start : start + 50])
    return index


def hits(index: MemoryIndex, seed: int) -> dict[str, Hit]:
    query = Query("thing 3", rows_of(1, seed)[0], limit=10_000)
    return {hit.memory_id: hit for hit in index.find(query).hits}


def check_near(found: dict[str, Hit], exact: dict[str, Hit]) -> None:
    """The same memories; scores as near as 8 bits tell them."""
    assert found.keys() == exact.keys()
    for memory_id, hit in found.items():
        wanted = exact[memory_id]
        assert hit.cosine == pytest.approx(wanted.cosine, abs=COSINE_TOLERANCE)
        assert hit.dense == pytest.approx(wanted.dense, abs=FEATURE_TOLERANCE)
        assert hit.dense_window == pytest.approx(wanted.dense_window, abs=FEATURE_TOLERANCE)
        assert (hit.text, hit.text_window) == (wanted.text, wanted.text_window)


def test_rows_are_exact_up_to_the_bound_and_keep_their_numbers_beyond() -> None:
    rows, held = rows_of(2 * BOUND), VectorRows(DIMENSION, BOUND)
    assert held.add(rows[:BOUND]) == 0
    was_quantised = held.quantised
    assert np.array_equal(held.at(numbers(0, 9)), rows[[0, 9]])
    exact_bytes = held.nbytes
    assert held.add(rows[BOUND:]) == BOUND
    assert (was_quantised, held.quantised) == (False, True)
    assert held.nbytes < exact_bytes
    assert held.count == 2 * BOUND
    question = rows_of(1, seed=5)[0]
    every = np.arange(2 * BOUND, dtype=np.int32)
    assert held.cosines(question, every) == pytest.approx(rows @ question, abs=COSINE_TOLERANCE)


@pytest.mark.parametrize("bound", [0, 10_000])
def test_a_row_scores_the_same_wherever_it_lies_and_however_it_is_asked_for(bound: int) -> None:
    rows, held = rows_of(1500), VectorRows(DIMENSION, bound)
    for place in (0, 511, 512, 1499):
        rows[place] = rows[3]
    held.add(rows[:700])
    held.add(rows[700:])
    question = rows_of(1, seed=5)[0]
    whole = held.cosines(question, np.arange(1500, dtype=np.int32))
    few = held.cosines(question, numbers(3, 1499, NO_ROW))
    assert len({*whole[[0, 3, 511, 512, 1499]].tolist(), *few[:2].tolist()}) == 1
    assert few[2] == 0


def test_a_row_has_its_own_length_and_reaches_to_the_last_code() -> None:
    rows = np.concatenate([rows_of(3), np.zeros((1, DIMENSION), np.float32)])
    codes, scales = quantised(rows)
    assert np.abs(codes).max(axis=1).tolist() == [CODE_MAX] * 3 + [0]
    held = QuantisedRows(DIMENSION)
    held.add(rows)
    lengths = np.linalg.norm(held.at(numbers(0, 1, 2, 3)), axis=1)
    assert lengths == pytest.approx([1, 1, 1, 0], abs=1e-5)
    assert scales[3] == 0


def test_how_a_row_is_quantised_does_not_depend_on_its_company() -> None:
    rows = rows_of(40)
    codes, scales = quantised(rows)
    for place in range(len(rows)):
        alone = quantised(rows[place : place + 1])
        assert np.array_equal(alone[0][0], codes[place])
        assert alone[1][0] == scales[place]


def test_products_of_neighbours_are_made_anew_in_the_new_form() -> None:
    rows, held = rows_of(BOUND + 1), VectorRows(DIMENSION, BOUND)
    held.add(rows[:BOUND])
    before = held.neighbour_products(numbers(0, 1), numbers(1, NO_ROW), 1)
    held.add(rows[BOUND:])
    fresh = VectorRows(DIMENSION, 0)
    fresh.add(rows)
    after = held.neighbour_products(numbers(0, 1), numbers(1, NO_ROW), 1)
    assert np.array_equal(after, fresh.neighbour_products(numbers(0, 1), numbers(1, NO_ROW), 1))
    assert after[0] != before[0]
    assert after == pytest.approx(before, abs=COSINE_TOLERANCE)


def test_what_is_held_of_vectors_can_be_told_from_others() -> None:
    rows = rows_of(4)
    for bound in (0, 100):
        held = VectorRows(DIMENSION, bound)
        held.add(rows)
        assert held.holds(numbers(1, 2), rows[1:3])
        assert not held.holds(numbers(1, 2), rows[2:4])
        assert not held.holds(numbers(1, 2), rows[1:3] * np.float32(1.01))


def test_an_index_that_grew_finds_what_an_exact_one_finds() -> None:
    documents = talk(400)
    exact = index_of(documents, 10_000)
    grown = index_of(documents, 120)
    assert grown.memory_bytes < exact.memory_bytes
    for seed in range(5):
        check_near(hits(grown, seed), hits(exact, seed))


def test_an_index_answers_alike_whatever_order_its_memories_came_in() -> None:
    documents = talk(200)
    forth, back = index_of(documents, 50), index_of(documents[::-1], 120)
    assert hits(forth, 1) == hits(back, 1)


def _removed(index: MemoryIndex) -> MemoryIndex:
    index.remove([f"m-{place:04d}" for place in range(0, 400, 3)])
    return index


def _compacted(index: MemoryIndex) -> MemoryIndex:
    """So much is taken out, and put back in, that dead slots are cleared away."""
    again = talk(600, first=1000)
    for _ in range(4):
        index.put(again)
    index.remove([document.memory_id for document in again])
    return _removed(index)


@pytest.mark.parametrize("change", [_removed, pytest.param(_compacted, marks=pytest.mark.slow)])
def test_what_is_taken_out_stays_out(change: Callable[[MemoryIndex], MemoryIndex]) -> None:
    documents = talk(400)
    exact, grown = (change(index_of(documents, bound)) for bound in (10_000, 120))
    assert len(hits(grown, 1)) == len([d for d in documents if int(d.memory_id[2:]) % 3])
    check_near(hits(grown, 1), hits(exact, 1))


def test_what_the_store_says_is_compared_with_what_it_becomes() -> None:
    documents = talk(200)
    grown = index_of(documents, 50)
    assert not grown.differences(documents)
    wrong = replace(documents[5], vectors=rows_of(1, seed=99))
    assert grown.differences([wrong]) == {wrong.memory_id: ["vectors"]}


@pytest.mark.parametrize(
    ("bound", "bound_then", "same"),
    [(50, 50, True), (50, 10_000, True), (10_000, 10_000, True), (10_000, 50, False)],
)
def test_both_forms_are_saved_and_loaded(
    tmp_path: Path, bound: int, bound_then: int, same: bool
) -> None:
    """What is quantised stays so; what was exact follows the bound of the one who loads."""
    saved = index_of(talk(200), bound)
    saved.remove(["m-0003"])
    saved.save(tmp_path / "index")
    loaded = MemoryIndex(DIMENSION, exact_vectors_max=bound_then)
    loaded.load(tmp_path / "index")
    assert (loaded.size, loaded.vector_count) == (199, 199)
    assert (hits(loaded, 1) == hits(saved, 1)) is same
    check_near(hits(loaded, 1), hits(saved, 1))
    more = talk(20, first=300)
    loaded.put(more)
    assert not loaded.differences(more)


def test_a_quantised_snapshot_is_smaller(tmp_path: Path) -> None:
    sizes = []
    for bound in (10_000, 0):
        index_of(talk(300), bound).save(tmp_path / "index")
        sizes.append((tmp_path / "index").stat().st_size)
    assert sizes[0] - sizes[1] == pytest.approx(300 * (3 * DIMENSION - 4), abs=64)
