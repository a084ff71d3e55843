"""The simulated disk loses what a real one would, and nothing that was synced."""

import random
from pathlib import Path

import apsw
import pytest

from tests.sim.disk import Cut, Disk, Write, apply
from tests.sim.vfs import in_use

SEEDS = 40
ROWS = 12


def rows_after_a_power_cut(root: Path, seed: int, synchronous: str) -> int:
    """Commit rows one by one, cut the power, count what is left."""
    generator = random.Random(seed)
    disk = Disk(root, generator)
    disk.page_bytes, disk.checkpoint_pages = 1024, generator.choice((2, 1000))
    with in_use(disk):
        connection = apsw.Connection(str(disk.directory / "a.db"))
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, body TEXT)")
        connection.pragma("synchronous", synchronous)
        for number in range(ROWS):
            connection.execute("INSERT INTO t VALUES (?, ?)", (number, "x" * 200))
        disk.happen(Cut.POWER)
        disk.next_life()
        left = apsw.Connection(str(disk.directory / "a.db"))
        assert left.pragma("integrity_check") == "ok" or synchronous == "OFF"
        numbers = [number for (number,) in left.execute("SELECT n FROM t ORDER BY n")]
        connection.close()
        left.close()
    assert numbers == list(range(len(numbers))), "rows vanish from the end only"
    return len(numbers)


@pytest.mark.parametrize(("synchronous", "loses"), [("FULL", False), ("NORMAL", True)])
def test_what_was_synced_survives_and_what_was_not_may_be_lost(
    tmp_path: Path, synchronous: str, loses: bool
) -> None:
    left = []
    for seed in range(SEEDS):
        (tmp_path / str(seed)).mkdir()
        left.append(rows_after_a_power_cut(tmp_path / str(seed), seed, synchronous))
    assert (min(left) < ROWS) == loses


def test_a_kill_loses_no_write(tmp_path: Path) -> None:
    disk = Disk(tmp_path, random.Random(0))
    (disk.directory / "note").write_bytes(b"not synced")
    disk.happen(Cut.KILL)
    disk.next_life()
    assert (disk.directory / "note").read_bytes() == b"not synced"


def test_writes_and_truncations_change_a_content_as_they_change_a_file() -> None:
    content = bytearray(b"abc")
    apply(content, Write(b"xy", 5))
    assert content == b"abc\0\0xy"
    apply(content, 2)
    assert content == b"ab"
    apply(content, 4)
    assert content == b"ab\0\0"
    apply(content, Write(b"z", 1))
    assert content == b"az\0\0"
