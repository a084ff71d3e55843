"""Making a SQLite file before anything says that it is there."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path

import apsw

from anamnesis_libs.storage.sqlite import connect, failed


async def make(path: Path, migrations: Sequence[str], executor: Executor) -> None:
    """Make a file, and close it; a cancelled caller waits until it is closed.

    Raises:
        StoreUnavailable: it cannot be made.
    """
    future = asyncio.get_running_loop().run_in_executor(
        executor, lambda: connect(path, migrations).close()
    )
    try:
        await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait([future])
        raise
    except (apsw.Error, OSError) as error:
        raise failed(path, error) from error
