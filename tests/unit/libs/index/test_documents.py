"""What an index says of documents that it holds otherwise."""

from dataclasses import replace

import numpy as np
import pytest

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import MISSING, Document

DIMENSION = 4
HELD = Document(
    memory_id="m-1",
    text="Green apples fall from the tree in autumn, do they not?",
    kind="episodic",
    role="user",
    name="Ada",
    session_id="s-1",
    position=0,
    event_time_us=1_772_000_000_000_000,
    create_time_us=1_772_000_000_000_001,
    tags=("Fruit",),
    entities=("Ada",),
    vectors=np.eye(1, DIMENSION, dtype=np.float32),
)
OTHERS = [
    ({"kind": "learning"}, "kind"),
    ({"agent_id": "a"}, "agent_id"),
    ({"visibility": "private_to_user"}, "visibility"),
    ({"archived": True}, "archived"),
    ({"importance": 0.75}, "importance"),
    ({"valid_from_us": 5}, "valid_from_us"),
    ({"valid_to_us": 5}, "valid_to_us"),
    ({"position": 1}, "position"),
    ({"session_id": "s-2"}, "session_id"),
    ({"create_time_us": 5}, "create_time_us"),
    ({"tags": ("Fruit", "tree")}, "tags"),
    ({"tags": ("Fruit", "@p:Grace")}, "text"),
    ({"entities": ("Grace",)}, "entities"),
    ({"text": "Green apples fall from the tree in winter, do they not?"}, "text"),
    ({"text": "Green apples."}, "text"),
    ({"name": "Grace"}, "text"),
    ({"vectors": None}, "vectors"),
    ({"vectors": -np.eye(1, DIMENSION, dtype=np.float32)}, "vectors"),
]


def index_of(*documents: Document) -> MemoryIndex:
    """An index with other documents around these."""
    index = MemoryIndex(DIMENSION)
    around = [replace(HELD, memory_id=f"x-{number}", position=number) for number in range(9)]
    index.put([*around[:5], *documents, *around[5:]])
    return index


def test_what_is_held_as_it_is_says_nothing() -> None:
    index = index_of(HELD, replace(HELD, memory_id="m-2", event_time_us=None, position=None))
    assert index.differences([HELD]) == {}
    assert "m-2" in index.ids()
    index.remove(["x-1"])
    assert index.differences([HELD, replace(HELD, memory_id="x-1")]) == {"x-1": [MISSING]}


@pytest.mark.parametrize(("change", "field"), OTHERS)
def test_each_difference_is_named(change: dict[str, object], field: str) -> None:
    other = replace(HELD, **change)  # type: ignore[arg-type]
    assert field in index_of(HELD).differences([other])["m-1"]


def test_a_document_without_vectors_agrees_with_none_held() -> None:
    bare = replace(HELD, vectors=None)
    assert index_of(bare).differences([bare]) == {}
    assert index_of(bare).differences([HELD]) == {"m-1": ["vectors"]}
