"""Traces of texts in Neo4j: every property of every node and relationship of a namespace.

The search is not the server's: escaped JSON, bytes and packed texts can only be read here.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from anamnesis_libs.storage.neo4j import Row, Transaction, Value
from anamnesis_memory.ports.life import Occurrence
from anamnesis_memory.storage.neo4j.rows import texts
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph
from anamnesis_memory.storage.neo4j.upkeep import WHOLE_S_MAX
from anamnesis_memory.storage.neo4j.uploads import stream_uploads
from anamnesis_memory.storage.text_scan import Search


async def find_occurrences(
    scope: NamespaceGraph, needles: Sequence[str]
) -> tuple[Sequence[Occurrence], int]:
    """Look for texts; a place is `Label.property`, or `TYPE.property` of a relationship."""

    async def work(transaction: Transaction) -> Search:
        tx, search = scope.within(transaction), Search(needles)
        async for row in tx.stream("every_node"):
            _look_through(row, search)
        async for upload in stream_uploads(tx):
            search.value("UploadPiece.packed", upload["packed"])
        return search

    search = await scope.graph.write(work, timeout_s=WHOLE_S_MAX)
    return search.found, search.looked


def _look_through(row: Row, search: Search) -> None:
    """A node and the relationships that begin there."""
    labels = texts(row["labels"])
    _look_at("Memory" if "Memory" in labels else labels[0], row["properties"], search)
    for link in cast("Sequence[Row]", row["links"]):
        _look_at(str(link["type"]), link["properties"], search)


def _look_at(of: str, properties: Value, search: Search) -> None:
    for name, value in cast("Mapping[str, Value]", properties).items():
        for held in value if isinstance(value, list) else (value,):
            search.value(f"{of}.{name}", held)
