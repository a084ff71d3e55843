"""A scripted server for each test, and a way to run the command line against it."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from click.testing import CliRunner, Result

from anamnesis_cli import output
from anamnesis_cli.main import anamnesis
from tests.support.scripted_suite import Script, scripted_suite

Run = Callable[..., Result]


@pytest.fixture
def script() -> Iterator[Script]:
    with scripted_suite() as running:
        yield running


@pytest.fixture
def run(script: Script) -> Run:
    """Runs `anamnesis --server SCRIPT ARGUMENTS...`; nothing but an exit may come out of it."""
    return partial(_run, script.address)


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns."""
    monkeypatch.setattr(output, "PIPE_COLUMNS", 80)


def _run(server: str, *arguments: str, stdin: bytes | None = None) -> Result:
    result = CliRunner().invoke(anamnesis, ["--server", server, *arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result
