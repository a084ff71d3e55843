"""The client by itself: what it needs, what it reads at import, a machine that has nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.test_locks import ROOT
from tests.support.processes import Process, environment, start
from tools.parts import FOLDERS, requirements

PARTS = ("anamnesis-protos", "anamnesis-client")
LOADED = """
import sys
import anamnesis_client
print(*sorted({name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names))
"""
FOUR_LINES = """
import sys
from anamnesis_client import Anamnesis, SuiteFailed
memory = Anamnesis(sys.argv[1], namespace="app", user="mara")
memory.add([{"role": "user", "content": "I am allergic to hazelnuts."}])
print(memory.context("What may I not eat?"))
try:
    Anamnesis.embedded(sys.argv[2])
except SuiteFailed as failed:
    print(failed)
"""


def test_it_needs_grpc_and_the_stubs_alone() -> None:
    lines = {line for name in PARTS for line in requirements(FOLDERS[name])}
    needed = {line.partition(">=")[0].partition("==")[0] for line in lines}
    assert needed == {"anamnesis-protos", "googleapis-common-protos", "grpcio", "protobuf"}


def test_it_reads_no_more_than_it_needs() -> None:
    loaded = _run([sys.executable, "-c", LOADED], environment()).split()
    assert "anamnesis_client" in loaded
    assert not {"anamnesis_libs", "anamnesis_cli", "numpy", "protovalidate", "pydantic"} & {*loaded}


@pytest.fixture
def suite(tmp_path: Path) -> Process:
    """A running suite."""
    return start(tmp_path / "data")


@pytest.mark.long
def test_an_environment_with_the_client_alone(tmp_path: Path, suite: Process) -> None:
    alone = tmp_path / "alone"
    _run([sys.executable, "-m", "venv", "--without-pip", str(alone)], None)
    pip = [sys.executable, "-m", "pip", "--python", str(alone), "install", "--quiet"]
    _run([*pip, *(str(ROOT / FOLDERS[name]) for name in PARTS)], None)
    python = [str(alone / "bin" / "python"), "-c", FOUR_LINES, suite.address, str(tmp_path)]
    told = _run(python, {})
    assert "hazelnuts" in told
    assert "install anamnesis-suite" in told
    assert suite.stop() == 0


def _run(command: list[str], variables: dict[str, str] | None) -> str:
    """The output of a command that succeeds, away from the checkout."""
    done = subprocess.run(
        command, cwd="/", env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
