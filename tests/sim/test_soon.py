"""What is written without waiting for the disk may go with the power, and takes nothing along."""

import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import apsw
import pytest

from anamnesis_libs.storage.sqlite import Database
from tests.sim.disk import Cut, Disk
from tests.sim.vfs import in_use

SEEDS = 30
ROWS = 12
TABLE = "CREATE TABLE t (n INTEGER PRIMARY KEY, soon INTEGER, body TEXT)"


async def left_after_a_power_cut(root: Path, seed: int) -> tuple[list[bool], list[int]]:
    """Of rows written in turns, which were not waited for, and which are left without power."""
    generator = random.Random(seed)
    disk = Disk(root, generator)
    disk.page_bytes, disk.checkpoint_pages = 1024, generator.choice((2, 1000))
    soon = [generator.random() < 0.5 for _ in range(ROWS)]
    with in_use(disk), ThreadPoolExecutor(1) as threads:
        database = await Database.open(disk.directory / "a.db", [TABLE], threads)
        for number, later in enumerate(soon):
            row = (number, later, "x" * 200)
            write = database.write_soon if later else database.write
            await write(partial(_insert, row))
        disk.happen(Cut.POWER)
        disk.next_life()
        left = apsw.Connection(str(disk.directory / "a.db"))
        assert left.pragma("integrity_check") == "ok"
        numbers = [number for (number,) in left.execute("SELECT n FROM t ORDER BY n")]
        left.close()
        await database.close()
    return soon, numbers


def _insert(row: tuple[int, bool, str], connection: apsw.Connection) -> None:
    connection.execute("INSERT INTO t VALUES (?, ?, ?)", row)


@pytest.mark.slow
async def test_rows_that_were_waited_for_survive_with_all_before_them(tmp_path: Path) -> None:
    lost = 0
    for seed in range(SEEDS):
        (tmp_path / str(seed)).mkdir()
        soon, numbers = await left_after_a_power_cut(tmp_path / str(seed), seed)
        assert numbers == list(range(len(numbers)))
        waited_for = [number for number, later in enumerate(soon) if not later]
        assert set(waited_for) <= set(numbers)
        lost += ROWS - len(numbers)
    assert lost, "the disk was not waited for"
