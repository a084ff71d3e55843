"""The port for documents that callers name; part of `NamespaceStore`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from anamnesis_memory.model.json_documents import DocumentPlace
from anamnesis_memory.model.memory import Memory

Behind = tuple[str, int]
"""The packed path of a document, and its number in its store."""


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Some documents in order; `behind` resumes behind the last, None at the end."""

    items: Sequence[Memory]
    behind: Behind | None


class JsonDocumentReads(Protocol):
    """The part of `NamespaceStore` that finds documents by name and by path."""

    async def named_documents(self, digests: Sequence[bytes]) -> Mapping[bytes, Memory]:
        """The documents of these digests (see `model.json_documents`), those that are there."""
        ...

    async def list_documents(
        self, place: DocumentPlace, after: Behind | None, limit: int
    ) -> DocumentPage:
        """List the documents of a place by path, in one path by when they were put first."""
        ...

    async def document_paths(self, place: DocumentPlace) -> Sequence[tuple[str, ...]]:
        """All paths of a place that hold documents, each once, sorted."""
        ...
