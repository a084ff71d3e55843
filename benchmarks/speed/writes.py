"""`python -m benchmarks.speed.writes`: what an append costs the memory service, part by part.

Preparation and the store's commit are called as the service calls them, without gRPC and without
an index that follows. Beside them is what nobody could do in less: a bare commit of SQLite, which
is the disk's part, and the same rows put into Neo4j by its driver alone.
"""

import asyncio
import logging
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from neo4j import AsyncGraphDatabase
from rich.console import Console
from rich.table import Table

from anamnesis_libs.clock import SystemClock
from anamnesis_libs.redaction.redactor import PolicyRedactor
from anamnesis_libs.storage.neo4j import ServerAddress
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.ledger.append import AppendEvents, NewEvent
from anamnesis_memory.model.ids import new_id, new_incarnation
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.model.memory_details import Role
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.storage.neo4j.catalogue import Neo4jStores
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from benchmarks.neo4j_server import running_neo4j
from benchmarks.options import data_option
from benchmarks.speed.limits import bare_commit
from benchmarks.speed.raw_neo4j import raw_batches, stored_rows
from benchmarks.speed.talk import Talk, read_talk
from benchmarks.speed.timing import Timed

_BASE_US = 1_770_000_000_000_000
_APART_US = 60_000_000
SESSION_TURNS = 400
SIZES = (1, 20, 256)
WAITING = 64
WARM_UP = 5
_SENT = "C: "
_WAYS = frozenset({"BEGIN", "RUN", "COMMIT"})


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a write, timed; processor seconds are of this process, for all calls together."""

    timed: Timed
    events: int
    processor_s: float

    @property
    def processor_ms(self) -> float:
        """Milliseconds of the processor a call."""
        return 1_000 * self.processor_s / len(self.timed.taken_s)

    @property
    def rate(self) -> float:
        """Events a second."""
        return self.events * len(self.timed.taken_s) / sum(self.timed.taken_s)


class Writes:
    """The talk as writes of so many events each, prepared when they are made."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._prepare = Preparer(PolicyRedactor(), load_counter("o200k_base"))
        self._made = 0

    @property
    def sessions(self) -> list[str]:
        """The sessions so far."""
        return [f"s-{number}" for number in range(self._made // SESSION_TURNS + 1)]

    def next(self, events: int) -> AppendEvents:
        """The next write, not prepared; it ends with its session at the latest."""
        session, first = divmod(self._made, SESSION_TURNS)
        count = min(events, SESSION_TURNS - first)
        self._made += count
        made = tuple(
            self._event(session * SESSION_TURNS + at, at) for at in range(first, first + count)
        )
        return AppendEvents(f"s-{session}", made, idle_us=_APART_US)

    def ready(self, write: AppendEvents) -> AppendEvents:
        """A write as it is stored."""
        return self._prepare.append(write)

    def _event(self, number: int, index: int) -> NewEvent:
        name, text = self._talk.turn(number)
        now_us = _BASE_US + number * _APART_US
        return NewEvent(
            memory_id=new_id(now_us),
            role=Role.USER,
            content=text,
            digest=b"",
            summary="",
            overview="",
            token_count=0,
            index=index,
            name=name,
            event_time_us=now_us,
        )


@click.command()
@data_option("locomo-dev.json")
@click.option("--calls", default=200, show_default=True, help="Calls of each kind.")
@click.option("--neo4j", is_flag=True, help="Neo4j too: one of its own, or that of --neo4j-uri.")
@click.option("--neo4j-uri", default="", help="A Neo4j that runs already.")
def main(data_dir: Path, calls: int, neo4j: bool, neo4j_uri: str) -> None:
    """Time the parts of a write, one call after the other."""
    talk = read_talk(data_dir)
    _print("SQLite", asyncio.run(_embedded(talk, calls)))
    if neo4j or neo4j_uri:
        with running_neo4j(neo4j_uri) as (uri, version):
            _print(version, asyncio.run(_neo4j(talk, calls, uri)))


async def _embedded(talk: Talk, calls: int) -> list[Part]:
    writes = Writes(talk)
    parts = [_prepared(writes, calls)]
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder:
        place = Path(folder)
        with ThreadPoolExecutor(4) as executor:
            stores = await SqliteStores.open_directory(place / "data", executor, SystemClock())
            async with _opened(stores) as store:
                parts += [await _committed(store, writes, size, calls) for size in SIZES]
                parts.append(await _crowded(store, writes, calls))
        begun_s = time.process_time()
        bare = bare_commit(place, 0, [text for _, text in talk.turns[:calls]])
        parts.append(Part(bare, 1, time.process_time() - begun_s))
    return parts


async def _neo4j(talk: Talk, calls: int, uri: str) -> list[Part]:
    writes = Writes(talk)
    stores = await Neo4jStores.open_database(ServerAddress(uri), SystemClock(), new_id(_BASE_US))
    async with _opened(stores) as store:
        parts = [await _committed(store, writes, size, calls) for size in SIZES]
        parts.append(await _crowded(store, writes, calls))
        click.echo(f"ways to the server: {await _ways(store, writes)}", err=True)
        kept = await stored_rows(store, writes.sessions)
    async with AsyncGraphDatabase.driver(uri) as driver:
        for size in SIZES:
            begun_s = time.process_time()
            raw = await raw_batches(driver, kept[: size * calls], size)
            parts.append(Part(raw, size, time.process_time() - begun_s))
    return parts


@asynccontextmanager
async def _opened(stores: Stores) -> AsyncIterator[NamespaceStore]:
    """A namespace of its own."""
    store = await stores.open(Namespace("speed", new_incarnation(_BASE_US), _BASE_US, "none", 1))
    try:
        yield store
    finally:
        await store.close()
        await stores.close()


def _prepared(writes: Writes, calls: int) -> Part:
    """Redaction, tokens, levels and digests of one event."""
    taken_s = []
    made = [writes.next(1) for _ in range(calls)]
    begun_s = time.process_time()
    for write in made:
        start_s = time.perf_counter()
        writes.ready(write)
        taken_s.append(time.perf_counter() - start_s)
    return Part(Timed("preparation of 1", 0, taken_s), 1, time.process_time() - begun_s)


async def _committed(store: NamespaceStore, writes: Writes, size: int, calls: int) -> Part:
    """Commits of so many events, one after the other."""
    made = [writes.ready(writes.next(size)) for _ in range(WARM_UP + max(calls // size, WARM_UP))]
    for write in made[:WARM_UP]:
        await store.commit(write)
    taken_s = []
    begun_s = time.process_time()
    for write in made[WARM_UP:]:
        start_s = time.perf_counter()
        await store.commit(write)
        taken_s.append(time.perf_counter() - start_s)
    return Part(Timed(f"commit of {size}", 0, taken_s), size, time.process_time() - begun_s)


async def _crowded(store: NamespaceStore, writes: Writes, calls: int) -> Part:
    """Commits of one event that all wait at once, as many clients make them."""
    rounds = [
        [writes.ready(writes.next(1)) for _ in range(WAITING)]
        for _ in range(max(calls // WAITING, WARM_UP))
    ]
    await asyncio.gather(*map(store.commit, rounds[0]))
    taken_s = []
    begun_s = time.process_time()
    for made in rounds[1:]:
        start_s = time.perf_counter()
        await asyncio.gather(*map(store.commit, made))
        taken_s.append(time.perf_counter() - start_s)
    named = Timed(f"commits of 1, {WAITING} at once", 0, taken_s)
    return Part(named, WAITING, time.process_time() - begun_s)


class _Ways(logging.Handler):
    """Counts what the driver sends and waits for, by its own log."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.counted: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Count a message to the server."""
        _, sent, told = record.getMessage().partition(_SENT)
        word = told.split(" ", 1)[0]
        if sent and word in _WAYS:
            self.counted[word] += 1


async def _ways(store: NamespaceStore, writes: Writes) -> str:
    """Count the round trips of commits of 1 and of 20."""
    told = []
    for size in (1, 20):
        write = writes.ready(writes.next(size))
        handler, log = _Ways(), logging.getLogger("neo4j.io")
        level = log.level
        log.addHandler(handler)
        log.setLevel(logging.DEBUG)
        await store.commit(write)
        log.setLevel(level)
        log.removeHandler(handler)
        told.append(f"commit of {size}: {handler.counted.total()}")
    return ", ".join(told)


def _print(title: str, parts: Sequence[Part]) -> None:
    table = Table("part", "p50 ms", "p95 ms", "processor ms", "events/s", title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    for part in parts:
        timed = part.timed
        table.add_row(
            timed.what,
            f"{timed.at(0.5):.2f}",
            f"{timed.at(0.95):.2f}",
            f"{part.processor_ms:.2f}",
            f"{part.rate:,.0f}",
        )
    Console().print(table)


if __name__ == "__main__":
    main()
