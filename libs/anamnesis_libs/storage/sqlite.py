"""One SQLite file used from asyncio: one writer, a few readers, migrations.

WAL with `synchronous=FULL`: what was committed survives the process and the power. What can be
made again is committed without waiting for the disk: it survives the process at once, and the power
from the next durable commit on.
Every connection is used by one thread at a time; the work runs on an executor, so
that nothing blocks the event loop.
"""

import asyncio
import functools
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar, cast

import apsw

from anamnesis_libs.errors import (
    AnamnesisError,
    SchemaNewer,
    StoreDamaged,
    StoreFull,
    StoreUnavailable,
)
from anamnesis_libs.run.on_thread import on_thread

T = TypeVar("T")

SqliteValue = None | int | float | str | bytes
"""A value that a column can hold."""

SUFFIXES = ("", "-wal", "-shm")
"""Of the files that belong to a database."""
RESTORE = "put it back from a backup, or delete the namespace and import its last export"
"""The advice for a damaged file."""
READERS_MAX = 4
BUSY_TIMEOUT_MS = 10_000
CACHE_KIB = 1_024
FULL_BYTES = 1024 * 1024
"""With less free a failure is that of a full disk, whatever SQLite calls it."""
FILES_MAX = 3 + 2 * (READERS_MAX + 1)
"""File descriptors of one open database: file, log and shared memory of the writer, file and log
of each reader, and of one snapshot."""


def connect(path: Path, migrations: Sequence[str], *, must_exist: bool = False) -> apsw.Connection:
    """Open a file for writing, bring its schema up to date, make it durable.

    Raises:
        apsw.Error: the file cannot be opened or is no database.
        SchemaNewer: the file was written by a newer version.
        StoreDamaged: it must exist, and is absent or empty.
    """
    fresh = not path.exists()
    if must_exist and (fresh or not path.stat().st_size):
        raise StoreDamaged(f"the file {path.name} is gone or empty; {RESTORE}")
    connection = apsw.Connection(str(path))
    try:
        _prepare(connection, path, migrations)
        if fresh:
            _sync_directory(path.parent)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: apsw.Connection, path: Path, migrations: Sequence[str]) -> None:
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=OFF")
    connection.execute("PRAGMA secure_delete=ON")
    _tune(connection)
    connection.create_scalar_function("casefold", _casefold, 1, deterministic=True)
    _migrate(connection, path, migrations)


def _tune(connection: apsw.Connection) -> None:
    """Bound the cache, and plan a statement once.

    Else a statement over a table with partial indexes is planned anew each time that it is given
    values, which takes ten times as long as to run it; ours name what these indexes ask literally.
    """
    connection.pragma("cache_size", -CACHE_KIB)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)


def _casefold(*values: SqliteValue) -> str:
    """The `casefold` of SQL; its own `lower` knows ASCII alone."""
    return str(values[0]).casefold()


def _migrate(connection: apsw.Connection, path: Path, migrations: Sequence[str]) -> None:
    """Run the scripts the file has not seen, each in a transaction of its own."""
    version = int(connection.pragma("user_version"))
    if version > len(migrations):
        raise SchemaNewer(
            f"{path.name} has schema {version}, this version knows {len(migrations)}: "
            "start a newer Anamnesis on this data directory",
        )
    for number, script in enumerate(migrations[version:], start=version + 1):
        with connection:
            connection.execute(script)
            connection.pragma("user_version", number)


def _sync_directory(path: Path) -> None:
    """Make a new directory entry durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


OnThread = Callable[[Callable[[], T]], Awaitable[T]]


class Snapshot:
    """Reads of one state; one at a time."""

    def __init__(self, on_thread: OnThread[object], connection: apsw.Connection) -> None:
        self._on_thread = on_thread
        self._connection = connection

    async def read(self, work: Callable[[apsw.Connection], T]) -> T:
        """Run `work` on the connection.

        Raises:
            StoreUnavailable: the database failed.
        """
        return cast("T", await self._on_thread(lambda: work(self._connection)))


class Database:
    """One open file. Reads run side by side, writes one after another."""

    def __init__(self, path: Path, writer: apsw.Connection, executor: Executor) -> None:
        self.path = path
        self._writer = writer
        self._executor = executor
        self._write_lock = asyncio.Lock()
        self._idle_readers: list[apsw.Connection] = []
        self._reader_slots = asyncio.Semaphore(READERS_MAX)

    @property
    def files(self) -> Sequence[Path]:
        """The file, its log and its shared memory; those that are not needed may be missing."""
        return [self.path.with_name(self.path.name + suffix) for suffix in SUFFIXES]

    @classmethod
    async def open(
        cls,
        path: Path,
        migrations: Sequence[str],
        executor: Executor,
        *,
        must_exist: bool = False,
    ) -> "Database":
        """Open a file on the executor; a cancelled caller leaves no connection behind.

        Raises:
            StoreUnavailable: the file cannot be opened.
            StoreDamaged: it is no database, or must exist and is absent or empty.
        """
        loop = asyncio.get_running_loop()
        opening = functools.partial(connect, path, migrations, must_exist=must_exist)
        future = loop.run_in_executor(executor, opening)
        try:
            writer = await asyncio.shield(future)
        except asyncio.CancelledError:
            await asyncio.wait([future])
            if future.exception() is None:
                await loop.run_in_executor(executor, future.result().close)
            raise
        except (apsw.Error, OSError) as error:
            raise failed(path, error) from error
        return cls(path, writer, executor)

    async def read(self, work: Callable[[apsw.Connection], T]) -> T:
        """Run `work` on a reader connection, in one snapshot.

        Raises:
            StoreUnavailable: the database failed.
        """
        async with self._reader_slots:
            return await self._on_thread(lambda: self._read(work))

    async def write(self, work: Callable[[apsw.Connection], T]) -> T:
        """Run `work` in one transaction that is durable when this returns.

        Raises:
            StoreUnavailable: the database failed; nothing was changed.
        """
        async with self._write_lock:
            return await self._on_thread(lambda: self._write(work))

    async def write_soon(self, work: Callable[[apsw.Connection], T]) -> T:
        """Run `work` in one transaction that the next durable one makes durable with itself.

        For what can be made again: after a loss of power it is there as a whole, or not at all.

        Raises:
            StoreUnavailable: the database failed; nothing was changed.
        """
        async with self._write_lock:
            return await self._on_thread(lambda: self._write_soon(work))

    async def rewrite(self) -> None:
        """Write the file anew without what was deleted, and empty its log.

        `secure_delete` overwrites what is deleted where it stands, and not what moving rows between
        pages has left of it elsewhere.

        Raises:
            StoreUnavailable: the database failed, or a snapshot is still read.
        """
        async with self._write_lock:
            await self._on_thread(self._rewrite)

    async def empty_log(self) -> bool:
        """Fold the log into the file, where deleted rows are overwritten; False: it is still read.

        Raises:
            StoreUnavailable: the database failed.
        """
        async with self._write_lock:
            return await self._on_thread(self._empty_log)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator["Snapshot"]:
        """One state of the file for many reads, whatever is written meanwhile.

        It has a connection of its own. The write-ahead log grows as long as it lasts.

        Raises:
            StoreUnavailable: the database failed.
        """
        reader = await self._on_thread(self._begin_snapshot)
        try:
            yield Snapshot(self._on_thread, reader)
        finally:
            await self._on_thread(reader.close)

    async def close(self) -> None:
        """Close every connection; the last one folds the log into the file."""
        async with self._write_lock:
            for _ in range(READERS_MAX):
                await self._reader_slots.acquire()
            for reader in self._idle_readers:
                reader.close()
            self._idle_readers.clear()
            await asyncio.get_running_loop().run_in_executor(self._executor, self._writer.close)

    async def _on_thread(self, call: Callable[[], T]) -> T:
        """Run on a thread, which lets the connection go before a cancelled caller goes on."""
        try:
            return await on_thread(self._executor, call)
        except apsw.Error as error:
            raise failed(self.path, error) from error

    def _read(self, work: Callable[[apsw.Connection], T]) -> T:
        reader = self._idle_readers.pop() if self._idle_readers else self._open_reader()
        try:
            reader.execute("BEGIN")
            try:
                return work(reader)
            finally:
                reader.execute("COMMIT")
        finally:
            self._idle_readers.append(reader)

    def _write(self, work: Callable[[apsw.Connection], T]) -> T:
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            result = work(self._writer)
            self._writer.execute("COMMIT")
        except BaseException:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise
        return result

    def _write_soon(self, work: Callable[[apsw.Connection], T]) -> T:
        self._writer.execute("PRAGMA synchronous=NORMAL")
        try:
            return self._write(work)
        finally:
            self._writer.execute("PRAGMA synchronous=FULL")

    def _rewrite(self) -> None:
        self._writer.execute("VACUUM")
        if not self._empty_log():
            raise StoreUnavailable(
                f"the log of {self.path.name} is still read, by an export or a verification: "
                "try again when it has ended",
                retry_after_s=BUSY_TIMEOUT_MS / 1000,
            )

    def _empty_log(self) -> bool:
        busy, *_ = next(self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
        return not busy

    def _begin_snapshot(self) -> apsw.Connection:
        """The state is that of the first read, which is now."""
        reader = self._open_reader()
        reader.execute("BEGIN")
        reader.pragma("user_version")
        return reader

    def _open_reader(self) -> apsw.Connection:
        reader = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READONLY)
        reader.set_busy_timeout(BUSY_TIMEOUT_MS)
        _tune(reader)
        return reader


def failed(path: Path, error: apsw.Error | OSError) -> AnamnesisError:
    """Our error for one of the database's."""
    told = f"the store {path.name} failed: {type(error).__name__}: {error}"
    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        return StoreDamaged(f"{told}; {RESTORE}")
    if isinstance(error, apsw.FullError) or shutil.disk_usage(path.parent).free < FULL_BYTES:
        return StoreFull(f"{told}. The disk is full: free space, or delete what is not needed")
    return StoreUnavailable(
        f"{told}. Check free space and the health of the disk",
        retry_after_s=1.0,
    )
