"""The suite that `anamnesis mcp` embeds: shared by those who come later, gone with the last one."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from anamnesis_cli.mcp.connections import Connections
from anamnesis_cli.mcp.identity import Identity
from anamnesis_cli.mcp.places import Embedded
from tests.support.processes import environment
from tools.source_path import source_path

pytestmark = pytest.mark.long
END_S_MAX = 60.0
MARA = Identity("app", "mara")


async def test_two_share_one_suite_and_who_is_left_starts_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", source_path())
    first, second = (Connections(Embedded(tmp_path / "memory"), MARA) for _ in range(2))
    await first.ask(MARA, lambda memory: memory.note("Mara is allergic to hazelnuts."))
    holder = (tmp_path / "memory" / "anamnesis.lock").read_text()
    told = await second.ask(MARA, lambda memory: memory.context("Which nuts may Mara not eat?"))
    assert "hazelnuts" in told.text
    assert (tmp_path / "memory" / "anamnesis.lock").read_text() == holder
    await first.close()
    told = await second.ask(MARA, lambda memory: memory.context("Which nuts may Mara not eat?"))
    assert "hazelnuts" in told.text
    assert (tmp_path / "memory" / "anamnesis.lock").read_text() != holder
    await second.close()


@pytest.mark.parametrize("end", ["closed", "killed"])
def test_nothing_stays_behind(tmp_path: Path, end: str) -> None:
    data = tmp_path / "memory"
    command = [sys.executable, "-m", "anamnesis_cli.main", "mcp", "--embedded", str(data)]
    process = subprocess.Popen(
        command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    _until((data / "anamnesis.sock").exists)
    suite = int((data / "anamnesis.lock").read_text())
    if end == "closed":
        process.stdin.close()
        assert process.wait(END_S_MAX) == 0
    else:
        process.send_signal(signal.SIGKILL)
        process.wait(END_S_MAX)
        process.stdin.close()
    assert process.stdout.read() == b"", "standard output is the protocol's"
    process.stdout.close()
    _until(lambda: not _runs(suite))


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def _until(holds: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + END_S_MAX
    while not holds():
        assert time.monotonic() < ends_s
        time.sleep(0.1)
