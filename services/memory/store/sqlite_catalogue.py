"""The catalogue of a data directory, and opening the namespaces in it."""

import asyncio
from concurrent.futures import Executor
from pathlib import Path

import apsw

from libs.clock import Clock
from libs.storage.queries import load_queries
from libs.storage.sqlite import Database
from services.memory.model import Namespace, Work
from services.memory.ports import Listing
from services.memory.store import rows
from services.memory.store.group_commit import DEFAULT_BOUNDS, Bounds
from services.memory.store.sqlite import SqliteNamespace

HERE = Path(__file__).parent
QUERIES = load_queries(HERE / "catalogue.sql")
MIGRATIONS = [(HERE / "migrations" / "catalogue_001.sql").read_text(encoding="utf-8")]


class SqliteCatalogue:
    """Implements `Catalogue`. What is due is remembered, so that repeating it costs nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known_due: set[tuple[str, Work]] = set()
        self._setting_due = asyncio.Lock()

    async def get(self, name: str) -> Namespace | None:
        """See `Catalogue.get`."""
        found = await self._database.read(
            lambda c: rows.records(c.execute(QUERIES["get_namespace"], {"name": name}))
        )
        return rows.namespace_of(found[0]) if found else None

    async def create(self, namespace: Namespace) -> Namespace:
        """See `Catalogue.create`."""
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

    async def list(self, after: str, limit: int, due: Work | None) -> Listing[Namespace]:
        """See `Catalogue.list`."""
        query = QUERIES["list_namespaces" if due is None else "list_due_namespaces"]
        bindings: rows.Bindings = {"after": after, "limit": limit + 1}
        if due is not None:
            bindings["work"] = due.value
        found = await self._database.read(lambda c: rows.records(c.execute(query, bindings)))
        names = [rows.namespace_of(row) for row in found]
        return Listing(names[:limit], names[limit - 1].name if len(names) > limit else None)

    async def set_due(self, name: str, work: Work, due: bool) -> None:
        """See `Catalogue.set_due`."""
        query = QUERIES["set_due" if due else "clear_due"]
        row: rows.Bindings = {"work": work.value, "name": name}
        async with self._setting_due:
            if due and (name, work) in self._known_due:
                return
            self._known_due.discard((name, work))
            await self._database.write(lambda c: c.execute(query, row))
            if due:
                self._known_due.add((name, work))

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
        catalogue: SqliteCatalogue,
    ) -> None:
        self._directory = directory
        self._executor = executor
        self._clock = clock
        self._bounds = bounds
        self._catalogue = catalogue

    @classmethod
    async def open_directory(
        cls, directory: Path, executor: Executor, clock: Clock, bounds: Bounds = DEFAULT_BOUNDS
    ) -> "SqliteStores":
        """Open or make a data directory.

        Raises:
            StoreUnavailable: its catalogue cannot be opened.
        """
        (directory / "namespaces").mkdir(parents=True, exist_ok=True)
        database = await Database.open(directory / "catalogue.db", MIGRATIONS, executor)
        return cls(directory, executor, clock, bounds, SqliteCatalogue(database))

    @property
    def catalogue(self) -> SqliteCatalogue:
        """All namespaces."""
        return self._catalogue

    async def open(self, namespace: Namespace) -> SqliteNamespace:
        """See `Stores.open`; the file is named after the incarnation, never after the caller."""
        path = self._directory / "namespaces" / f"{namespace.incarnation}.db"
        return await SqliteNamespace.open(path, self._executor, self._clock, self._bounds)

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
    for suffix in ("", "-wal", "-shm"):
        (directory / f"{name}{suffix}").unlink(missing_ok=True)
