"""Rows on their way through a file: what is larger than memory, read in one go and told slowly.

The file has no name, so nobody else opens it, and it is gone with the process at the latest.
"""

import asyncio
import base64
import json
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from anamnesis_libs.errors import StoreUnavailable
from anamnesis_libs.storage.neo4j import Row

_BYTES = "base64"


class Spool:
    """Pages of rows, each under a name, in the order in which they were put."""

    def __init__(self, directory: Path | None) -> None:
        with _telling():
            self._file = tempfile.TemporaryFile(dir=directory)  # noqa: SIM115  # closed by `close`

    async def clear(self) -> None:
        """Begin anew."""
        await asyncio.to_thread(self._clear)

    async def put(self, name: str, rows: Sequence[Row]) -> None:
        """Keep a page.

        Raises:
            StoreUnavailable: there is no room for the file.
        """
        await asyncio.to_thread(self._put, name, rows)

    async def pages(self) -> AsyncIterator[tuple[str, Sequence[Row]]]:
        """Every page from the first, once."""
        await asyncio.to_thread(self._file.seek, 0)
        while line := await asyncio.to_thread(self._file.readline):
            name, rows = await asyncio.to_thread(json.loads, line, object_hook=_unpacked)
            yield name, rows

    def close(self) -> None:
        """Give the room back."""
        self._file.close()

    def _clear(self) -> None:
        self._file.seek(0)
        self._file.truncate()

    def _put(self, name: str, rows: Sequence[Row]) -> None:
        with _telling():
            self._file.write(json.dumps([name, rows], default=_packed).encode() + b"\n")
            self._file.flush()


@contextmanager
def _telling() -> Iterator[None]:
    """Turn an error of the disk into a failure of the store: the caller may retry later."""
    try:
        yield
    except OSError as error:
        raise StoreUnavailable(
            f"cannot keep a copy of the namespace while it is read: {error}; "
            "make room in the data directory"
        ) from error


def _packed(value: object) -> dict[str, str]:
    if not isinstance(value, bytes):
        raise TypeError(f"{type(value).__name__} is no property of a node")
    return {_BYTES: base64.b64encode(value).decode()}


def _unpacked(tree: dict[str, object]) -> object:
    """Bytes where they were; no node has a property of that name alone."""
    packed = tree.get(_BYTES)
    return base64.b64decode(packed) if isinstance(packed, str) and len(tree) == 1 else tree
