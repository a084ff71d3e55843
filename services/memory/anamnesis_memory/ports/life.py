"""The port for the life of memories: edges, copies, documents, and traces of texts.

Part of `NamespaceStore`. Lists give at most `limit` records that sort behind a place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory_versions import Copy, CopyRole


@dataclass(frozen=True, slots=True)
class ErasureSubject:
    """The subject of an erasure: exactly one field is set.

    One of `memory_ids` is these memories, whoever's they are; stores do not list by it.
    """

    agent_id: str = ""
    user_id: str = ""
    session_id: str = ""
    memory_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A text was found; `needle` is its place among those asked for."""

    place: str
    needle: int
    count: int


class LifeReads(Protocol):
    """The part of `NamespaceStore` that tells what hangs on memories."""

    async def edges_of(
        self, memory_ids: Sequence[str], types: Sequence[EdgeType], limit: int
    ) -> Sequence[Edge]:
        """Read edges that begin or end at one of these, the heaviest first; no types means all."""
        ...

    async def list_edges(
        self, types: Sequence[EdgeType], after: EdgeKey | None, limit: int
    ) -> Sequence[Edge]:
        """List edges by key; no types means all."""
        ...

    async def copies_of(self, memory_id: str) -> Sequence[Copy]:
        """Read what hangs on a memory, the oldest first, without vectors."""
        ...

    async def list_copies(
        self, role: CopyRole, subject: ErasureSubject | None, after: str, limit: int
    ) -> Sequence[Copy]:
        """List copies by id, of all or of one subject's memories, without vectors."""
        ...

    async def document(self, key: DocumentKey) -> Document | None:
        """Read one document."""
        ...

    async def documents(self, collection: Collection, after: str, limit: int) -> Sequence[Document]:
        """List documents by name; an empty `after` begins at the first, whose name may be empty."""
        ...

    async def documents_of(self, subject: ErasureSubject, limit: int) -> Sequence[Document]:
        """Read documents of a subject, by key."""
        ...

    async def topics_of(self, memory_ids: Sequence[str]) -> Mapping[str, str]:
        """The ids of the topics that memories are in; those in none are left out."""
        ...

    async def occurrences(self, needles: Sequence[str]) -> tuple[Sequence[Occurrence], int]:
        """Look for texts, case ignored, in every value that is kept, and in this namespace's files.

        Returns:
            Where they are, by table and column or label and property or file; and how many values
            and files were looked through.
        """
        ...

    async def scrub(self) -> int:
        """Make what was deleted unreadable in the store's own files.

        Returns:
            How many files were written anew; 0 where files are a server's.
        """
        ...

    async def empty_log(self) -> bool:
        """Let go of what the store's log keeps of rows that are gone; False: it is still read."""
        ...
