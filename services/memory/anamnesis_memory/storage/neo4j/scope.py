"""The one way to the nodes of a namespace: named statements that cannot leave it.

Every statement gets `$ns`, the namespace's incarnation. `refuse_unscoped` reads the statements
when they are loaded and refuses any that names nodes by label without that condition.
"""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from anamnesis_libs.storage.neo4j import Neo4jGraph, Row, Transaction, Value, chunks
from anamnesis_libs.storage.queries import load_queries
from anamnesis_memory.storage.neo4j.macros import spelled_out

_COMMENT = re.compile(r"//.*")
_IMPORTED = re.compile(r"\bCALL \([\w, ]*\)")
_NODE = re.compile(r"(?<!\w)\(\s*(\w*)\s*(:[^(){}]*)?(\{[^{}]*\})?\s*\)")
_SCOPED = re.compile(r"\{ns: \$ns\b")


def refuse_unscoped(queries: Mapping[str, str]) -> Mapping[str, str]:
    """Pass statements on whose every node is of the namespace.

    Raises:
        ValueError: one names a node without `{ns: $ns` that no such pattern has bound.
    """
    for name, statement in queries.items():
        bound: set[str] = set()
        for variable, label, properties in _NODE.findall(
            _IMPORTED.sub("CALL", _COMMENT.sub("", statement))
        ):
            if _SCOPED.match(properties):
                bound |= {variable} - {""}
            elif label or variable not in bound:
                raise ValueError(f"{name} reaches ({variable}{label}) outside its namespace")
    return queries


HERE = Path(__file__).parent
_FILES = (
    *("namespace", "pipeline", "retention", "uploads", "life"),
    *("erasure", "upkeep", "facts", "entities", "graph", "json_documents"),
)
QUERIES = refuse_unscoped(
    spelled_out(
        {
            name: statement
            for file in _FILES
            for name, statement in load_queries(HERE / f"{file}.cypher").items()
        }
    )
)

TOGETHER = (
    *("put_wings", "put_sessions", "link_sessions", "put_events", "put_memories", "put_work"),
    *("follow_on", "follow", "put_requests", "put_clock"),
)
"""The statements that nearly every commit runs, in this order; that of memories alone answers."""
ROWS_MAX = 1_000


def as_one(queries: Mapping[str, str], names: Sequence[str]) -> str:
    """Statements over `$rows` as one that takes one way to the server and back.

    Their rows are in one map, `$put`: so there is one plan, however many rows each has.
    """
    parts = (queries[name].replace("$rows", f"$put.{name}") for name in names)
    return "".join(f"CALL () {{\n{part}\n}}\n" for part in parts) + "RETURN row"


PUT_TOGETHER = as_one(QUERIES, TOGETHER)
PUT_UNMOVED = as_one(QUERIES, ("lock_unmoved", *TOGETHER))
LOOK = QUERIES["load"].replace("SET c.locked_by = $locked_by\n", "", 1)


class ScopedTransaction:
    """An open transaction on one namespace."""

    def __init__(self, transaction: Transaction, ns: str) -> None:
        self._transaction = transaction
        self._ns = ns

    async def run(self, query: str, **parameters: Value) -> list[Row]:
        """Run a named statement."""
        return await self._transaction.run(QUERIES[query], {**parameters, "ns": self._ns})

    async def look(self, **parameters: Value) -> list[Row]:
        """Run `load` without its lock."""
        return await self._transaction.run(LOOK, {**parameters, "ns": self._ns})

    def stream(self, query: str) -> AsyncIterator[Row]:
        """Run a named statement and take its rows as they come."""
        return self._transaction.stream(QUERIES[query], {"ns": self._ns})

    async def put(self, query: str, rows: Sequence[Row]) -> list[Row]:
        """Run a named statement over `$rows`, some at a time; none are no call."""
        return [row for part in chunks(rows) for row in await self.run(query, rows=part)]

    async def put_together(self, rows: Mapping[str, Sequence[Row]]) -> list[Row]:
        """Run the statements of `TOGETHER` over their rows, as one where they are not too many.

        Returns:
            What that of memories does.
        """
        if not any(rows.values()):
            return []
        if max(map(len, rows.values())) > ROWS_MAX:
            return [row for name in TOGETHER for row in await self.put(name, rows.get(name, ()))]
        put = {name: list(rows.get(name, ())) for name in TOGETHER}
        return await self._transaction.run(PUT_TOGETHER, {"put": put, "ns": self._ns})

    async def put_unmoved(
        self, rows: Mapping[str, Sequence[Row]], clock: Row, locked_by: str
    ) -> list[Row]:
        """Run the statements of `TOGETHER`, and the lock with them, if the clock is still this one.

        Returns:
            What that of memories does; nothing where another commit came between.
        """
        put = {name: list(rows.get(name, ())) for name in TOGETHER}
        seen = {"commits": clock["commits"], "revision": clock["revision"]}
        held: Row = {"put": put, "ns": self._ns, **seen, "locked_by": locked_by}
        return await self._transaction.run(PUT_UNMOVED, held)

    async def each(self, query: str, ids: Sequence[str]) -> list[Row]:
        """Run a named statement over `$ids`; none are no call."""
        return await self.run(query, ids=list(ids)) if ids else []


class NamespaceGraph:
    """One namespace of a graph."""

    def __init__(self, graph: Neo4jGraph, ns: str) -> None:
        self.graph = graph
        self._ns = ns

    def within(self, transaction: Transaction) -> ScopedTransaction:
        """The namespace inside a transaction."""
        return ScopedTransaction(transaction, self._ns)

    async def read(self, query: str, **parameters: Value) -> list[Row]:
        """Run a named statement that changes nothing."""
        return await self.graph.read(QUERIES[query], {**parameters, "ns": self._ns})
