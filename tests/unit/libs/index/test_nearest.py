"""The nearest of a group: what a plain comparison of every document says."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Alike, Document
from tests.unit.libs.index.makers import embedded, filled, unit, unit_rows
from tests.unit.libs.index.reference import DIMENSION

LESSON = {"kind": "learning", "category": "pattern"}
LONG = "A long lesson about one thing. " * 60
ASKED = Alike(unit(5), "learning", "pattern", "shared", cosine_min=-1.0)
FIELDS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["learning", "semantic"]),
        "category": st.sampled_from(["pattern", "error"]),
        "visibility": st.sampled_from(["shared", "private_to_agent", "private_to_user"]),
        "agent_id": st.sampled_from(["", "a", "b"]),
        "user_id": st.sampled_from(["", "u"]),
        "archived": st.booleans(),
    }
)


def naive(documents: list[Document], asked: Alike) -> list[tuple[str, float]]:
    """Every document compared by itself."""
    owner = {"private_to_agent": "agent_id", "private_to_user": "user_id"}.get(asked.visibility)
    named = ["kind", "category", "visibility", *([owner] if owner else [])]
    found = []
    for one in documents:
        if one.archived or any(getattr(one, name) != getattr(asked, name) for name in named):
            continue
        assert one.vectors is not None
        mean = one.vectors.mean(axis=0)
        found.append((one.memory_id, float(mean @ asked.vector / np.linalg.norm(mean))))
    return sorted(found, key=lambda each: -each[1])[: asked.limit]


@given(st.lists(FIELDS, max_size=8), FIELDS, st.integers(1, 5))
def test_it_is_what_a_plain_comparison_says(
    fields: list[dict[str, object]], asked: dict[str, object], limit: int
) -> None:
    documents = [
        embedded(f"m{at}", LONG if at % 3 == 0 else "short", seed=at, **one)
        for at, one in enumerate(fields)
    ]
    wanted = {key: value for key, value in asked.items() if key != "archived"}
    query = Alike(unit(99), cosine_min=-1.0, limit=limit, **wanted)  # type: ignore[arg-type]
    found = filled(*documents).nearest(query)
    expected = naive(documents, query)
    assert [one.memory_id for one in found] == [memory_id for memory_id, _ in expected]
    assert [one.cosine for one in found] == pytest.approx(
        [cosine for _, cosine in expected], abs=1e-5
    )


def test_what_is_gone_or_has_no_vectors_is_not_near() -> None:
    index = filled(embedded("a", "one", seed=1, **LESSON), embedded("b", "two", seed=2, **LESSON))
    index.put([replace(embedded("c", "three", seed=3, **LESSON), vectors=None)])
    index.remove(["a"])
    assert [one.memory_id for one in index.nearest(ASKED)] == ["b"]
    assert list(MemoryIndex(DIMENSION).nearest(ASKED)) == []


def test_it_is_near_enough_or_not_told() -> None:
    index = filled(embedded("a", "one", seed=1, **LESSON))
    (near,) = index.nearest(ASKED)
    above = replace(ASKED, cosine_min=near.cosine + 1e-4)
    assert list(index.nearest(above)) == []


def test_a_vector_of_another_model_is_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        filled().nearest(replace(ASKED, vector=unit_rows(1, 1)[0][:-1]))


def test_quantised_vectors_are_nearly_as_near() -> None:
    documents = [embedded(f"m{at}", "text", seed=at, **LESSON) for at in range(40)]
    exact, coded = filled(*documents), MemoryIndex(DIMENSION, exact_vectors_max=8)
    coded.put(documents)
    asked = replace(ASKED, limit=40)
    near = {one.memory_id: one.cosine for one in exact.nearest(asked)}
    for one in coded.nearest(asked):
        assert one.cosine == pytest.approx(near[one.memory_id], abs=0.02)
