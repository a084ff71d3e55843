"""Room set aside on the disk, so that a full one can still be made room on.

SQLite writes before it frees: a deletion needs room for its log. The file is let go of when a
deletion finds the disk full, and made again when there is room.
"""

import os
from contextlib import suppress
from pathlib import Path

RESERVE_BYTES = 16 * 1024 * 1024
SPARE_BYTES = 2 * RESERVE_BYTES
"""It is made only where so much stays free beside it."""


class Reserve:
    """A file of `RESERVE_BYTES` in a data directory."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / "reserve"

    def keep(self) -> None:
        """Make it, where there is room; a disk without room is no fault of this."""
        if self._path.exists():
            return
        status = os.statvfs(self._path.parent)
        if status.f_bavail * status.f_frsize < RESERVE_BYTES + SPARE_BYTES:
            return
        with suppress(OSError):
            self._allocate()

    def let_go(self) -> bool:
        """Free it; whether there was anything to free."""
        try:
            self._path.unlink()
        except FileNotFoundError:
            return False
        return True

    def _allocate(self) -> None:
        """Written whole or not at all: a file with holes reserves nothing."""
        try:
            with self._path.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, RESERVE_BYTES)
        except (OSError, AttributeError):
            self._path.unlink(missing_ok=True)
            raise
