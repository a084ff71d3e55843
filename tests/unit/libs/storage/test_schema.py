"""Tests of opening a SQLite file: of a newer version, a migration that fails, and a lost file."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from anamnesis_libs.errors import SchemaNewer, StoreDamaged, StoreUnavailable
from anamnesis_libs.storage.sqlite import Database, connect

FIRST = "CREATE TABLE one (held TEXT); INSERT INTO one VALUES ('kept');"
BROKEN = "DELETE FROM one; CREATE TABLE two (held TEXT); INSERT INTO nowhere VALUES (1);"


async def test_a_newer_schema_is_told_and_left_alone(tmp_path: Path) -> None:
    connect(tmp_path / "a.db", [FIRST, "CREATE TABLE two (held TEXT)"]).close()
    with ThreadPoolExecutor(1) as threads, pytest.raises(SchemaNewer, match="newer") as told:
        await Database.open(tmp_path / "a.db", [FIRST], threads)
    assert "space" not in told.value.message
    connect(tmp_path / "a.db", [FIRST, ""]).close()


async def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    connect(tmp_path / "a.db", [FIRST]).close()
    with ThreadPoolExecutor(1) as threads, pytest.raises(StoreUnavailable, match="nowhere"):
        await Database.open(tmp_path / "a.db", [FIRST, BROKEN], threads)
    left = apsw.Connection(str(tmp_path / "a.db"))
    assert left.pragma("user_version") == 1
    assert left.execute("SELECT held FROM one").get == "kept"
    assert left.execute("SELECT count(*) FROM sqlite_master").get == 1
    left.close()


@pytest.mark.parametrize("empty", [True, False])
def test_a_file_that_must_exist_is_not_made_anew(tmp_path: Path, empty: bool) -> None:
    path = tmp_path / "a.db"
    if empty:
        path.touch()
    with pytest.raises(StoreDamaged, match="gone or empty"):
        connect(path, [FIRST], must_exist=True)
    assert path.exists() == empty
