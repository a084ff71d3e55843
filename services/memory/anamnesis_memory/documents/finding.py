"""Finding documents: those of a place that fit, and the best of them for a query."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.index.port import Hit, Query
from anamnesis_memory.domain.documents.conditions import Condition, all_hold
from anamnesis_memory.domain.documents.values import parsed_object
from anamnesis_memory.model.json_documents import DocumentPlace
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.json_documents import Behind, DocumentPage
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

_READ_MAX = 500
"""Documents that are read at once to be looked at."""


@dataclass(frozen=True, slots=True)
class DocumentsWanted:
    """The documents that are asked for: of a place, that fit all conditions."""

    place: DocumentPlace
    conditions: Sequence[Condition] = ()

    def fits(self, memory: Memory) -> bool:
        """True if a document of the place fits."""
        part = memory.part
        assert isinstance(part, JsonDocument)
        return not self.conditions or all_hold(self.conditions, parsed_object(part.value))


@dataclass(frozen=True, slots=True)
class RankedDocuments:
    """Documents with what the index says of each, best first, and what could not take part."""

    found: Sequence[tuple[Memory, Hit]]
    degraded: Sequence[str] = ()


async def listed(
    store: NamespaceStore, wanted: DocumentsWanted, after: Behind | None, limit: int
) -> DocumentPage:
    """A page of documents that fit, by path, those of one path in the order of their first put."""
    page = await store.list_documents(wanted.place, after, limit)
    found = list(filter(wanted.fits, page.items))
    while page.behind is not None and len(found) < limit:
        page = await store.list_documents(wanted.place, page.behind, limit - len(found))
        found += filter(wanted.fits, page.items)
    return DocumentPage(found, page.behind)


async def ranked(
    finder: CandidateFinder,
    opened: OpenNamespace,
    wanted: DocumentsWanted,
    query: Query,
    at_least: int,
    timeout_s: float,
) -> RankedDocuments:
    """The searchable documents that fit, by what a query asks; only they are scored.

    The index has the words of all that was put when this is called, so that no text of before is
    compared, and the vectors of what was put up to the revision `at_least`.

    Raises:
        DeadlineExceeded: the index did not follow in time.
    """
    store = opened.store
    memories = {one.memory_id: one async for one in _searchable(store, wanted)}
    if not memories:
        return RankedDocuments(())
    asked = replace(query, scope=replace(query.scope, memory_ids=tuple(memories)))
    await opened.follower.wait_for_text(store.revision, timeout_s)
    answer = await finder.find(opened, asked, at_least, timeout_s)
    hits = answer.found.hits
    return RankedDocuments([(memories[hit.memory_id], hit) for hit in hits], answer.degraded)


async def _searchable(store: NamespaceStore, wanted: DocumentsWanted) -> AsyncIterator[Memory]:
    page = DocumentPage((), None)
    while True:
        page = await store.list_documents(wanted.place, page.behind, _READ_MAX)
        for memory in page.items:
            part = memory.part
            if isinstance(part, JsonDocument) and not part.unsearchable and wanted.fits(memory):
                yield memory
        if page.behind is None:
            return
