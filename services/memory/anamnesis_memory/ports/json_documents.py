"""The port for documents that callers name; part of `NamespaceStore`."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from anamnesis_memory.model.json_documents import DocumentPlace
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports.listing import Listing


class JsonDocumentReads(Protocol):
    """The part of `NamespaceStore` that finds documents by name and by path."""

    async def named_documents(self, digests: Sequence[bytes]) -> Mapping[bytes, Memory]:
        """The documents of these digests (see `model.json_documents`), those that are there."""
        ...

    async def list_documents(self, place: DocumentPlace, after: int, limit: int) -> Listing[Memory]:
        """List the documents of a place in the order in which they were stored first."""
        ...

    async def document_paths(self, place: DocumentPlace) -> Sequence[tuple[str, ...]]:
        """All paths of a place that hold documents, each once, sorted."""
        ...
