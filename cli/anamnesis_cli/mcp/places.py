"""Where the suite is: a server that runs, or a directory in which one is started when needed."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from anamnesis_client.embedded import Suite


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
    """A suite in a directory: started here, or by another process that began earlier.

    That one ends with its owner; whoever needs it afterwards starts it again.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._suite: Suite | None = None
        self._once = asyncio.Lock()

    async def address(self) -> str:
        """The address of the suite, which is started if nobody has."""
        async with self._once:
            return await asyncio.to_thread(self._served)

    async def restored(self) -> bool:
        """True once a suite serves the directory again."""
        async with self._once:
            await asyncio.to_thread(self._stop)
            await asyncio.to_thread(self._served)
        return True

    async def close(self) -> None:
        """Ends the suite, if it was started here."""
        await asyncio.to_thread(self._stop)

    def _served(self) -> str:
        suite = self._suite or Suite(self._directory)
        address = suite.address()
        self._suite = suite
        return address

    def _stop(self) -> None:
        if self._suite is not None:
            self._suite.stop()
            self._suite = None
