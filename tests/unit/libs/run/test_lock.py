"""Tests of run/lock.py, with a second process for the second holder."""

import subprocess
import sys
from pathlib import Path

import pytest

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.run.lock import LOCK_NAME, data_dir_lock

_HOLD = """
import pathlib, sys
from anamnesis_libs.run.lock import data_dir_lock
with data_dir_lock(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_directory_is_made_for_its_owner_only(tmp_path: Path) -> None:
    with data_dir_lock(tmp_path / "deep" / "data"):
        assert (tmp_path / "deep" / "data").stat().st_mode & 0o777 == 0o700


def test_another_process_is_refused_with_the_holders_number(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _HOLD, str(tmp_path)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with (
        pytest.raises(SetupInvalid, match=f"in use by process {holder.pid}; .*--data-dir"),
        data_dir_lock(tmp_path),
    ):
        pass
    holder.kill()
    holder.wait()
    holder.stdout.close()
    with data_dir_lock(tmp_path):
        assert (tmp_path / LOCK_NAME).exists()


def test_it_is_free_again_after_use(tmp_path: Path) -> None:
    for _ in range(2):
        with data_dir_lock(tmp_path):
            assert (tmp_path / LOCK_NAME).exists()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(SetupInvalid, match=r"server\.data_dir: .* cannot be used"),
        data_dir_lock(tmp_path / "file"),
    ):
        pass
