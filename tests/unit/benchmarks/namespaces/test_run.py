"""The benchmark runs the suite, and tells whether the bounds of its settings hold."""

import pytest
from click.testing import CliRunner

from benchmarks.namespaces.__main__ import main


@pytest.mark.slow
def test_few_of_many_namespaces_are_open() -> None:
    done = CliRunner().invoke(main, ["--count", "30", "--open-max", "4"])
    assert done.exit_code == 0, done.output
    rows = [line.split("│") for line in done.output.splitlines() if line.startswith("│")]
    assert [row[2].strip() for row in rows if row[1].strip() == "visit"][-1] == "30"
    assert max(int(row[3]) for row in rows) == 4
