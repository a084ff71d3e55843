"""Making an index anew of its store, beside the one in use, and putting it in its place."""

from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.ports import IndexRecord
from anamnesis_memory.ports.upkeep import KeptMemory, RecordType
from anamnesis_memory.runtime.indexing.follow import document_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.snapshots import Snapshots


class RebuildFailed(AssertionError):
    """The new index does not hold what the store counts; the old one stays."""


async def rebuild(
    opened: OpenNamespace, snapshots: Snapshots, namespace: Namespace, *, embeds: bool
) -> None:
    """Read every memory and take the new index in place of the old; only while it is paused.

    `namespace` is what it is from then on: with its vectors of another model, perhaps.

    Searches are answered by the old one meanwhile.

    Raises:
        RebuildFailed: the counts differ; nothing is changed.
        StoreUnavailable: the store failed; nothing is changed.
    """
    index = snapshots.empty(namespace.embedding_dimension)
    fresh = opened.index.beside(index)
    async with opened.store.export() as export:
        async for page in export.pages:
            kept = [record for record in page if isinstance(record, KeptMemory)]
            records = [IndexRecord(each.memory, each.vectors) for each in kept]
            await fresh.put([document_of(record) for record in records], ())
        if fresh.size != export.counts[RecordType.MEMORIES]:
            raise RebuildFailed(
                f"the new index holds {fresh.size} memories, the store counts "
                f"{export.counts[RecordType.MEMORIES]}"
            )
    await opened.index.swap(index)
    opened.namespace = namespace
    opened.follower.restart(export.revision, embeds=embeds)
