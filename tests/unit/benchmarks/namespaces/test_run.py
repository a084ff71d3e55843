"""The benchmark runs the suite, and tells whether the bounds of its settings hold."""

import subprocess
import sys

import pytest


@pytest.mark.long
def test_few_of_many_namespaces_are_open() -> None:
    # a process of its own, as when it is run: event loops that other tests have closed stay apart
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.namespaces", "--count", "30", "--open-max", "4"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split("│") for line in done.stdout.splitlines() if line.startswith("│")]
    assert [row[2].strip() for row in rows if row[1].strip() == "visit"][-1] == "30"
    # with 30 there are, a few more than 4 for as long as somebody holds them
    assert 4 <= max(int(row[3]) for row in rows) < 15
