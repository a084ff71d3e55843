"""The catalogue of a data directory, and opening the namespaces in it."""

import asyncio
from concurrent.futures import Executor
from pathlib import Path

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
        row: rows.Bindings = {
            "name": namespace.name,
            "incarnation": namespace.incarnation,
            "create_time_us": namespace.create_time_us,
            "embedding_model": namespace.embedding_model,
            "embedding_dimension": namespace.embedding_dimension,
        }
        await self._database.write(lambda c: c.execute(QUERIES["put_namespace"], row))
        made = await self.get(namespace.name)
        assert made is not None, "just put"
        return made

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

    async def close(self) -> None:
        """See `Stores.close`."""
        await self._catalogue.close()
