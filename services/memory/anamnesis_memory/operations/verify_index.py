"""Verification of an index against its store, and mending of what differs.

Suspects are found while everything goes on, so some of them only changed in between.
They are judged with the index paused, against the store as it is then.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from anamnesis_libs.index.port import MISSING, Document
from anamnesis_memory.operations.findings import Finding, FindingKind
from anamnesis_memory.operations.rebuild import rebuild
from anamnesis_memory.ports import IndexRecord
from anamnesis_memory.ports.upkeep import KeptMemory
from anamnesis_memory.runtime.indexing.follow import document_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.snapshots import Snapshots

BATCH = 500
REBUILD_FAULTS_MIN = 1_000
REBUILD_SHARE = 0.25
"""Built anew when more memories than this are at fault, and more than this share of all."""

_KINDS = {MISSING: FindingKind.INDEX_MISSING, "surplus": FindingKind.INDEX_SURPLUS}


@dataclass(slots=True)
class IndexChecks:
    """Collects suspects, then judges them."""

    opened: OpenNamespace
    snapshots: Snapshots
    rebuilt: bool = False
    _seen: set[str] = field(default_factory=set)
    _suspects: dict[str, None] = field(default_factory=dict)

    async def look_at(self, kept: Sequence[KeptMemory]) -> None:
        """Note which of some memories the index may hold wrongly."""
        self._seen.update(each.memory.memory_id for each in kept)
        documents = [document_of(IndexRecord(each.memory, each.vectors)) for each in kept]
        self._suspects |= dict.fromkeys(await self.opened.index.differences(documents))

    async def judge(self, *, repair: bool) -> list[Finding]:
        """Return what is wrong with the suspects by now, mended if asked for.

        Raises:
            RebuildFailed: the index was rebuilt and came out otherwise; the old one stays.
        """
        held = await self.opened.index.ids()
        self._suspects |= {memory_id: None for memory_id in held if memory_id not in self._seen}
        while await self.opened.follower.step(BATCH):
            pass
        async with self.opened.follower.paused():
            faults = await self._faults(await self._changing())
            findings = [*map(_finding, faults.items())]
            if repair and faults:
                await self._repair(faults)
                left = await self._faults(await self._changing(), list(faults))
                findings = [replace(each, repaired=each.id not in left) for each in findings]
            return [*findings, *await self._counts()]

    async def _changing(self) -> set[str]:
        """Memories that the index has still to follow: they are judged the next time."""
        store, after = self.opened.store, self.opened.follower.text_watermark
        changing: set[str] = set()
        while after < store.revision:
            changes = await store.changes(after, BATCH)
            changing.update(change.memory_id for change in changes.changes)
            after = changes.revision
        return changing

    async def _faults(
        self, changing: set[str], suspects: Sequence[str] | None = None
    ) -> dict[str, Sequence[str]]:
        """Fields that differ, by memory."""
        faults: dict[str, Sequence[str]] = {}
        held = set(await self.opened.index.ids())
        async for batch, documents in self._documents(suspects or list(self._suspects)):
            faults |= await self.opened.index.differences(documents)
            here = {document.memory_id for document in documents}
            faults |= {gone: ("surplus",) for gone in batch if gone in held and gone not in here}
        return {
            memory_id: fields for memory_id, fields in faults.items() if memory_id not in changing
        }

    async def _documents(
        self, memory_ids: Sequence[str]
    ) -> AsyncIterator[tuple[Sequence[str], list[Document]]]:
        """The documents of some memories as the store has them, a batch at a time."""
        waiting = iter(memory_ids)
        while batch := list(islice(waiting, BATCH)):
            records = await self.opened.store.index_records(batch)
            yield batch, [document_of(record) for record in records]

    async def _repair(self, faults: Mapping[str, Sequence[str]]) -> None:
        index = self.opened.index
        if len(faults) > max(REBUILD_FAULTS_MIN, REBUILD_SHARE * max(index.size, 1)):
            namespace, embeds = self.opened.namespace, self.opened.follower.embeds
            await rebuild(self.opened, self.snapshots, namespace, embeds=embeds)
            self.rebuilt = True
            return
        async for batch, documents in self._documents(list(faults)):
            here = {document.memory_id for document in documents}
            unfit = await index.put(documents, [gone for gone in batch if gone not in here])
            without = [document.memory_id for document in documents if document.vectors is None]
            self.opened.follower.note_missing([*unfit, *without])

    async def _counts(self) -> list[Finding]:
        """A finding if the index and the store count differently, while the index has caught up."""
        counted = sum((await self.opened.store.counts()).by_kind.values())
        size = self.opened.index.size
        if size == counted or self.opened.follower.behind:
            return []
        told = f"the index holds {size} memories, the store counts {counted}"
        return [Finding(FindingKind.COUNT, "index", told)]


def _finding(fault: tuple[str, Sequence[str]]) -> Finding:
    memory_id, fields = fault
    kind = _KINDS.get(fields[0], FindingKind.INDEX_DIFFERS)
    told = {
        FindingKind.INDEX_MISSING: "is not in the index",
        FindingKind.INDEX_SURPLUS: "is in the index and not in the store",
    }.get(kind, f"is in the index with another {', '.join(fields)}")
    return Finding(kind, memory_id, told)
