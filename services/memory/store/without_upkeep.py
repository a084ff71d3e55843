"""What a backend answers that cannot yet be exported, imported, verified or re-embedded.

The least a store can do is serve users; operators are told where the rest works.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import NoReturn

from libs.errors import Unimplemented
from services.memory.model import Namespace, Vectors
from services.memory.port_upkeep import Binding, Export, Record


def _refuse() -> NoReturn:
    raise Unimplemented(
        "this store does not export, import, verify or re-embed; the embedded store does. "
        "Use the database's own backup"
    )


class NamespaceWithoutUpkeep:
    """The methods of `Upkeep` that a namespace of such a backend refuses."""

    def export(self) -> AbstractAsyncContextManager[Export]:
        """Refused."""
        _refuse()

    async def import_batch(self, records: Sequence[Record]) -> None:
        """Refused."""
        _refuse()

    async def requeue_embeddings(self, memory_ids: Sequence[str]) -> None:
        """Refused."""
        _refuse()

    async def repair_topics(self, topic_ids: Sequence[str]) -> None:
        """Refused."""
        _refuse()

    async def binding(self) -> Binding | None:
        """The model never changes, so the catalogue knows it."""
        return None

    async def stage_embeddings(self, binding: Binding, embeddings: Mapping[str, Vectors]) -> None:
        """Refused."""
        _refuse()

    async def unstaged(self, binding: Binding, limit: int) -> Sequence[str]:
        """Refused."""
        _refuse()

    async def switch_embeddings(self, binding: Binding) -> int:
        """Refused."""
        _refuse()


class CatalogueWithoutUpkeep:
    """The method of `Catalogue` that such a backend refuses."""

    async def replace(self, namespace: Namespace, incarnation: str) -> bool:
        """Refused."""
        _refuse()


class StoresWithoutUpkeep:
    """The method of `Stores` that such a backend has no use for."""

    async def discard(self, namespace: Namespace) -> None:
        """Nothing was staged, so nothing is left."""
