"""A command whose answer cannot be written says so; real processes with real streams."""

import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.support.scripted_suite import Script
from tests.unit.cli.answers import found, result

pytestmark = pytest.mark.slow


def _searched(script: Script, stdout: IO[bytes] | int | None, suffix: str = "") -> tuple[int, str]:
    script.answer("Search", found(result("peanuts, and nothing else", score=0.734)))
    words = f"{sys.executable} -m anamnesis_cli.main --server {script.address} search x {suffix}"
    ended = subprocess.run(
        ["sh", "-c", words], stdout=stdout, stderr=subprocess.PIPE, timeout=60, check=False
    )
    return ended.returncode, ended.stderr.decode()


def test_a_full_disk_is_told_in_two_lines(script: Script) -> None:
    with Path("/dev/full").open("wb") as full:
        code, told = _searched(script, full)
    assert code == 1
    assert told.splitlines()[0] == (
        "error: the answer could not be written: No space left on device"
    )
    assert told.count("\n") == 2


def test_a_closed_output_ends_no_command(script: Script) -> None:
    code, told = _searched(script, None, ">&-")
    assert (code, told) == (0, "")


def test_a_reader_who_has_seen_enough_is_told_nothing(script: Script) -> None:
    code, told = _searched(script, subprocess.DEVNULL, "| head -c 1")
    assert (code, told) == (0, "")
