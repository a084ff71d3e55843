"""What the files of a namespace hold of what was deleted: by their bytes."""

import random
import re
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from anamnesis_libs.clock import SystemClock
from anamnesis_libs.errors import StoreUnavailable
from anamnesis_libs.storage import sqlite
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Memory, Namespace
from anamnesis_memory.ports import WriteSet
from anamnesis_memory.preparation.archive import PutUpload
from anamnesis_memory.storage.group_commit import DEFAULT_BOUNDS
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from anamnesis_memory.storage.sqlite.namespace import SqliteNamespace
from tests.support.kept import upload
from tests.support.life import copy, created, document, everything, put
from tests.support.records import BASE_US, DIMENSION, append, lesson, rows

CANARY = re.compile(rb"canary-\d{5}")


@pytest.fixture
async def threads() -> AsyncIterator[ThreadPoolExecutor]:
    """Threads for the database."""
    with ThreadPoolExecutor(2) as executor:
        yield executor


async def opened(path: Path, threads: ThreadPoolExecutor) -> SqliteNamespace:
    """The namespace of a file."""
    return await SqliteNamespace.open(path, threads, SystemClock(), DEFAULT_BOUNDS)


def canaries(directory: Path) -> set[bytes]:
    """The canaries in any file of a directory."""
    return {found for path in directory.iterdir() for found in CANARY.findall(path.read_bytes())}


def marked(number: int, times: int) -> Memory:
    """A lesson whose text, tag and digest of words are a canary's."""
    word = f"canary-{number:05}"
    return lesson(f"{word} " * times, tags=(word,), agent_id=word)


async def grow(store: SqliteNamespace, chosen: random.Random) -> dict[bytes, Memory]:
    """Store lessons of all sizes, change some and delete many; answers those that are left."""
    left: dict[bytes, Memory] = {}
    for start in range(0, 300, 20):
        new = [
            marked(number, chosen.choice((1, 3, 20, 80, 300)))
            for number in range(start, start + 20)
        ]
        await put(
            store,
            WriteSet(
                memories=tuple(new),
                embeddings={one.memory_id: rows(1.0) for one in new},
                digests={one.memory_id: one.tags[0].encode() for one in new},
                copies=tuple(copy(one.tags[0], one.memory_id, one) for one in new),
            ),
        )
        left |= {one.tags[0].encode(): one for one in new}
        grown = [
            replace(one, content=one.content * 2) for one in chosen.sample([*left.values()], 5)
        ]
        await put(store, WriteSet(memories=tuple(grown)))
        gone = chosen.sample(sorted(left), 15)
        await put(store, WriteSet(deleted_memories=tuple(left.pop(one).memory_id for one in gone)))
    return left


@pytest.mark.parametrize("seed", range(3))
async def test_scrubbed_files_hold_nothing_of_what_was_deleted(
    tmp_path: Path, threads: ThreadPoolExecutor, seed: int
) -> None:
    store = await opened(tmp_path / "space.db", threads)
    left = await grow(store, random.Random(seed))
    before = canaries(tmp_path)
    assert before > set(left), "the log has it, and what moving rows has left in the pages"
    assert await store.scrub() == 1
    assert canaries(tmp_path) == set(left)
    assert len(await everything(store)) == len(left)
    await created(store, lesson("life goes on"))
    await store.close()
    assert canaries(tmp_path) == set(left)


async def test_an_erased_session_is_in_no_file(tmp_path: Path, threads: ThreadPoolExecutor) -> None:
    store = await opened(tmp_path / "space.db", threads)
    word = "canary-00007"
    await store.commit(append(word, f"{word} " * 2_000, session_id=word))
    await store.commit(PutUpload(upload(word, word, b"canary-00008" * 1_000)))
    await put(store, WriteSet(documents=(document("a", word, session_id=word),)))
    assert canaries(tmp_path) == {b"canary-00007", b"canary-00008"}
    drawers = tuple(one.memory_id for one in await everything(store))
    await put(store, WriteSet(deleted_memories=drawers, erased_sessions=(word,)))
    assert canaries(tmp_path), "still in the log"
    await store.scrub()
    assert canaries(tmp_path) == set()
    await store.close()


async def test_reads_go_on_while_files_are_written_anew(
    tmp_path: Path, threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 50)
    store = await opened(tmp_path / "space.db", threads)
    held = await created(store, *(marked(number, 3) for number in range(3)))
    async with store.export() as export:
        await put(store, WriteSet(deleted_memories=(held[0].memory_id,)))
        with pytest.raises(StoreUnavailable, match="still read"):
            await store.scrub()
        seen = [record async for page in export.pages for record in page]
        assert sum("canary-00000" in repr(record) for record in seen) >= 1
    await store.scrub()
    assert canaries(tmp_path) == {b"canary-00001", b"canary-00002"}
    await store.close()


async def test_what_lies_in_a_file_and_in_no_table_is_found(
    tmp_path: Path, threads: ThreadPoolExecutor
) -> None:
    store = await opened(tmp_path / "space.db", threads)
    (held,) = await created(store, marked(1, 3))
    await put(store, WriteSet(deleted_memories=(held.memory_id,)))
    occurrences, looked = await store.occurrences(["nothing", "CANARY-00001"])
    assert {(one.place, one.needle) for one in occurrences} == {("space.db-wal", 1)}
    assert looked > 3
    with (tmp_path / "space.db").open("ab") as file:
        file.write("Canary-00001".encode("utf-16-le"))
    occurrences, _ = await store.occurrences(["canary-00001"])
    assert {one.place for one in occurrences} == {"space.db", "space.db-wal"}
    await store.close()


async def test_a_discarded_namespace_leaves_no_file(
    tmp_path: Path, threads: ThreadPoolExecutor
) -> None:
    stores = await SqliteStores.open_directory(tmp_path, threads, SystemClock())
    space = Namespace("space", new_incarnation(BASE_US), BASE_US, "model", DIMENSION)
    await stores.catalogue.create(space)
    store = await stores.open(space)
    await created(store, marked(1, 3))
    files = tmp_path / "namespaces"
    names = {path.name.removeprefix(space.incarnation) for path in files.iterdir()}
    assert names == {".db", ".db-wal", ".db-shm"}
    await stores.catalogue.remove(space)
    await store.close()
    for suffix in (".db-wal", ".db-shm"):
        (files / f"{space.incarnation}{suffix}").write_bytes(b"left by a process that was killed")
    await stores.discard(space)
    assert not list(files.iterdir())
    await stores.close()
