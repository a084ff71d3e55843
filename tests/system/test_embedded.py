"""A suite that belongs to a client: it starts with it, and ends however its owner ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anamnesis_client import Anamnesis, AsyncAnamnesis, SuiteFailed
from anamnesis_client import embedded as embedding
from tests.support.processes import environment
from tools.source_path import source_path

OWNER = """
import sys, time
from anamnesis_client import Anamnesis
memory = Anamnesis.embedded(sys.argv[1], namespace="app", user="mara")
memory.add([{"role": "user", "content": "I am allergic to hazelnuts."}])
print(memory._link._place.suite._process.pid, flush=True)
time.sleep(600)
"""
END_S_MAX = 60.0
pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _of_this_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", source_path())


async def test_it_ends_with_its_owner_and_its_data_stays(tmp_path: Path) -> None:
    _await_end(_killed_owner(tmp_path))
    async with AsyncAnamnesis.embedded(tmp_path / "memory", namespace="app", user="mara") as memory:
        assert "hazelnuts" in str(await memory.context("What may I not eat?"))
        refused = Anamnesis.embedded(tmp_path / "memory")
        for _ in range(2):  # the second time without waiting for what has ended
            with pytest.raises(SuiteFailed, match="is in use by process") as failed:
                refused.facts()
            assert "Fatal Python error" not in str(failed.value)
        process = memory._link._place.suite
    assert process is not None
    assert process._process.returncode == 0


def _killed_owner(tmp_path: Path) -> int:
    """The process of a suite whose owner was killed."""
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path / "memory")],
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert owner.stdout is not None
    suite = int(owner.stdout.readline())
    owner.kill()
    owner.wait()
    owner.stdout.close()
    return suite


def _await_end(pid: int) -> None:
    deadline_s = time.monotonic() + END_S_MAX
    while _runs(pid):
        if time.monotonic() > deadline_s:
            os.kill(pid, signal.SIGKILL)
            raise AssertionError("the suite outlived its owner")
        time.sleep(0.1)


def _runs(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_without_the_suite_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "_SUITE", "anamnesis_not_installed")
    with pytest.raises(SuiteFailed, match="anamnesis-suite"):
        Anamnesis.embedded(tmp_path)
