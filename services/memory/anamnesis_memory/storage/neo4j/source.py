"""The rows of a namespace of a graph, for the reads that all databases share."""

from anamnesis_memory.model.memory import Memory
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.rows import memory_of, node
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph
from anamnesis_memory.storage.reads.source import Parameter, RowSource


class Neo4jSource(RowSource):
    """Runs the named statements on `_scope`, a namespace of the graph."""

    _scope: NamespaceGraph

    async def _rows(self, statement: str, **parameters: Parameter) -> list[rows.Record]:
        return [node(row) for row in await self._scope.read(statement, **parameters)]

    def _memory_of(self, row: rows.Record) -> Memory:
        return memory_of(row)
