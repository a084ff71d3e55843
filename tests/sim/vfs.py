"""SQLite on a simulated disk: a VFS that passes everything on and tells the disk of it.

Registered as the default VFS while it is in use, so that production code opens its
files as it always does.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import apsw

from anamnesis_libs.storage import sqlite
from tests.sim.disk import Disk, Kept, Write

_BASE = "unix"


class _File(apsw.VFSFile):
    """A real file whose changes the disk is told of."""

    def __init__(self, disk: Disk, name: "str | apsw.URIFilename", flags: list[int]) -> None:
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else name
        made = not Path(self._path).exists()
        super().__init__(_BASE, name, flags)
        self._disk = disk
        self._syncs_directory = made and self._path.endswith(("-wal", "-journal"))
        disk.opened(self._path, made=made)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's own name
        """Write, unless this is the one that fails."""
        kept = self._step(commits=True)
        super().xWrite(data, offset)
        if kept is not None:
            kept.unsynced.append(Write(bytes(data), offset))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        """Cut the file."""
        kept = self._step(commits=False)
        super().xTruncate(newsize)
        if kept is not None:
            kept.unsynced.append(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        """Make what was written safe; the real disk is spared."""
        before = self._disk.kept(self._path)
        kept = self._step(commits=before is not None and bool(before.unsynced))
        if kept is None:
            return
        kept.sync()
        if self._syncs_directory:
            self._disk.directory_synced(Path(self._path).parent)

    def _step(self, *, commits: bool) -> Kept | None:
        if not self._disk.holds(self._path):
            return None
        self._disk.step()
        if self._disk.fails(self._path, commits=commits):
            raise apsw.IOError("the disk failed, as the simulation planned")
        return self._disk.kept(self._path)


class _Vfs(apsw.VFS):
    """Opens files of the disk."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        super().__init__("simulated-disk", base=_BASE, makedefault=True)

    def xOpen(  # noqa: N802
        self, name: "str | apsw.URIFilename | None", flags: list[int]
    ) -> apsw.VFSFile:
        """Open one file; temporary ones have no name and no future."""
        if name is None:
            return apsw.VFSFile(_BASE, name, flags)
        return _File(self._disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        """Delete one file."""
        super().xDelete(filename, syncdir)
        self._disk.deleted(filename, directory_synced=syncdir)


@contextmanager
def in_use(disk: Disk) -> Iterator[Disk]:
    """Let SQLite use a disk, and put everything back afterwards."""
    vfs = _Vfs(disk)
    apsw.connection_hooks.append(disk.connected)
    try:
        with mock.patch.object(sqlite, "_sync_directory", disk.directory_synced):
            yield disk
    finally:
        apsw.connection_hooks.remove(disk.connected)
        vfs.unregister()
