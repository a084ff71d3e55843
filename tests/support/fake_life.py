"""What the fake store tells of the life of memories, from plain dicts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace

from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports.life import ErasureSubject, Occurrence
from anamnesis_memory.storage.text_scan import Search
from tests.support.fake_records import Records


class FakeLife:
    """Implements `LifeReads`; a part of `FakeNamespace`."""

    _records: Records

    async def edges_of(
        self, memory_ids: Sequence[str], types: Sequence[EdgeType], limit: int
    ) -> Sequence[Edge]:
        """See `LifeReads.edges_of`."""
        found = [
            one for one in self._records.life.edges_at(memory_ids) if not types or one.type in types
        ]
        return sorted(found, key=lambda one: (-one.weight, one.key))[:limit]

    async def list_edges(
        self, types: Sequence[EdgeType], after: EdgeKey | None, limit: int
    ) -> Sequence[Edge]:
        """See `LifeReads.list_edges`."""
        found = [
            edge
            for key, edge in sorted(self._records.life.edges.items())
            if (not types or edge.type in types) and (after is None or key > after)
        ]
        return found[:limit]

    async def copies_of(self, memory_id: str) -> Sequence[Copy]:
        """See `LifeReads.copies_of`."""
        return [replace(one, vectors=None) for one in self._records.life.copies_of(memory_id)]

    async def list_copies(
        self, role: CopyRole, subject: ErasureSubject | None, after: str, limit: int
    ) -> Sequence[Copy]:
        """See `LifeReads.list_copies`."""
        found = [
            replace(copy, vectors=None)
            for copy_id, copy in sorted(self._records.life.copies.items())
            if copy.role is role
            and copy_id > after
            and (subject is None or subject == _owner(copy.memory, subject))
        ]
        return found[:limit]

    async def document(self, key: DocumentKey) -> Document | None:
        """See `LifeReads.document`."""
        return self._records.life.documents.get(key)

    async def documents(self, collection: Collection, after: str, limit: int) -> Sequence[Document]:
        """See `LifeReads.documents`."""
        found = [
            document
            for key, document in sorted(self._records.life.documents.items())
            if key.collection is collection and (not after or key.name > after)
        ]
        return found[:limit]

    async def documents_of(self, subject: ErasureSubject, limit: int) -> Sequence[Document]:
        """See `LifeReads.documents_of`."""
        held = sorted(self._records.life.documents.items())
        return [one for _, one in held if subject == _owner(one, subject)][:limit]

    async def topics_of(self, memory_ids: Sequence[str]) -> Mapping[str, str]:
        """See `LifeReads.topics_of`."""
        held = self._records.members
        return {key: held[key] for key in memory_ids if key in held}

    async def occurrences(self, needles: Sequence[str]) -> tuple[Sequence[Occurrence], int]:
        """See `LifeReads.occurrences`; a place is the name of a dict."""
        search = Search(needles)
        for one in fields(self._records):
            for value in _values(getattr(self._records, one.name)):
                search.value(one.name, value)
        return search.found, search.looked

    async def scrub(self) -> int:
        """See `LifeReads.scrub`; there are no files."""
        return 0

    async def empty_log(self) -> bool:
        """See `LifeReads.empty_log`; there is none."""
        return True


def _owner(record: object, asked: ErasureSubject) -> ErasureSubject:
    """The owner of a record, as far as it is asked for."""

    def named(name: str) -> str:
        return str(getattr(record, name)) if getattr(asked, name) else ""

    return ErasureSubject(named("agent_id"), named("user_id"), named("session_id"))


def _values(held: object) -> Iterator[object]:
    """All that is in a value, and in what it holds."""
    if isinstance(held, Mapping):
        for key, value in held.items():
            yield from (*_values(key), *_values(value))
    elif isinstance(held, tuple | list | set | frozenset):
        for value in held:
            yield from _values(value)
    elif is_dataclass(held):
        for one in fields(held):
            yield from _values(getattr(held, one.name))
    else:
        yield held
