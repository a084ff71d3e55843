"""Reads of the life of memories in SQLite: traces of texts, and what the file still holds."""

from collections.abc import Sequence

from anamnesis_memory.ports.life import Occurrence
from anamnesis_memory.storage.reads.life import LifeReader
from anamnesis_memory.storage.sqlite.source import SqliteSource
from anamnesis_memory.storage.sqlite.traces import occurrences_in, scrubbed


class SqliteLife(LifeReader, SqliteSource):
    """Implements `LifeReads`; a part of `SqliteNamespace`."""

    async def occurrences(self, needles: Sequence[str]) -> tuple[Sequence[Occurrence], int]:
        """See `LifeReads.occurrences`."""
        return await occurrences_in(self._database, needles)

    async def scrub(self) -> int:
        """See `LifeReads.scrub`."""
        return await scrubbed(self._database)

    async def empty_log(self) -> bool:
        """See `LifeReads.empty_log`."""
        return await self._database.empty_log()
