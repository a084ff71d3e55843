"""A process that is killed while it expires ledgers leaves each session whole or expired."""

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from anamnesis_memory.ledger.append import AppendOutcome
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.pipeline import SegmentFilter
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from tests.support.clock import SetClock
from tests.support.expiring import EVENTS, SPACE, texts_of
from tests.support.processes import environment
from tests.support.records import append

pytestmark = pytest.mark.long

SESSIONS, KILLS = 12, 3


async def test_a_session_is_whole_or_expired(tmp_path: Path) -> None:
    generator = random.Random(20)
    for kill in range(KILLS):
        directory = tmp_path / str(kill)
        told = _killed(directory, generator.randrange(1, SESSIONS))
        with ThreadPoolExecutor(2) as executor:
            stores = await SqliteStores.open_directory(directory, executor, SetClock())
            store = await stores.open(SPACE)
            names = [f"s-{number}" for number in range(SESSIONS)]
            states = {name: await _expired(store, name) for name in names}
            assert all(states[name] for name in told), "what was told is lost"
            assert sum(states.values()) <= len(told) + 1
            await store.close()
            await stores.close()


def _killed(directory: Path, after: int) -> list[str]:
    """Kill the process when it has told of so many sessions; answers which."""
    popen = subprocess.Popen(
        [sys.executable, "-m", "tests.support.expiring", str(directory), str(SESSIONS)],
        stdout=subprocess.PIPE,
        env=environment(),
        text=True,
    )
    assert popen.stdout is not None
    assert popen.stdout.readline() == "finished\n"
    told = [popen.stdout.readline().strip() for _ in range(after)]
    popen.kill()
    rest = popen.stdout.read().split()
    popen.wait()
    return told + rest


async def _expired(store: NamespaceStore, name: str) -> bool:
    """Whether a session has expired; it is checked to be all of that, or nothing."""
    session = await store.session(name)
    assert session is not None
    events = (await store.list_events(name, -1, EVENTS + 1)).items
    segments = await store.list_segments(SegmentFilter(name), None, None, 9)
    gone = session.expired_before_index > 0
    assert (session.expired_before_index, session.event_count, len(events), len(segments)) == (
        (EVENTS, 0, 0, 0) if gone else (0, EVENTS, EVENTS, 1)
    )
    done = (await store.commit(append(*texts_of(name), session_id=name))).result
    assert done is not None
    assert {outcome for _, _, outcome in done.results} == {AppendOutcome.UNCHANGED}
    return gone
