"""Memories and what the index keeps of them, as a store reads them."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from anamnesis_memory.model.expiry import Expiring
from anamnesis_memory.model.memory import Caller, Memory, MemoryFilter, Vectors
from anamnesis_memory.ports.listing import Listing
from anamnesis_memory.ports.writes import IndexRecord


class MemoryReads(Protocol):
    """Memories and their vectors. Reads see committed state only."""

    async def memories(self, memory_ids: Sequence[str], caller: Caller | None) -> list[Memory]:
        """Read memories by id in the order asked for; None as caller sees all."""
        ...

    async def list_memories(
        self, where: MemoryFilter, caller: Caller | None, after: int, limit: int
    ) -> Listing[Memory]:
        """List memories in the order in which they were stored; None as caller sees all."""
        ...

    async def embeddings(self, memory_ids: Sequence[str]) -> Mapping[str, Vectors]:
        """Read vectors; memories without are left out."""
        ...

    async def expiring(self, limit: int) -> Sequence[Expiring]:
        """List memories that expire, those that expire first before the others."""
        ...

    async def next_expiry(self) -> int | None:
        """The time at which the first memory expires; None: none does."""
        ...

    async def index_records(self, memory_ids: Sequence[str]) -> Sequence[IndexRecord]:
        """Read what the index keeps; memories that are gone are left out."""
        ...
