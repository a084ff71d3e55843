"""Places of the suite: a server that runs, or a directory in which one is started when needed."""

import asyncio
import fcntl
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from anamnesis_cli.failures import WrongUsage
from anamnesis_client import SuiteFailed
from anamnesis_client.embedded import Suite

SOCKET = "anamnesis.sock"
SOCKET_BYTES_MAX = 100
"""Bytes that the path of a socket may have on every system."""
TURN = "mcp.lock"
TAKEN_S_MAX = 30.0
"""Seconds for which a directory may be another suite's that is not reached: it ends."""
_PAUSE_S = 0.5
_TAKEN = "is in use by process"


class Place(Protocol):
    """An address, and how somebody comes to serve there."""

    async def address(self) -> str:
        """The address, once somebody serves there."""
        ...

    async def restored(self) -> bool:
        """True once somebody serves again where nobody did; False where that is others' affair."""
        ...

    async def close(self) -> None:
        """Ends what was started."""
        ...


@dataclass(frozen=True, slots=True)
class Named:
    """A server that others run."""

    server: str

    async def address(self) -> str:
        """The address as it was named."""
        return self.server

    async def restored(self) -> bool:
        """False: whoever runs it starts it again."""
        return False

    async def close(self) -> None:
        """Does nothing."""


class Embedded:
    """A suite in a directory, at a socket there: started here, or by a process that came earlier.

    That one ends with its owner; whoever needs it afterwards starts it again, at the same address.
    """

    def __init__(self, directory: Path) -> None:
        """Makes the directory; nothing is started yet.

        Raises:
            WrongUsage: it cannot be made, or its path is too long for a socket.
        """
        self._directory = directory.absolute()
        self._socket = self._directory / SOCKET
        self._suite: Suite | None = None
        self._once = asyncio.Lock()
        if len(str(self._socket).encode()) > SOCKET_BYTES_MAX:
            raise WrongUsage(f"{directory} is too long a path for a socket", "choose a shorter one")
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise WrongUsage(
                f"{directory} cannot be used: {error.strerror}", "choose another directory"
            ) from error

    async def address(self) -> str:
        """The address of the suite, which is started if nobody has."""
        async with self._once:
            await asyncio.to_thread(self._serve)
        return f"unix:{self._socket}"

    async def restored(self) -> bool:
        """True once a suite serves the directory again."""
        await self.address()
        return True

    async def close(self) -> None:
        """Ends the suite, if it was started here."""
        async with self._once:
            await asyncio.to_thread(self._stop)

    def _serve(self) -> None:
        """Starts a suite unless one answers; of several at once, one does."""
        if not _answers(self._socket):
            with _turn(self._directory / TURN):
                self._start_unless_served()

    def _start_unless_served(self) -> None:
        """Starts a suite, once another that still ends has let go of the directory."""
        given_up_s = time.monotonic() + TAKEN_S_MAX
        while not _answers(self._socket):
            self._stop()
            try:
                self._start()
            except SuiteFailed as failed:
                if _TAKEN not in str(failed) or time.monotonic() > given_up_s:
                    raise
                time.sleep(_PAUSE_S)

    def _start(self) -> None:
        suite = Suite(self._directory, f"unix:{self._socket}")
        suite.address()
        self._suite = suite

    def _stop(self) -> None:
        if self._suite is not None:
            self._suite.stop()
            self._suite = None


@contextmanager
def _turn(path: Path) -> Iterator[None]:
    """The turn to look and to start: whoever has it holds the file, and others wait."""
    with path.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as opened:
        try:
            opened.connect(str(path))
        except OSError:
            return False
    return True
