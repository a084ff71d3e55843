"""Documents that callers name, as the fake store finds them."""

from collections.abc import Mapping, Sequence
from operator import itemgetter

from anamnesis_memory.model.json_documents import DocumentPlace, packed_path
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports.json_documents import Behind, DocumentPage
from tests.support.fake_records import Records


class FakeJsonDocuments:
    """Implements `JsonDocumentReads`; a part of `FakeNamespace`."""

    _records: Records

    async def named_documents(self, digests: Sequence[bytes]) -> Mapping[bytes, Memory]:
        """See `JsonDocumentReads.named_documents`."""
        held = self._records
        named = {
            held.life.digests[one.memory_id]: one
            for one in reversed(self._stored())
            if isinstance(one.part, JsonDocument)
        }
        return {digest: named[digest] for digest in digests if digest in named}

    async def list_documents(
        self, place: DocumentPlace, after: Behind | None, limit: int
    ) -> DocumentPage:
        """See `JsonDocumentReads.list_documents`."""
        listed = sorted(((self._behind(one), one) for one in self._in(place)), key=itemgetter(0))
        left = [(key, one) for key, one in listed if after is None or key > after]
        more = len(left) > limit
        return DocumentPage([one for _, one in left[:limit]], left[limit - 1][0] if more else None)

    def _behind(self, memory: Memory) -> Behind:
        assert isinstance(memory.part, JsonDocument)
        return packed_path(memory.part.path), self._records.places[memory.memory_id]

    async def document_paths(self, place: DocumentPlace) -> Sequence[tuple[str, ...]]:
        """See `JsonDocumentReads.document_paths`."""
        parts = (one.part for one in self._in(place))
        return sorted({part.path for part in parts if isinstance(part, JsonDocument)})

    def _in(self, place: DocumentPlace) -> list[Memory]:
        return [
            one
            for one in self._stored()
            if isinstance(one.part, JsonDocument)
            and scope_of(one) == place.scope
            and one.part.path[: len(place.prefix)] == place.prefix
        ]

    def _stored(self) -> list[Memory]:
        held = self._records
        return sorted(held.memories.values(), key=lambda one: held.places[one.memory_id])
