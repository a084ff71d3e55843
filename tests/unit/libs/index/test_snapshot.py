"""Files: whole ones load as they were, all others are refused with a reason."""

from pathlib import Path

import pytest

from anamnesis_libs.index import snapshot
from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Query
from tests.unit.libs.index.makers import document, embedded, filled, long_text, unit
from tests.unit.libs.index.reference import DIMENSION


@pytest.fixture
def index() -> MemoryIndex:
    text = long_text(["garden", "Rome"])
    return filled(
        embedded("a", text, 1, session_id="s", position=0, name="Zoë", tags=("Travel",)),
        embedded("b", "我喜歡茶", 2, session_id="s", position=1, entities=("茶",)),
        document("c", "Is it late? \udc80", event_time_us=5),
    )


@pytest.fixture
def path(index: MemoryIndex, tmp_path: Path) -> Path:
    index.save(tmp_path / "index")
    return tmp_path / "index"


def test_what_is_loaded_goes_on_as_what_was_saved(index: MemoryIndex, path: Path) -> None:
    loaded = filled(document("other", "is forgotten"))
    loaded.load(path)
    for each in (index, loaded):
        each.put_vectors({"c": unit(8)[None]})
        each.put([embedded("d", "garden again", 4)])
        each.remove(["b"])
    query = Query("garden 茶", unit(1))
    assert loaded.find(query) == index.find(query)
    assert loaded.size == 3


def test_an_empty_index_is_a_file_too(tmp_path: Path) -> None:
    MemoryIndex(DIMENSION).save(tmp_path / "index")
    loaded = MemoryIndex(DIMENSION)
    loaded.load(tmp_path / "index")
    assert loaded.size == 0


def test_saving_replaces_the_file_and_leaves_no_other(index: MemoryIndex, path: Path) -> None:
    index.remove(["a"])
    index.save(path)
    loaded = MemoryIndex(DIMENSION)
    loaded.load(path)
    assert loaded.size == 2
    assert [each.name for each in path.parent.iterdir()] == ["index"]


def test_neither_texts_nor_what_was_removed_are_in_the_file(tmp_path: Path) -> None:
    index = filled(document("a", "The canary sings loudly"), document("gone", "wildebeest"))
    index.remove(["gone"])
    index.save(tmp_path / "index")
    content = (tmp_path / "index").read_bytes()
    assert b"canari" in content
    assert b"canary sings" not in content
    assert b"wildebeest" not in content
    assert b"gone" not in content


@pytest.mark.parametrize("kept", [0, 7, 30, 60, -1])
def test_a_truncated_file_is_refused(path: Path, kept: int) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:kept])
    with pytest.raises(ValueError, match=r"snapshot"):
        MemoryIndex(DIMENSION).load(path)


def test_a_flipped_byte_anywhere_is_refused(path: Path) -> None:
    content = path.read_bytes()
    for place in range(0, len(content), 97):
        damaged = bytearray(content)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="snapshot"):
            MemoryIndex(DIMENSION).load(path)


def test_a_longer_file_is_refused(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(ValueError, match="checksum"):
        MemoryIndex(DIMENSION).load(path)


def test_another_version_is_refused(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(snapshot.MAGIC)] = snapshot.VERSION + 1
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"this is version {snapshot.VERSION}"):
        MemoryIndex(DIMENSION).load(path)


def test_another_dimension_is_refused_and_nothing_changes(path: Path) -> None:
    index = MemoryIndex(DIMENSION + 1)
    index.put([document("kept", "text")])
    with pytest.raises(ValueError, match="dimension 8"):
        index.load(path)
    assert index.size == 1
