"""Reads of the life of memories in Neo4j: traces of texts."""

from collections.abc import Sequence

from anamnesis_memory.ports.life import Occurrence
from anamnesis_memory.storage.neo4j.source import Neo4jSource
from anamnesis_memory.storage.neo4j.traces import find_occurrences
from anamnesis_memory.storage.reads.life import LifeReader


class Neo4jLife(LifeReader, Neo4jSource):
    """Implements `LifeReads`; a part of `Neo4jNamespace`."""

    async def occurrences(self, needles: Sequence[str]) -> tuple[Sequence[Occurrence], int]:
        """See `LifeReads.occurrences`; there are no files but the server's own."""
        return await find_occurrences(self._scope, needles)

    async def scrub(self) -> int:
        """See `LifeReads.scrub`; docs/neo4j.md says how to make a server let go of bytes."""
        return 0

    async def empty_log(self) -> bool:
        """See `LifeReads.empty_log`; the server's log is pruned by its own rules."""
        return True
