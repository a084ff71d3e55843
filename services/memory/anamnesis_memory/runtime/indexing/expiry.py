"""The next expiry in an open namespace, asked of its store again only where that has changed."""

import asyncio
from dataclasses import dataclass, field

from anamnesis_memory.ports.memories import MemoryReads


@dataclass(slots=True)
class NextExpiry:
    """The time at which the next memory expires, as of a revision; whoever erases has the lock."""

    revision: int = -1
    at_us: int | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def is_due(self, store: MemoryReads, revision: int, now_us: int) -> bool:
        """True if a memory of the store, which has reached this revision, has expired."""
        if revision != self.revision:
            self.at_us = await store.next_expiry()
            self.revision = revision
        return self.at_us is not None and self.at_us <= now_us
