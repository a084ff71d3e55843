"""The suite as it is run in earnest: processes with addresses of their own, on either backend.

Each process, and the Neo4j server, can be killed and started again; it comes back where it was,
with what it had stored. Settings of the machine do not count here.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from tools.neo4j.server import Neo4jServer
from tools.source_path import source_path

ROOT = Path(__file__).resolve().parents[1]
START_S_MAX = 60.0
FOUR = ("memory", "ingestion", "cluster", "retrieval")
ALL = ("all",)
_LOG_CHARS_SHOWN = 2_000
_READY = re.compile(r"ready on \S+:")


class Backend(StrEnum):
    """The store of the memory service's records."""

    EMBEDDED = "embedded"
    NEO4J = "neo4j"


class NotStarted(Exception):
    """A process did not start; the message has the end of its log."""


class Process:
    """One target of the suite, at one address through all its lives."""

    def __init__(self, target: str, folder: Path, settings: Mapping[str, str]) -> None:
        self.target = target
        self.address = f"127.0.0.1:{_free_port()}"
        self._folder = folder
        self._settings = settings
        self._log = folder / f"{target}.log"
        self._popen: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it serves.

        Raises:
            NotStarted: it ended, or took too long.
        """
        with self._log.open("a") as log:
            self._popen = subprocess.Popen(
                [sys.executable, "-m", "anamnesis_cli.main", *self._arguments()],
                cwd=self._folder,
                env=_environment(self._settings),
                stdout=subprocess.PIPE,
                stderr=log.fileno(),
                encoding="utf-8",
            )
        assert self._popen.stdout is not None
        too_late = threading.Timer(START_S_MAX, self._popen.kill)
        too_late.start()
        line = self._popen.stdout.readline()
        too_late.cancel()
        if not _READY.search(line):
            raise NotStarted(f"{self.target}:\n{self._log.read_text()[-_LOG_CHARS_SHOWN:]}")

    @property
    def pid(self) -> int:
        """The id of the process, while it runs."""
        assert self._popen is not None
        return self._popen.pid

    @property
    def folder(self) -> Path:
        """Where it keeps its data."""
        return self._folder / "data"

    @property
    def alive(self) -> bool:
        """True if the process still runs."""
        return self._popen is not None and self._popen.poll() is None

    @property
    def log(self) -> str:
        """The process's log so far, through all its lives."""
        return self._log.read_text(errors="replace")

    def kill(self) -> None:
        """End it on the spot, as `kill -9` does."""
        if self._popen is None:
            return
        self._popen.kill()
        self._popen.wait()
        if self._popen.stdout is not None:
            self._popen.stdout.close()
        self._popen = None

    def stop(self) -> None:
        """Ask it to end, and wait until it has; what it keeps in files is then there."""
        if self._popen is not None:
            self._popen.terminate()
            self._popen.wait()

    def _arguments(self) -> list[str]:
        return [
            *("serve", "--target", self.target),
            *("--listen", self.address, "--data-dir", str(self.folder)),
        ]


class Installation:
    """The processes of one suite, and their Neo4j where they have one."""

    def __init__(self, folder: Path, backend: Backend, targets: tuple[str, ...]) -> None:
        self.backend = backend
        self.neo4j = Neo4jServer(folder / "neo4j") if backend is Backend.NEO4J else None
        settings = {
            "ANAMNESIS_MODELS__EMBEDDER": "static",
            "ANAMNESIS_LOG__LEVEL": "warning",
        }
        if self.neo4j is not None:
            settings["ANAMNESIS_STORAGE__BACKEND"] = "neo4j"
            settings["ANAMNESIS_STORAGE__NEO4J_URI"] = self.neo4j.uri
        self.processes: dict[str, Process] = {}
        for target in targets:
            self.processes[target] = Process(target, folder, settings)
            if target == "memory":
                settings = settings | {"ANAMNESIS_PEERS__MEMORY": self.processes[target].address}

    @property
    def memory(self) -> Process:
        """The process that runs the memory service."""
        return self.processes.get("memory") or self.processes["all"]

    def address(self, service: str) -> str:
        """The address of a service."""
        return (self.processes.get(service) or self.processes["all"]).address

    def start(self) -> None:
        """Start everything, what is needed first.

        Raises:
            NotStarted: a process did not.
            Neo4jUnavailable: the server did not.
        """
        if self.neo4j is not None:
            self.neo4j.start()
        for process in self.processes.values():
            process.start()

    def kill(self) -> None:
        """End everything; what it had stored was read by then."""
        for process in self.processes.values():
            process.kill()
        if self.neo4j is not None:
            self.neo4j.kill()


@contextmanager
def installed(backend: Backend, targets: tuple[str, ...] = FOUR) -> Iterator[Installation]:
    """A suite that runs until the block ends; its data is then gone."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder:
        installation = Installation(Path(folder), backend, targets)
        try:
            installation.start()
            yield installation
        finally:
            installation.kill()


def _environment(settings: Mapping[str, str]) -> Mapping[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("ANAMNESIS_")}
    return {**own, "PYTHONPATH": source_path(), **settings}


def _free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
