"""One Neo4j for a whole test run: the one that is named, else one that is started here.

Workers of pytest-xdist share it. It is started beside the collection of a whole run, or by the
first test that wants one, watches the process that runs the tests, and ends with it, however that
ends.
"""

import fcntl
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from anamnesis_libs.storage.neo4j import ServerAddress
from tools.neo4j.install import missing_tools

START_S_MAX = 600.0
_ROOT = Path(__file__).resolve().parents[2]
_WATCHERS: list[subprocess.Popen[bytes]] = []  # each lives as long as this process


def shared_server(tmp_path_factory: pytest.TempPathFactory) -> ServerAddress:
    """The server of this run.

    `ANAMNESIS_NEO4J_URI` (with `_USER` and `_PASSWORD`) names a running one. Without it one is
    started if Java and Maven are there; else the test is skipped, or fails where
    `ANAMNESIS_REQUIRE_NEO4J` is 1.
    """
    named = os.environ.get("ANAMNESIS_NEO4J_URI")
    if named:
        user = os.environ.get("ANAMNESIS_NEO4J_USER", "")
        return ServerAddress(named, user, os.environ.get("ANAMNESIS_NEO4J_PASSWORD", ""))
    if missing := missing_tools():
        if os.environ.get("ANAMNESIS_REQUIRE_NEO4J") == "1":
            pytest.fail(f"Neo4j is required here, but {missing}")
        pytest.skip(missing)
    worker = "PYTEST_XDIST_WORKER" in os.environ
    base = tmp_path_factory.getbasetemp()
    return ServerAddress(_started(base.parent if worker else base, _owner(worker=worker)))


def start_early(config: pytest.Config) -> None:
    """Begin to start the server of a run, without waiting; who wants it waits for the lock."""
    if "ANAMNESIS_NEO4J_URI" in os.environ or missing_tools():
        return
    factory: pytest.TempPathFactory = config._tmp_path_factory  # type: ignore[attr-defined]
    directory = factory.getbasetemp()
    threading.Thread(target=_started, args=(directory, os.getpid()), daemon=True).start()


def _owner(*, worker: bool) -> int:
    """The process that runs the tests; workers are its children."""
    return os.getppid() if worker else os.getpid()


def _started(directory: Path, owner: int) -> str:
    """The URI of the server of this directory; who comes first starts it."""
    with (directory / "neo4j.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        uri_file = directory / "neo4j.uri"
        if not uri_file.exists():
            _start(directory, uri_file, owner)
        return uri_file.read_text(encoding="utf-8")


def _start(directory: Path, uri_file: Path, owner: int) -> None:
    log = directory / "neo4j.log"
    command = [sys.executable, "-m", "tools.neo4j", "--while-pid", str(owner)]
    with log.open("wb") as output:
        watcher = subprocess.Popen(
            [*command, "--uri-file", str(uri_file)],
            cwd=_ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    _WATCHERS.append(watcher)
    give_up_s = time.monotonic() + START_S_MAX
    while not uri_file.exists():
        if watcher.poll() is not None or time.monotonic() > give_up_s:
            watcher.terminate()
            pytest.fail(f"Neo4j did not start:\n{log.read_text(encoding='utf-8')[-2000:]}")
        time.sleep(0.1)
