"""Tests of storage/reserve.py."""

from pathlib import Path

import pytest

from anamnesis_libs.storage import reserve
from anamnesis_libs.storage.reserve import RESERVE_BYTES, Reserve


def test_room_is_kept_once_and_let_go_of_once(tmp_path: Path) -> None:
    kept = Reserve(tmp_path)
    kept.keep()
    kept.keep()
    (file,) = tmp_path.iterdir()
    status = file.stat()
    assert status.st_size == RESERVE_BYTES
    assert status.st_blocks * 512 >= RESERVE_BYTES  # no holes
    assert kept.let_go()
    assert not kept.let_go()
    assert not [*tmp_path.iterdir()]


def test_a_disk_without_room_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reserve, "SPARE_BYTES", 1 << 60)
    Reserve(tmp_path).keep()
    assert not [*tmp_path.iterdir()]
