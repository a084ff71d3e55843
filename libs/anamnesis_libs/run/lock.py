"""One process a data directory: a lock held for the life of the process.

The kernel drops it when the process ends, however it ends, so nothing is left to clean up.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from anamnesis_libs.errors import SetupInvalid

LOCK_NAME = "anamnesis.lock"


@contextmanager
def data_dir_lock(data_dir: Path) -> Iterator[None]:
    """Makes the directory and keeps other processes out of it while the block runs."""
    descriptor = _open(data_dir)
    try:
        _acquire(descriptor, data_dir)
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _open(data_dir: Path) -> int:
    try:
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        return os.open(data_dir / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise SetupInvalid(
            f"server.data_dir: {data_dir} cannot be used: {error.strerror}; choose another with "
            "--data-dir"
        ) from error


def _acquire(descriptor: int, data_dir: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.pread(descriptor, 32, 0).decode("ascii", "replace") or "unknown"
        raise SetupInvalid(
            f"server.data_dir: {data_dir} is in use by process {holder}; stop it, or choose "
            "another directory with --data-dir"
        ) from error
