"""The suite as users run it: real processes, real ports, stopped politely or killed."""

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.forked import Forked
from tools.source_path import source_path

REPOSITORY = Path(__file__).resolve().parents[2]
START_TIMEOUT_S = 60.0
_HTTP = re.compile(r"it answers HTTP on (\S+)")
_READY = re.compile(r"anamnesis is ready on (\S+):")


@dataclass(slots=True)
class Process:
    """One running `anamnesis serve`."""

    popen: Forked
    address: str
    output: list[str] = field(default_factory=list)

    def http_url(self) -> str:
        """The URL at which it answers HTTP."""
        for _ in range(500):
            for line in self.output:
                if found := _HTTP.search(line):
                    return found[1]
            time.sleep(0.01)
        raise AssertionError("it answers no HTTP:\n" + "".join(self.output))

    def stop(self) -> int:
        """Ask it to stop and wait.

        Returns:
            Its exit status.
        """
        self.popen.send_signal(signal.SIGTERM)
        return self.popen.wait(timeout=30)

    def kill(self) -> None:
        """Kill it on the spot, as a crash would."""
        self.popen.kill()
        self.popen.wait(timeout=30)


def command(*arguments: str) -> list[str]:
    """A command line of this checkout's `anamnesis`."""
    return [sys.executable, "-m", "anamnesis_cli.main", *arguments]


def environment(settings: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment with the checkout on the path and settings on top."""
    return {**os.environ, "PYTHONPATH": source_path(), **(settings or {})}


def start(
    data_dir: Path, target: str = "all", settings: Mapping[str, str] | None = None
) -> Process:
    """Start a process and wait until it says that it is ready."""
    arguments = ("--target", target, "--listen", "127.0.0.1:0", "--data-dir", str(data_dir))
    popen = Forked(("serve", *arguments), environment(settings), data_dir.parent)
    process = Process(popen, "")
    ready = threading.Event()
    threading.Thread(target=_read, args=(process, ready), daemon=True).start()
    if not ready.wait(START_TIMEOUT_S) or not process.address:
        popen.kill()
        raise AssertionError(f"{target} did not start:\n" + "".join(process.output))
    return process


def start_four(data_dir: Path) -> dict[str, Process]:
    """Start the four services as four processes that find each other."""
    memory = start(data_dir, "memory")
    peers = {"ANAMNESIS_PEERS__MEMORY": memory.address}
    return {
        "memory": memory,
        **{name: start(data_dir, name, peers) for name in ("ingestion", "cluster", "retrieval")},
    }


def _read(process: Process, ready: threading.Event) -> None:
    """Collect what a process prints until it ends."""
    for line in process.popen.stdout:
        process.output.append(line)
        if found := _READY.search(line):
            process.address = found[1]
            ready.set()
    ready.set()
