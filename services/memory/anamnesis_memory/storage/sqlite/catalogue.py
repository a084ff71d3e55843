"""The catalogue of a data directory, and opening the namespaces in it."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path

import apsw

from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import StoreFull
from anamnesis_libs.storage.making import make
from anamnesis_libs.storage.queries import load_queries
from anamnesis_libs.storage.reserve import Reserve
from anamnesis_libs.storage.sqlite import FILES_MAX, SUFFIXES, Database
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.ports import Listing
from anamnesis_memory.ports.catalogue import Capabilities, Due
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.group_commit import DEFAULT_BOUNDS, Bounds
from anamnesis_memory.storage.sqlite.namespace import MIGRATIONS as NAMESPACE_MIGRATIONS
from anamnesis_memory.storage.sqlite.namespace import SqliteNamespace

HERE = Path(__file__).parent
QUERIES = load_queries(HERE / "catalogue.sql")
MIGRATIONS = [file.read_text("utf-8") for file in sorted(HERE.glob("migrations/catalogue_*.sql"))]


class SqliteCatalogue:
    """Implements `Catalogue`.

    What is due is remembered, so that repeating it costs nothing. So is when it was last noted, in
    notes counted: one process has the file, and who asked before it ended asks again.
    """

    def __init__(
        self, database: Database, make_file: Callable[[Namespace], Awaitable[None]] | None = None
    ) -> None:
        self._database = database
        self._make_file = make_file
        self._known_due: dict[tuple[str, Work], int] = {}
        self._noted: dict[tuple[str, Work], int] = {}
        self._notes = 0
        self._noting = asyncio.Lock()

    async def get(self, name: str) -> Namespace | None:
        """See `Catalogue.get`."""
        found = await self._records("get_namespace", {"name": name})
        return rows.namespace_of(found[0]) if found else None

    async def create(self, namespace: Namespace) -> Namespace:
        """See `Catalogue.create`; the file comes first, so that one that is missing was lost."""
        if self._make_file is not None:
            await self._make_file(namespace)
        row = rows.namespace_row(namespace)
        await self._database.write(lambda c: c.execute(QUERIES["put_namespace"], row))
        made = await self.get(namespace.name)
        assert made is not None, "just put"
        return made

    async def replace(self, namespace: Namespace, incarnation: str) -> bool:
        """See `Catalogue.replace`."""
        row: rows.Bindings = {**rows.namespace_row(namespace), "replaced": incarnation}
        query = QUERIES["replace_namespace" if incarnation else "put_namespace"]

        def work(connection: apsw.Connection) -> bool:
            connection.execute(query, row)
            return connection.changes() == 1

        return await self._database.write(work)

    async def remove(self, namespace: Namespace) -> bool:
        """See `Catalogue.remove`."""
        row: rows.Bindings = {**rows.namespace_row(namespace), "works": json.dumps([*Work])}

        def work(connection: apsw.Connection) -> bool:
            connection.execute(QUERIES["remove_namespace"], row)
            removed = connection.changes() == 1
            if removed:
                connection.execute(QUERIES["clear_all_due"], row)
            return removed

        async with self._noting:
            removed = await self._database.write(work)
            if removed:
                for kind in Work:
                    self._known_due.pop((namespace.name, kind), None)
        return removed

    async def list(self, after: str, limit: int) -> Listing[Namespace]:
        """See `Catalogue.list`."""
        found = await self._records("list_namespaces", {"after": after, "limit": limit + 1})
        names = [rows.namespace_of(row) for row in found]
        return Listing(names[:limit], names[limit - 1].name if len(names) > limit else None)

    async def set_due(self, name: str, work: Work, at_us: int) -> None:
        """See `Catalogue.set_due`."""
        async with self._noting:
            await self._set_due(name, work, at_us)

    async def due(self, works: Sequence[Work], before_us: int, limit: int) -> Sequence[Due]:
        """See `Catalogue.due`."""
        version = self._notes
        kinds = json.dumps([work.value for work in works])
        bindings: rows.Bindings = {"works": kinds, "before_us": before_us, "limit": limit}
        found = await self._records("list_due", bindings)
        return [
            Due(
                rows.text(row["name"]),
                Work(rows.text(row["work"])),
                rows.number(row["at_us"]),
                version,
            )
            for row in found
        ]

    async def reschedule(self, due: Due, at_us: int | None) -> None:
        """See `Catalogue.reschedule`. If anything was noted since, the earliest time counts."""
        key = (due.name, due.work)
        async with self._noting:
            if self._noted.get(key, 0) > due.version:
                if at_us is not None:
                    await self._set_due(*key, at_us)
                return
            self._note(key)
            self._known_due.pop(key, None)
            row: rows.Bindings = {"work": due.work.value, "name": due.name, "at_us": at_us}
            query = QUERIES["clear_due" if at_us is None else "move_due"]
            await self._database.write(lambda c: c.execute(query, row))
            if at_us is not None:
                self._known_due[key] = at_us

    async def _set_due(self, name: str, work: Work, at_us: int) -> None:
        key = (name, work)
        self._note(key)
        known_us = self._known_due.pop(key, None)
        if known_us is None or known_us > at_us:
            row: rows.Bindings = {"work": work.value, "name": name, "at_us": at_us}
            known_us = await self._database.write(
                lambda c: rows.number(c.execute(QUERIES["set_due"], row).get)
            )
        self._known_due[key] = known_us

    def _note(self, key: tuple[str, Work]) -> None:
        self._notes += 1
        self._noted[key] = self._notes

    async def _records(self, query: str, bindings: rows.Bindings) -> Sequence[rows.Record]:
        return await self._database.read(
            lambda c: rows.records(c.execute(QUERIES[query], bindings))
        )

    async def close(self) -> None:
        """See `Catalogue.close`."""
        await self._database.close()


class SqliteStores:
    """All stores of one data directory; implements `Stores`."""

    def __init__(
        self,
        directory: Path,
        executor: Executor,
        clock: Clock,
        bounds: Bounds,
        database: Database,
    ) -> None:
        self._directory = directory
        self._executor = executor
        self._clock = clock
        self._bounds = bounds
        self._catalogue = SqliteCatalogue(database, self._make)
        self._reserve = Reserve(directory)

    @classmethod
    async def open_directory(
        cls, directory: Path, executor: Executor, clock: Clock, bounds: Bounds = DEFAULT_BOUNDS
    ) -> "SqliteStores":
        """Open or make a data directory.

        Raises:
            StoreUnavailable: its catalogue cannot be opened.
        """
        (directory / "namespaces").mkdir(parents=True, exist_ok=True)
        try:
            database = await Database.open(directory / "catalogue.db", MIGRATIONS, executor)
        except StoreFull:
            # so that a server starts on a full disk, where something is to be deleted
            if not Reserve(directory).let_go():
                raise
            database = await Database.open(directory / "catalogue.db", MIGRATIONS, executor)
        else:
            Reserve(directory).keep()
        return cls(directory, executor, clock, bounds, database)

    @property
    def capabilities(self) -> Capabilities:
        """See `Stores.capabilities`; one process holds the files."""
        return Capabilities(is_shared=False, files_max=FILES_MAX)

    @property
    def catalogue(self) -> SqliteCatalogue:
        """All namespaces."""
        return self._catalogue

    async def open(self, namespace: Namespace) -> SqliteNamespace:
        """See `Stores.open`; the file is named after the incarnation, never after the caller."""
        named = await self._catalogue.get(namespace.name)
        must_exist = named is not None and named.incarnation == namespace.incarnation
        return await self._open(namespace, must_exist=must_exist)

    async def make_room(self) -> bool:
        """See `Stores.make_room`."""
        return self._reserve.let_go()

    async def _open(self, namespace: Namespace, *, must_exist: bool) -> SqliteNamespace:
        path = self._directory / "namespaces" / f"{namespace.incarnation}.db"
        return await SqliteNamespace.open(
            path, self._executor, self._clock, self._bounds, must_exist=must_exist
        )

    async def _make(self, namespace: Namespace) -> None:
        path = self._directory / "namespaces" / f"{namespace.incarnation}.db"
        await make(path, NAMESPACE_MIGRATIONS, self._executor)

    async def discard(self, namespace: Namespace) -> None:
        """See `Stores.discard`."""
        named = await self._catalogue.get(namespace.name)
        if named is not None and named.incarnation == namespace.incarnation:
            return
        directory, name = self._directory / "namespaces", f"{namespace.incarnation}.db"
        await asyncio.get_running_loop().run_in_executor(self._executor, _remove, directory, name)

    async def close(self) -> None:
        """See `Stores.close`."""
        await self._catalogue.close()


def _remove(directory: Path, name: str) -> None:
    """Remove a database and what belongs to it."""
    for suffix in SUFFIXES:
        (directory / f"{name}{suffix}").unlink(missing_ok=True)
