"""A process that expires the ledgers of a directory's sessions one by one, to be killed.

    python -m tests.support.expiring DIRECTORY SESSIONS

Says "finished" when the pipelines of all are done, then the name of each session that expired.
"""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from anamnesis_memory.ledger.retention import ExpireSession
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from tests.support.clock import SetClock
from tests.support.kept import RETAIN_DAYS, RETAIN_US, lease_of, run_pipeline
from tests.support.records import BASE_US, append

SPACE = Namespace("team-a", "0" * 32, BASE_US, "model", 8)
EVENTS = 200


def texts_of(session_id: str) -> list[str]:
    """What was said in a session."""
    return [f"{session_id} says {number}" for number in range(EVENTS)]


async def main(directory: Path, sessions: int) -> None:
    """Make sessions, and expire them."""
    clock = SetClock()
    with ThreadPoolExecutor(2) as executor:
        stores = await SqliteStores.open_directory(directory, executor, clock)
        store = await stores.open(SPACE)
        names = [f"s-{number}" for number in range(sessions)]
        for name in names:
            await store.commit(append(*texts_of(name), session_id=name, end_session=True))
            await run_pipeline(store, clock, (), name)
        _say("finished")
        clock.move(days=RETAIN_DAYS)
        for name in names:
            await _expire(store, clock, name)


async def _expire(store: NamespaceStore, clock: SetClock, name: str) -> None:
    lease = await lease_of(store, clock, Work.RETAIN, name)
    await store.commit(ExpireSession(lease, RETAIN_US))
    _say(name)


def _say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
