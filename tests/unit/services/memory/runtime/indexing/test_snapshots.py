"""Snapshots on disk: which one counts, what is set aside, what is removed."""

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Document
from anamnesis_libs.index.snapshot import VERSION
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.runtime.indexing.snapshots import Snapshots
from anamnesis_memory.runtime.loops import purge_loop
from tests.support.clock import SetClock

DIMENSION = 4
SPACE = Namespace("team-a", "0123456789abcdef0123", 1, "model", DIMENSION)
OTHER = replace(SPACE, incarnation=SPACE.incarnation[::-1])
NOBODY = replace(SPACE, incarnation="f" * 20)


@pytest.fixture
def clock() -> SetClock:
    """The clock of the snapshots."""
    return SetClock()


@pytest.fixture
def snapshots(tmp_path: Path, clock: SetClock) -> Snapshots:
    """Snapshots of an empty directory."""
    return Snapshots(tmp_path / "index", MemoryIndex, clock)


def save(snapshots: Snapshots, watermark: int, *, space: Namespace = SPACE) -> None:
    """Save an index that holds as many documents as its watermark says."""
    index = MemoryIndex(DIMENSION)
    index.put([Document(f"m-{number}", "text", "learning") for number in range(watermark)])
    path = snapshots.path_for(space, watermark)
    index.save(path)
    snapshots.keep(path)


def name_of(ending: str) -> str:
    """The name of a file of the first namespace: incarnation, model, and the ending."""
    model = hashlib.sha256(SPACE.embedding_model.encode()).hexdigest()[:8]
    return f"{SPACE.incarnation}.{model}-{ending}"


def files(snapshots: Snapshots) -> list[str]:
    """Names of all files."""
    return sorted(path.name for path in snapshots._directory.iterdir())


def test_the_last_one_counts_and_older_ones_are_removed(snapshots: Snapshots) -> None:
    for watermark in (9, 16, 255):
        save(snapshots, watermark)
    assert files(snapshots) == [name_of("ff.idx")]
    index, watermark = snapshots.restore(SPACE, newest=255)
    assert (index.size, watermark) == (255, 255)


def test_namespaces_have_snapshots_of_their_own(snapshots: Snapshots) -> None:
    save(snapshots, 1)
    save(snapshots, 2, space=OTHER)
    assert snapshots.restore(SPACE, newest=9)[1] == 1
    assert snapshots.restore(OTHER, newest=9)[1] == 2
    assert snapshots.restore(NOBODY, newest=9)[1] == 0


def test_the_newest_of_several_is_taken_and_a_damaged_one_passed_over(
    snapshots: Snapshots,
) -> None:
    save(snapshots, 3)
    older = snapshots._directory / name_of("3.idx")
    body = older.read_bytes()
    save(snapshots, 16)
    older.write_bytes(body)
    assert snapshots.restore(SPACE, newest=20)[1] == 16
    (snapshots._directory / name_of("10.idx")).write_bytes(body[:-1])
    index, watermark = snapshots.restore(SPACE, newest=20)
    assert (index.size, watermark) == (3, 3)
    assert any(name.startswith(name_of("10.damaged-")) for name in files(snapshots))


def test_one_of_another_version_goes_and_is_no_damage(
    snapshots: Snapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr("anamnesis_libs.index.snapshot.VERSION", VERSION - 1)
        save(snapshots, 3)
    with capture_logs() as told:
        assert snapshots.restore(SPACE, newest=9)[1] == 0
    assert files(snapshots) == []
    assert [(one["event"], one["log_level"]) for one in told] == [
        ("snapshot.of_another_version", "info")
    ]


def test_one_of_another_history_is_set_aside(snapshots: Snapshots) -> None:
    save(snapshots, 5)
    assert snapshots.restore(SPACE, newest=5)[1] == 5
    index, watermark = snapshots.restore(SPACE, newest=4)
    assert (index.size, watermark) == (0, 0)
    (aside,) = files(snapshots)
    assert aside.startswith(name_of("5.damaged-"))


def test_what_an_interrupted_save_left_is_removed(snapshots: Snapshots) -> None:
    save(snapshots, 5)
    snapshots.path_for(SPACE, 6).write_bytes(b"half")
    snapshots.restore(SPACE, newest=6)
    assert files(snapshots) == [name_of("5.idx")]


def damage(snapshots: Snapshots, watermark: int) -> None:
    """Set a snapshot aside, as `restore` does with one that cannot be read."""
    save(snapshots, watermark)
    path = snapshots._directory / name_of(f"{watermark:x}.idx")
    path.write_bytes(path.read_bytes()[:-1])
    assert snapshots.restore(SPACE, newest=watermark)[1] == 0


async def test_a_damaged_one_is_kept_for_a_day_and_removed_then(
    snapshots: Snapshots, clock: SetClock
) -> None:
    loop = purge_loop(snapshots)
    damage(snapshots, 1)
    clock.move(hours=23)
    damage(snapshots, 2)
    save(snapshots, 3)
    await loop.step()
    assert len(files(snapshots)) == 3
    clock.move(hours=1)
    await loop.step()
    assert [name.split(".damaged")[0] for name in files(snapshots)] == [
        name_of("2"),
        name_of("3.idx"),
    ]
    clock.move(days=30)
    await loop.step()
    assert files(snapshots) == [name_of("3.idx")]
    assert snapshots.restore(SPACE, newest=3)[1] == 3


async def test_when_one_was_set_aside_is_told_by_its_name(
    snapshots: Snapshots, clock: SetClock
) -> None:
    """A restored backup has the times of its copying."""
    damage(snapshots, 1)
    (aside,) = files(snapshots)
    os.utime(snapshots._directory / aside, (0, 0))
    clock.move(hours=23)
    assert snapshots.purge() == []
    clock.move(hours=1)
    assert snapshots.purge() == [aside]
    assert snapshots.purge() == []
