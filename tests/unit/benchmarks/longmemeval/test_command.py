"""The command refuses what it cannot run before anything is started."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.longmemeval.__main__ import main
from tests.support.longmemeval_file import write_file

READER = ("--reader-url", "http://127.0.0.1:9/v1", "--reader-model", "small")


@pytest.mark.parametrize(
    "options",
    [
        ("--k", "5,many"),
        ("--budgets", "0"),
        ("--answer-budget", "300"),
        ("--reader-url", "http://127.0.0.1:9/v1"),
        ("--judge-model", "small"),
        (*READER, "--judge-url", "http://127.0.0.1:10/v1"),
    ],
)
def test_options_that_do_not_go_together_are_told(tmp_path: Path, options: tuple[str, ...]) -> None:
    file = str(write_file(tmp_path / "made.json"))
    assert CliRunner().invoke(main, [file, *options]).exit_code == 2


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "made.json").write_text("[]")
    for name, told in (("made.json", "holds no question"), ("none.json", "cannot be read")):
        run = CliRunner().invoke(main, [str(tmp_path / name)])
        assert run.exit_code == 1
        assert told in run.output
