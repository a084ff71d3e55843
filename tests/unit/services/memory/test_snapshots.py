"""Snapshots on disk: which one counts, what is set aside, what is removed."""

from pathlib import Path

import pytest

from libs.index.memory_index import MemoryIndex
from libs.index.port import Document
from services.memory.snapshots import Snapshots

INCARNATION = "0123456789abcdef0123"
DIMENSION = 4


@pytest.fixture
def snapshots(tmp_path: Path) -> Snapshots:
    """Snapshots of an empty directory."""
    return Snapshots(tmp_path / "index", MemoryIndex)


def save(snapshots: Snapshots, watermark: int, *, incarnation: str = INCARNATION) -> None:
    """Save an index that holds as many documents as its watermark says."""
    index = MemoryIndex(DIMENSION)
    index.put([Document(f"m-{number}", "text", "learning") for number in range(watermark)])
    path = snapshots.path_for(incarnation, watermark)
    index.save(path)
    snapshots.keep(path)


def files(snapshots: Snapshots) -> list[str]:
    """Names of all files."""
    return sorted(path.name for path in snapshots._directory.iterdir())


def test_the_last_one_counts_and_older_ones_are_removed(snapshots: Snapshots) -> None:
    for watermark in (9, 16, 255):
        save(snapshots, watermark)
    assert files(snapshots) == [f"{INCARNATION}-ff.idx"]
    index, watermark = snapshots.restore(INCARNATION, DIMENSION, newest=255)
    assert (index.size, watermark) == (255, 255)


def test_namespaces_have_snapshots_of_their_own(snapshots: Snapshots) -> None:
    other = INCARNATION[::-1]
    save(snapshots, 1)
    save(snapshots, 2, incarnation=other)
    assert snapshots.restore(INCARNATION, DIMENSION, newest=9)[1] == 1
    assert snapshots.restore(other, DIMENSION, newest=9)[1] == 2
    assert snapshots.restore("f" * 20, DIMENSION, newest=9)[1] == 0


def test_the_newest_of_several_is_taken_and_a_damaged_one_passed_over(
    snapshots: Snapshots,
) -> None:
    save(snapshots, 3)
    older = snapshots._directory / f"{INCARNATION}-3.idx"
    body = older.read_bytes()
    save(snapshots, 16)
    older.write_bytes(body)
    assert snapshots.restore(INCARNATION, DIMENSION, newest=20)[1] == 16
    (snapshots._directory / f"{INCARNATION}-10.idx").write_bytes(body[:-1])
    index, watermark = snapshots.restore(INCARNATION, DIMENSION, newest=20)
    assert (index.size, watermark) == (3, 3)
    assert any(name.startswith(f"{INCARNATION}-10.damaged-") for name in files(snapshots))


def test_one_of_another_history_is_set_aside(snapshots: Snapshots) -> None:
    save(snapshots, 5)
    assert snapshots.restore(INCARNATION, DIMENSION, newest=5)[1] == 5
    index, watermark = snapshots.restore(INCARNATION, DIMENSION, newest=4)
    assert (index.size, watermark) == (0, 0)
    (aside,) = files(snapshots)
    assert aside.startswith(f"{INCARNATION}-5.damaged-")


def test_what_an_interrupted_save_left_is_removed(snapshots: Snapshots) -> None:
    save(snapshots, 5)
    snapshots.path_for(INCARNATION, 6).write_bytes(b"half")
    snapshots.restore(INCARNATION, DIMENSION, newest=6)
    assert files(snapshots) == [f"{INCARNATION}-5.idx"]
