"""What the file of a namespace gives away of what was deleted, and what an upgrade finds to do."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from anamnesis_libs.clock import SystemClock
from anamnesis_libs.storage.sqlite import connect
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.learn import tombstone_of
from anamnesis_memory.model.memory import Caller, Work
from anamnesis_memory.model.work import WorkState
from anamnesis_memory.ports.pipeline import WorkFilter
from anamnesis_memory.storage.group_commit import DEFAULT_BOUNDS
from anamnesis_memory.storage.sqlite.namespace import MIGRATIONS, SqliteNamespace
from tests.support.pipeline import taught

SECRET = taught("canary: the safe opens with 4711")


@pytest.fixture
async def threads() -> AsyncIterator[ThreadPoolExecutor]:
    """Threads for the database."""
    with ThreadPoolExecutor(2) as executor:
        yield executor


async def opened(path: Path, threads: ThreadPoolExecutor) -> SqliteNamespace:
    """The namespace of a file."""
    return await SqliteNamespace.open(path, threads, SystemClock(), DEFAULT_BOUNDS)


async def forgotten(path: Path, threads: ThreadPoolExecutor) -> tuple[bytes, bytes]:
    """Delete a secret; answers the key and the mark that are left of it."""
    store = await opened(path, threads)
    (made,) = (await store.commit(CreateMemories([SECRET], [None]))).result or ()
    await store.commit(DeleteMemory(made.memory.memory_id, Caller()))
    await store.close()
    connection = apsw.Connection(str(path))
    key = connection.execute("SELECT value FROM secrets").get
    mark = connection.execute("SELECT mark FROM tombstones").get
    connection.close()
    return key, mark


async def test_a_tombstone_tells_nothing_without_the_key_of_its_namespace(
    tmp_path: Path, threads: ThreadPoolExecutor
) -> None:
    one_key, one = await forgotten(tmp_path / "one.db", threads)
    two_key, two = await forgotten(tmp_path / "two.db", threads)
    assert (len(one_key), len(one)) == (32, 32)
    assert one_key != two_key
    assert one != two
    left = (tmp_path / "one.db").read_bytes()
    assert tombstone_of(SECRET) not in left
    assert b"canary" not in left


@pytest.mark.parametrize(("assigned", "states"), [(0, [WorkState.PENDING]), (1, [])])
async def test_lessons_of_an_older_version_are_still_to_be_clustered(
    tmp_path: Path, threads: ThreadPoolExecutor, assigned: int, states: list[WorkState]
) -> None:
    path = tmp_path / "old.db"
    old = connect(path, MIGRATIONS[:4])
    old.execute(
        "INSERT INTO memories VALUES (1, 'm-1', 'learning', '', 'a lesson', '', '', '[]', '[]',"
        " 0.5, 0.8, 'warm', 'active', 'shared', '', '', '', NULL, NULL, 0, 0, 1,"
        " '{\"origin\": \"asserted\"}', 'asserted', '', 0, 0, 0, '{\"title\": \"t\"}')"
    )
    old.execute("UPDATE meta SET value = ? WHERE key = 'assigned_revision'", (assigned,))
    old.close()
    store = await opened(path, threads)
    work = await store.list_work(WorkFilter(), None, 9)
    assert [(item.kind, item.state) for item in work] == [(Work.CLUSTER, one) for one in states]
    (memory,) = await store.memories(["m-1"], None)
    assert memory.part is not None
    await store.close()
