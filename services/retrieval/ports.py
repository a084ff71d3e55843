"""What retrieval needs of the memory service, for one caller in one namespace."""

from collections.abc import Sequence
from typing import Protocol

from services.retrieval.model import Found, Remembered, Weights


class Memories(Protocol):
    """The memories of one scope, as one request sees them."""

    async def find(self, query: str, weights: Weights, at_least_revision: str) -> Found:
        """The best candidates by the weighted sum of their features."""
        ...

    async def fetch(self, memory_ids: Sequence[str], revision: str) -> Sequence[Remembered]:
        """Memories in the order asked for, at least as of a revision; those gone are left out."""
        ...
