"""Making a SQLite file before anything says that it is there."""

from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path

import apsw

from anamnesis_libs.run.on_thread import on_thread
from anamnesis_libs.storage.sqlite import connect, failed


async def make(path: Path, migrations: Sequence[str], executor: Executor) -> None:
    """Make a file, and close it; a cancelled caller waits until it is closed.

    Raises:
        StoreUnavailable: it cannot be made.
    """
    try:
        await on_thread(executor, lambda: connect(path, migrations).close())
    except (apsw.Error, OSError) as error:
        raise failed(path, error) from error
