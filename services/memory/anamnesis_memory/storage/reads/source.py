"""The source of rows that reads are written over: named statements, run as a database runs them."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence

from anamnesis_memory.model.memory import Memory
from anamnesis_memory.storage import rows

Parameter = None | int | float | str | bytes | Sequence[str] | Sequence[Sequence[str]]
"""A parameter of a statement; a list is JSON to SQLite and a list to Neo4j."""


class RowSource(ABC):
    """A namespace whose statements are asked by name.

    Every database has a statement of each name that reads ask for, with the same parameters and
    the same columns.
    """

    @abstractmethod
    async def _rows(self, statement: str, **parameters: Parameter) -> list[rows.Record]:
        """Run a named statement that changes nothing."""

    @abstractmethod
    def _memory_of(self, row: rows.Record) -> Memory:
        """A row that is a memory, as this database keeps one."""


def listed(values: Collection[str] | None) -> list[str] | None:
    """Values as a parameter, each once; None is no condition."""
    return None if values is None else list(dict.fromkeys(values))


def some(values: Collection[str]) -> list[str] | None:
    """Values as a parameter, each once; an empty list is no condition."""
    return list(dict.fromkeys(values)) or None
