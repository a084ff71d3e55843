"""Stands between a driver and a Neo4j server, and can cut the line at the worst moment."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

COMMIT = b"\x00\x02\xb0\x12\x00\x00"
"""The Bolt message of a commit, as it goes over the wire."""
PUT_UNMOVED = b"WHERE c.commits = $commits"
"""Part of the statement that is a commit by itself."""


class BoltProxy:
    """Passes everything on; armed, it lets a commit reach the server and loses the answer."""

    def __init__(self, server_uri: str) -> None:
        address = urlsplit(server_uri)
        self._server = (address.hostname or "", address.port or 0)
        self.uri = ""
        self.armed = False
        self.cuts = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator["BoltProxy"]:
        """Listen on a free port."""
        listener = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.uri = f"bolt://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            listener.close()

    async def _serve(self, from_: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        reader, writer = await asyncio.open_connection(*self._server)
        pumps = {
            asyncio.create_task(self._ask(from_, writer)),
            asyncio.create_task(_pump(reader, to)),
        }
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        for each in (to, writer):
            each.close()
            with contextlib.suppress(ConnectionError):
                await each.wait_closed()

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass questions on; ends, and with it the line, behind an armed commit."""
        while data := await reader.read(65_536):
            cut = self.armed and (COMMIT in data or PUT_UNMOVED in data)
            if cut:
                # an orderly end: the server reads the commit, then that nobody is there
                self.armed = False
                self.cuts += 1
            writer.write(data)
            await writer.drain()
            if cut:
                return


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
