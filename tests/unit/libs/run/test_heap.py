"""Freed memory goes back to the system, and what is left is not looked through again."""

import subprocess
import sys

_FREED = """
from pathlib import Path
from anamnesis_libs.run.heap import give_back

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

held = [bytes(8_000) for _ in range(10_000)]
above = bytes(8_000)  # keeps the top of the heap where it is
taken = resident()
held.clear()
assert give_back()
print(taken - resident())
"""


def test_what_was_freed_is_no_longer_resident() -> None:
    given = subprocess.run(
        [sys.executable, "-c", _FREED], capture_output=True, text=True, check=True
    ).stdout
    assert int(given) > 60_000_000


_KEPT = """
import gc
from anamnesis_libs.run.heap import keep

held = [[number] for number in range(100_000)]
keep()
print(len(gc.get_objects()))
"""


def test_what_is_there_by_now_is_never_looked_through_for_garbage() -> None:
    looked_through = subprocess.run(
        [sys.executable, "-c", _KEPT], capture_output=True, text=True, check=True
    ).stdout
    assert int(looked_through) < 1_000
