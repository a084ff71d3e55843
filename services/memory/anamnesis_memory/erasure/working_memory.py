"""Taking what cites erased memories out of working memories."""

from collections.abc import Collection

from anamnesis_memory.erasure.erase_traces import EraseDocuments, cites
from anamnesis_memory.model.documents import Collection as Documents
from anamnesis_memory.ports import NamespaceStore

PAGE_MAX = 100


async def forget_in_documents(store: NamespaceStore, memory_ids: Collection[str]) -> int:
    """Take the items that cite one of these memories out; how many working memories had any."""
    gone = frozenset(memory_ids)
    changed, after = 0, ""
    while gone:
        page = await store.documents(Documents.WORKING_MEMORY, after, PAGE_MAX)
        citing = tuple(one.key for one in page if cites(one.body, gone))
        if citing:
            committed = await store.commit(EraseDocuments(citing=citing, memory_ids=gone))
            changed += committed.result or 0
        if len(page) < PAGE_MAX:
            break
        after = page[-1].name
    return changed
