"""A namespace as a stream of bytes, all of it at one revision."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.operations.portable import Encoder, Manifest
from anamnesis_memory.ports.upkeep import Binding, Export, RecordType
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

CHUNK_BYTES_MAX = 1 << 20


@dataclass(frozen=True, slots=True)
class Chunk:
    """The next bytes, and how many records of how many have been sent with them."""

    content: bytes
    records: int
    records_total: int


async def export_namespace(opened: OpenNamespace) -> AsyncGenerator[Chunk, None]:
    """The verb behind `ExportNamespace`.

    Raises:
        StoreUnavailable: the store failed; what was sent has no trailer then.
    """
    encoder, namespace = Encoder(), opened.namespace
    async with opened.store.export() as export:
        total = sum(export.counts.values()) - export.counts[RecordType.EMBEDDINGS]
        yield Chunk(encoder.manifest(_manifest(namespace, export)), 0, total)
        sent = 0
        async for page in export.pages:
            lines = await asyncio.to_thread(encoder.records, page)
            sent = min(sent + len(page), total)
            for start in range(0, len(lines), CHUNK_BYTES_MAX):
                yield Chunk(lines[start : start + CHUNK_BYTES_MAX], sent, total)
        yield Chunk(encoder.trailer(), total, total)


def _manifest(namespace: Namespace, export: Export) -> Manifest:
    binding = export.binding or Binding(namespace.embedding_model, namespace.embedding_dimension)
    return Manifest(
        namespace=namespace.name,
        incarnation=namespace.incarnation,
        create_time_us=namespace.create_time_us,
        revision=export.revision,
        embedding_model=binding.model,
        embedding_dimension=binding.dimension,
        counts=export.counts,
    )
