"""Processes of `anamnesis` forked from one that has read all its code: each starts in a moment.

What runs is the same; four fifths of a start are imports. It is a process of its own, with its own
environment, folder and output, which signals end as they end any other.
"""

import atexit
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import TextIO

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.support.all_code"])
_RUNNING: set["Forked"] = set()


class Forked:
    """A process that runs one command line; named as `subprocess.Popen` names it."""

    def __init__(
        self, arguments: tuple[str, ...], environment: Mapping[str, str], folder: Path
    ) -> None:
        reading, writing = _CONTEXT.Pipe(duplex=False)
        self._process: ForkServerProcess = _CONTEXT.Process(
            target=_run, args=(arguments, dict(environment), str(folder), writing)
        )
        self._process.start()
        writing.close()
        self.stdout: TextIO = os.fdopen(os.dup(reading.fileno()), encoding="utf-8")
        reading.close()
        _RUNNING.add(self)

    @property
    def pid(self) -> int:
        """The id of the process."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Its exit status, negative where a signal ended it; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float) -> int:
        """Its exit status, once it has ended.

        Raises:
            TimeoutExpired: it still runs after so many seconds.
        """
        self._process.join(timeout)
        status = self._process.exitcode
        if status is None:
            raise subprocess.TimeoutExpired("anamnesis", timeout)
        _RUNNING.discard(self)
        return status

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it on the spot."""
        self.send_signal(signal.SIGKILL)


@atexit.register
def _end_all() -> None:
    """Leave nothing running, whatever a test forgot."""
    for process in _RUNNING:
        process.kill()


def _run(
    arguments: tuple[str, ...], environment: dict[str, str], folder: str, output: Connection
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for stream in (1, 2):
        os.dup2(output.fileno(), stream)
    output.close()
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    sys.argv = ["anamnesis", *arguments]
    from anamnesis_cli.main import main

    try:
        main()
    finally:
        # as where Python itself ends: pools end before their processes are waited for
        threading._shutdown()  # type: ignore[attr-defined]
