"""A suite in a process of its own, for one owner: it starts with it and ends with it.

The process holds the reading end of a pipe whose writing end the owner holds. However the owner
ends, also when it is killed, the pipe closes then, and the suite stops in good order.
"""

import atexit
import importlib.util
import re
import subprocess
import sys
import threading
from pathlib import Path

from anamnesis_client.defaults import suite_environment
from anamnesis_client.errors import SuiteFailed

START_S_MAX = 120.0
STOP_S_MAX = 30.0
LOG = "embedded.log"
FREE_PORT = "127.0.0.1:0"
_SUITE = "anamnesis_cli"
_PROCESS = "anamnesis_client.suite_process"
_READY = re.compile(r"ready on (\S+):")


class Suite:
    """A running suite with its data in a directory; `address` waits until it is ready."""

    def __init__(self, path: str | Path, listen: str = FREE_PORT) -> None:
        """Starts the process.

        Args:
            path: the directory of its data.
            listen: its address: HOST:PORT on this machine, or `unix:` and a path.

        Raises:
            SuiteFailed: the suite is not installed beside the client.
        """
        if importlib.util.find_spec(_SUITE) is None:
            raise SuiteFailed(
                "the suite is not installed here, only its client: install anamnesis-suite, or "
                'name a server that runs: Anamnesis("HOST:PORT")'
            )
        self._directory = Path(path).absolute()
        self._listen = listen
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._address = self._failure = ""
        self._once = threading.Lock()
        self._process = self._start()
        atexit.register(self.stop)

    def address(self) -> str:
        """The address at which it listens.

        Raises:
            SuiteFailed: it did not start; the message has what it said.
        """
        with self._once:
            if not (self._address or self._failure):
                self._await()
        if self._failure:
            raise SuiteFailed(self._failure)
        return self._address

    def stop(self) -> None:
        """Ends it in good order."""
        atexit.unregister(self.stop)
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _start(self) -> "subprocess.Popen[str]":
        with (self._directory / LOG).open("w", encoding="utf-8") as log:
            return subprocess.Popen(  # noqa: S603  # our own command
                [sys.executable, "-P", "-m", _PROCESS, str(self._directory), self._listen],
                env=suite_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                encoding="utf-8",
                start_new_session=True,
            )

    def _await(self) -> None:
        """Waits until it is ready, or says why it is not going to be."""
        assert self._process.stdout is not None
        too_late = threading.Timer(START_S_MAX, self._process.kill)
        too_late.start()
        ready = _READY.search(self._process.stdout.readline())
        too_late.cancel()
        if ready is not None:
            self._address = ready[1]
            return
        self.stop()
        said = (self._directory / LOG).read_text(encoding="utf-8").strip()
        self._failure = f"the suite did not start in {self._directory}: {said}"
