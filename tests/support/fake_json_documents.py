"""Documents that callers name, as the fake store finds them."""

from collections.abc import Mapping, Sequence

from anamnesis_memory.model.json_documents import DocumentPlace
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports import Listing
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

    async def list_documents(self, place: DocumentPlace, after: int, limit: int) -> Listing[Memory]:
        """See `JsonDocumentReads.list_documents`."""
        places = self._records.places
        found = [one for one in self._in(place) if places[one.memory_id] > after]
        more = len(found) > limit
        return Listing(found[:limit], places[found[limit - 1].memory_id] if more else None)

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
