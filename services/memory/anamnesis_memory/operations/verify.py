"""Comparing all that is kept of a namespace with all else, and mending what is derived.

Records are read at one revision while reads and writes go on. No record is ever changed:
vectors are made again of texts, index entries of records, centroids of members.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_memory.model.progress import Progress
from anamnesis_memory.operations.findings import Finding, FindingKind, Summary
from anamnesis_memory.operations.verify_index import BATCH, IndexChecks
from anamnesis_memory.operations.verify_records import RecordChecks
from anamnesis_memory.operations.verify_topics import check_topic, topic_ids
from anamnesis_memory.ports.upkeep import KeptMemory, RecordType
from anamnesis_memory.runtime.indexing.follow import document_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.snapshots import Snapshots

Told = Finding | Progress | Summary

_EMBEDDABLE = (FindingKind.VECTOR, FindingKind.NOT_PENDING)


@dataclass(slots=True)
class Verification:
    """The verb behind `VerifyConsistency`: one run over one namespace."""

    opened: OpenNamespace
    snapshots: Snapshots
    repair: bool
    _found: int = 0
    _repaired: int = 0
    _unembedded: list[Finding] = field(default_factory=list)

    async def run(self) -> AsyncGenerator[Told, None]:
        """Tell findings and progress as they come, and the summary last.

        Raises:
            StoreUnavailable: the store failed.
            RebuildFailed: an index that was to be built anew came out otherwise; the old stays.
        """
        namespace = self.opened.namespace
        index = IndexChecks(self.opened, self.snapshots)
        async with self.opened.store.export() as export:
            bound = export.binding.dimension if export.binding else namespace.embedding_dimension
            records = RecordChecks(export.revision, bound)
            total = sum(export.counts.values()) - export.counts[RecordType.EMBEDDINGS]
            done = 0
            async for page in export.pages:
                for finding in self._noted(await asyncio.to_thread(records.check, page)):
                    yield finding
                await index.look_at([each for each in page if isinstance(each, KeptMemory)])
                done += len(page)
                yield Progress("records", min(done, total), total)
            for finding in self._noted(list(records.close(export.counts))):
                yield finding
        for finding in await records.knowledge.miscounted(self.opened.store, export.revision):
            yield self._count(finding)
        for finding in [*await self._embedded_again(), *await index.judge(repair=self.repair)]:
            yield self._count(finding)
        yield Progress("index", self.opened.index.size, self.opened.index.size)
        async for told in self._topics(export.counts[RecordType.TOPICS]):
            yield told
        for finding in await self._snapshots():
            yield self._count(finding)
        yield Summary(export.revision, records.counts, self._found, self._repaired, index.rebuilt)

    def _noted(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings that can be told at once; on repair, those of vectors are told later."""
        if not self.repair:
            return [*map(self._count, findings)]
        self._unembedded += [each for each in findings if each.kind in _EMBEDDABLE]
        return [self._count(each) for each in findings if each.kind not in _EMBEDDABLE]

    def _count(self, finding: Finding) -> Finding:
        self._found += 1
        self._repaired += finding.repaired
        return finding

    async def _embedded_again(self) -> list[Finding]:
        """Queue what has no vector, or a wrong one; the index lets go of those too."""
        ids = [finding.id for finding in self._unembedded]
        if ids:
            async with self.opened.follower.paused():
                await self.opened.store.requeue_embeddings(ids)
                for start in range(0, len(ids), BATCH):
                    records = await self.opened.store.index_records(ids[start : start + BATCH])
                    await self.opened.index.put([document_of(record) for record in records], ())
                self.opened.follower.note_missing(ids)
        return [replace(finding, repaired=True) for finding in self._unembedded]

    async def _topics(self, total: int) -> AsyncGenerator[Told, None]:
        done = 0
        async for topic_id in topic_ids(self.opened.store):
            finding = await check_topic(self.opened.store, topic_id, repair=self.repair)
            if finding is not None:
                yield self._count(finding)
            done += 1
            yield Progress("topics", done, max(done, total))

    async def _snapshots(self) -> list[Finding]:
        """Snapshots that cannot be read; set aside, and a new one written."""
        faults = await asyncio.to_thread(self.snapshots.check, self.opened.namespace)
        if faults and self.repair:
            for name, why in faults.items():
                await asyncio.to_thread(self.snapshots.set_aside, name, why)
            self.opened.saved_at = -1
            await self.opened.save(self.snapshots)
        return [
            Finding(FindingKind.SNAPSHOT, name, why, self.repair) for name, why in faults.items()
        ]
