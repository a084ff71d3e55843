"""The records of one namespace: what a store reads, and how it commits."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from anamnesis_memory.model.memory import (
    Changes,
    StoreCounts,
)
from anamnesis_memory.ports.json_documents import JsonDocumentReads
from anamnesis_memory.ports.knowledge import KnowledgeReads
from anamnesis_memory.ports.ledger import LedgerReads
from anamnesis_memory.ports.life import LifeReads
from anamnesis_memory.ports.memories import MemoryReads
from anamnesis_memory.ports.pipeline import PipelineReads
from anamnesis_memory.ports.topics import TopicReads
from anamnesis_memory.ports.upkeep import Upkeep
from anamnesis_memory.ports.uploads import UploadReads
from anamnesis_memory.ports.writes import Committed, IdempotentAnswer, IndexRecord, Write

R = TypeVar("R")


class NamespaceStore(
    LedgerReads,
    MemoryReads,
    TopicReads,
    PipelineReads,
    UploadReads,
    LifeReads,
    KnowledgeReads,
    JsonDocumentReads,
    Upkeep,
    Protocol,
):
    """The records of one namespace, of all parts. Reads see committed state only."""

    @property
    def revision(self) -> int:
        """The latest revision that is known here to be committed; reads see all of it."""
        ...

    async def refresh(self, at_least: int = 0) -> int:
        """Learn of commits of other replicas, `at_least` if it was given; answers `revision`."""
        ...

    async def commit(
        self, write: Write[R], remember: IdempotentAnswer[R] | None = None
    ) -> Committed[R]:
        """Load, decide and apply a write in one transaction; durable when it returns.

        Raises:
            AnamnesisError: as decided, or QUEUE_FULL, or STORE_UNAVAILABLE.
        """
        ...

    async def changes(self, after: int, limit: int) -> Changes:
        """Read the change log behind a revision, whole revisions only."""
        ...

    async def changes_to_index(
        self, after: int, limit: int
    ) -> tuple[Changes, Sequence[IndexRecord]]:
        """Read the changes after a revision, and what the index keeps of those still there.

        Changes are as `changes` gives them; records are as new as their changes, or newer.
        """
        ...

    async def counts(self) -> StoreCounts:
        """Count what the namespace holds."""
        ...

    async def close(self) -> None:
        """Finish what was accepted, then let go of files and connections."""
        ...
