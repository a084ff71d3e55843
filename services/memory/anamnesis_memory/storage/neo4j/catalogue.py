"""The catalogue of a suite whose store is Neo4j, and opening the namespaces in it."""

import uuid
from collections.abc import Sequence
from pathlib import Path

from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import AnamnesisError, SchemaNewer
from anamnesis_libs.settings import Storage
from anamnesis_libs.storage.neo4j import (
    Neo4jGraph,
    Row,
    ServerAddress,
    Transaction,
    Value,
    read_password,
)
from anamnesis_libs.storage.queries import load_queries
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.model.sleep_runs import HANDED_OUT
from anamnesis_memory.ports import Listing
from anamnesis_memory.ports.catalogue import Capabilities, Due
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.group_commit import DEFAULT_BOUNDS, Bounds
from anamnesis_memory.storage.neo4j.namespace import Neo4jNamespace
from anamnesis_memory.storage.neo4j.rows import node
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph
from anamnesis_memory.storage.neo4j.upkeep import discard

_NOTED = (Work.REINFORCE, *HANDED_OUT)
HERE = Path(__file__).parent
QUERIES = load_queries(HERE / "catalogue.cypher")
MIGRATIONS = [load_queries(file) for file in sorted(HERE.glob("migrations/*.cypher"))]


def address_of(storage: Storage) -> ServerAddress:
    """The address of the server, by the settings.

    Raises:
        SetupInvalid: the file of the password cannot be read.
    """
    return ServerAddress(
        storage.neo4j_uri,
        storage.neo4j_user,
        read_password(storage.neo4j_password_file),
        storage.neo4j_database,
    )


def _noted(work: Work) -> str:
    """The property of a namespace that notes when a phase is due."""
    return f"due_{work.value}_us"


class Neo4jCatalogue:
    """Implements `Catalogue`.

    All namespaces are in one database, so where work is due is asked of the work itself, by an
    index over all of it: a note of it would be one more write before and after each commit, since
    other replicas change it too, and could only say less. Phases of sleep that no commit makes due
    are noted at their namespace (`_NOTED`).
    """

    def __init__(self, graph: Neo4jGraph, catalogue: str) -> None:
        self._graph = graph
        self._catalogue = catalogue

    async def get(self, name: str) -> Namespace | None:
        """See `Catalogue.get`."""
        found = await self._read("get_namespace", name=name)
        return rows.namespace_of(node(found[0])) if found else None

    async def create(self, namespace: Namespace) -> Namespace:
        """See `Catalogue.create`."""
        await self._put("put_namespace", namespace)
        made = await self.get(namespace.name)
        assert made is not None, "just put"
        return made

    async def replace(self, namespace: Namespace, incarnation: str) -> bool:
        """See `Catalogue.replace`."""
        if incarnation:
            return await self._put("replace_namespace", namespace, replaced=incarnation)
        return await self._put("put_namespace", namespace)

    async def remove(self, namespace: Namespace) -> bool:
        """See `Catalogue.remove`; what is due is told by the work, which nobody asks any more."""
        named: Row = {"name": namespace.name, "incarnation": namespace.incarnation}
        bindings = {**named, "catalogue": self._catalogue}
        was_there = False

        async def work(transaction: Transaction) -> None:
            nonlocal was_there
            found = await transaction.run(QUERIES["remove_namespace"], bindings)
            was_there = was_there or bool(found)

        await self._graph.write(work)
        return was_there

    async def list(self, after: str, limit: int) -> Listing[Namespace]:
        """See `Catalogue.list`."""
        found = await self._read("list_namespaces", after=after, limit=limit + 1)
        names = [rows.namespace_of(node(row)) for row in found]
        return Listing(names[:limit], names[limit - 1].name if len(names) > limit else None)

    async def set_due(self, name: str, work: Work, at_us: int) -> None:
        """See `Catalogue.set_due`: of most work the commit that makes it due says so itself."""
        if work in _NOTED:
            noted = _noted(work)
            due: Value = {noted: at_us}
            await self._write("note_due", name=name, noted=noted, at_us=at_us, due=due)

    async def due(self, works: Sequence[Work], before_us: int, limit: int) -> Sequence[Due]:
        """See `Catalogue.due`; takes as long as there is work that is ready, none is no time."""
        asked: dict[str, Value] = {"before_us": before_us, "limit": limit}
        kinds: list[Value] = [work.value for work in works if work not in _NOTED]
        noted: list[Value] = [work.value for work in works if work in _NOTED]
        found = await self._read("list_due", works=kinds, **asked) if kinds else []
        notes = await self._read("list_noted", works=noted, **asked) if noted else []
        listed = [
            Due(
                rows.text(row["name"]),
                Work(rows.text(row["work"])),
                rows.number(row["at_us"]),
                version=rows.number(row.get("version", 0)),
            )
            for row in map(node, (*found, *notes))
        ]
        return sorted(listed, key=lambda one: (one.at_us, one.name, one.work.value))[:limit]

    async def reschedule(self, due: Due, at_us: int | None) -> None:
        """See `Catalogue.reschedule`: of most work what is ready there is told by itself."""
        if due.work not in _NOTED:
            return
        put: Value = {_noted(due.work): at_us}
        moved = await self._write("move_noted", name=due.name, due=put, version=due.version)
        if not moved and at_us is not None:
            await self.set_due(due.name, due.work, at_us)

    async def close(self) -> None:
        """See `Catalogue.close`."""
        await self._graph.close()

    async def _read(self, query: str, **parameters: Value) -> Sequence[Row]:
        return await self._graph.read(QUERIES[query], {**parameters, "catalogue": self._catalogue})

    async def _write(self, query: str, **parameters: Value) -> Sequence[Row]:
        bindings = {**parameters, "catalogue": self._catalogue}
        return await self._graph.write(lambda tx: tx.run(QUERIES[query], bindings))

    async def _put(self, query: str, namespace: Namespace, **parameters: Value) -> bool:
        """Put a namespace if the statement lets it; answers whether this call did, at any try."""
        put_by = uuid.uuid4().hex
        row: Row = {
            "ns": namespace.incarnation,
            "incarnation": namespace.incarnation,
            "create_time_us": namespace.create_time_us,
            "embedding_model": namespace.embedding_model,
            "embedding_dimension": namespace.embedding_dimension,
            "put_by": put_by,
        }
        found = await self._write(query, name=namespace.name, row=row, **parameters)
        return any(told["put_by"] == put_by for told in found)


class Neo4jStores:
    """All stores of one catalogue in one database; implements `Stores`."""

    def __init__(
        self,
        graph: Neo4jGraph,
        clock: Clock,
        bounds: Bounds,
        catalogue: str,
        spool_directory: Path | None,
    ) -> None:
        self._graph = graph
        self._spool_directory = spool_directory
        self._clock = clock
        self._bounds = bounds
        self._catalogue = Neo4jCatalogue(graph, catalogue)

    @classmethod
    async def open_database(
        cls,
        address: ServerAddress,
        clock: Clock,
        catalogue: str,
        bounds: Bounds = DEFAULT_BOUNDS,
        spool_directory: Path | None = None,
    ) -> "Neo4jStores":
        """Connect, and bring the schema up to date.

        Exports pass through a file in `spool_directory`, else where the system keeps such files.

        Raises:
            SetupInvalid: the address is none.
            StoreUnavailable: the server does not answer.
            SchemaNewer: its data is of a newer version.
        """
        graph = await Neo4jGraph.open(address)
        try:
            await migrate(graph)
        except AnamnesisError:
            await graph.close()
            raise
        return cls(graph, clock, bounds, catalogue, spool_directory)

    @property
    def capabilities(self) -> Capabilities:
        """See `Stores.capabilities`; replicas share the database."""
        return Capabilities(is_shared=True, files_max=0)

    @property
    def catalogue(self) -> Neo4jCatalogue:
        """All namespaces."""
        return self._catalogue

    async def open(self, namespace: Namespace) -> Neo4jNamespace:
        """See `Stores.open`."""
        return await Neo4jNamespace.open(
            self._graph,
            namespace.incarnation,
            self._clock,
            self._bounds,
            self._spool_directory,
        )

    async def make_room(self) -> bool:
        """See `Stores.make_room`; the disk is the server's."""
        return False

    async def discard(self, namespace: Namespace) -> None:
        """See `Stores.discard`; some at a time."""
        named = await self._catalogue.get(namespace.name)
        if named is None or named.incarnation != namespace.incarnation:
            await discard(NamespaceGraph(self._graph, namespace.incarnation))

    async def close(self) -> None:
        """See `Stores.close`."""
        await self._catalogue.close()


async def migrate(graph: Neo4jGraph) -> None:
    """Run what the database has not seen; each statement may run twice, so replicas may race.

    Raises:
        SchemaNewer: the database was written by a newer version.
    """
    found = await graph.read(QUERIES["get_schema"], {})
    version = max((rows.number(node(row)["version"]) for row in found), default=0)
    if version > len(MIGRATIONS):
        raise SchemaNewer(
            f"the database has schema {version}, this version knows {len(MIGRATIONS)}: "
            "start a newer Anamnesis on it",
        )
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        for statement in statements.values():
            await _run(graph, statement, {})
        await _run(graph, QUERIES["set_schema"], {"version": number})


async def _run(graph: Neo4jGraph, statement: str, parameters: Row) -> None:
    """Run a statement of the schema; one that answers something is not done yet."""
    while await graph.write(lambda tx: tx.run(statement, parameters)):
        pass
