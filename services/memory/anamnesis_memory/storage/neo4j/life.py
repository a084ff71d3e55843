"""The life of memories in Neo4j: what writes see and change, inside their transaction.

Documents are drafted and seen like other records that have a name. What hangs on memories, and
which lessons there are, is read at the write's turn, when what the writes before it did is put.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.domain.lifecycle.vitals import Vitals
from anamnesis_memory.model.documents import Document, DocumentKey
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.ports import ReadSet, ReadView, WriteSet
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.life_rows import (
    copy_of,
    copy_row,
    document_row,
    edge_of,
    edge_row,
    vitals_row,
)
from anamnesis_memory.storage.neo4j.rows import memory_of, node, vectors_of
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction

K = TypeVar("K")
V = TypeVar("V")

EVERY = 2**31 - 1
"""More than there can be."""


@dataclass(slots=True)
class LifeDraft:
    """Edits to be put; later ones replace earlier ones of the same record."""

    vitals: dict[str, Vitals] = field(default_factory=dict)
    digests: dict[str, bytes] = field(default_factory=dict)
    edges: dict[EdgeKey, Edge] = field(default_factory=dict)
    removed_edges: dict[EdgeKey, None] = field(default_factory=dict)
    copies: dict[str, Copy] = field(default_factory=dict)
    removed_copies: dict[str, None] = field(default_factory=dict)
    documents: dict[DocumentKey, Document] = field(default_factory=dict)
    removed_documents: dict[DocumentKey, None] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Records to be put or removed."""
        removed = len(self.removed_edges) + len(self.removed_copies) + len(self.removed_documents)
        hanging = len(self.edges) + len(self.copies)
        return len(self.vitals) + hanging + len(self.documents) + removed

    def take(self, edits: WriteSet) -> None:
        """Take over the records of one write; a memory that is put brings its vitals along."""
        for memory in edits.memories:
            self.vitals.pop(memory.memory_id, None)
            self.digests.pop(memory.memory_id, None)
        self.digests.update(edits.digests)
        self.vitals.update((one.memory_id, one) for one in edits.vitals)
        _take(self.edges, self.removed_edges, {}, edits.removed_edges)
        self.edges.update((one.key, self._as_old(one)) for one in edits.edges)
        _take(
            self.copies,
            self.removed_copies,
            {one.copy_id: one for one in edits.copies},
            edits.removed_copies,
        )
        _take(
            self.documents,
            self.removed_documents,
            {one.key: one for one in edits.documents},
            edits.removed_documents,
        )

    def _as_old(self, edge: Edge) -> Edge:
        """An edge as old as the known edge of its key."""
        known = self.edges.get(edge.key, edge)
        return replace(edge, create_time_us=known.create_time_us)


def looks_at_life(wanted: ReadSet) -> bool:
    """True if a write wants to see what hangs on memories, or lessons that it cannot name."""
    lessons = wanted.digests or wanted.fresh_after is not None
    return bool(lessons or wanted.embeddings or wanted.edges_of or wanted.copies_of)


async def look_at_life(tx: ScopedTransaction, wanted: ReadSet, seen: ReadView) -> ReadView:
    """The view, with what the write wants to see of the life of memories, but for fresh lessons."""
    if wanted.digests:
        seen = await _see_digests(tx, wanted.digests, seen)
    if wanted.embeddings:
        found = await tx.each("get_embeddings", _once(wanted.embeddings))
        embeddings = {rows.text(node(row)["memory_id"]): vectors_of(row) for row in found}
        seen = replace(seen, embeddings=embeddings)
    if wanted.edges_of:
        ids = _once(wanted.edges_of)
        found = await tx.run("edges_of", ids=ids, types=None, limit=EVERY)
        edges = sorted(map(edge_of, map(node, found)), key=lambda edge: edge.key)
        seen = replace(seen, edges=tuple(edges))
    if wanted.copies_of:
        seen = replace(seen, copies=await _copies(tx, wanted.copies_of))
    return seen


async def put_life(tx: ScopedTransaction, draft: LifeDraft) -> None:
    """Put what was drafted, behind the memories that it hangs on."""
    vitals = sorted(draft.vitals.values(), key=lambda one: one.memory_id)
    await tx.put("put_vitals", [vitals_row(one) for one in vitals])
    await _put_edges(tx, draft)
    await tx.each("delete_copies", list(draft.removed_copies))
    await tx.put("put_copies", [copy_row(one) for one in draft.copies.values()])
    await tx.put(
        "delete_documents",
        [{"collection": key.collection.value, "name": key.name} for key in draft.removed_documents],
    )
    await tx.put("put_documents", [document_row(one) for one in draft.documents.values()])


async def _put_edges(tx: ScopedTransaction, draft: LifeDraft) -> None:
    """Remove and put edges, type by type."""
    for edge_type in EdgeType:
        gone: list[Row] = [
            {"source_id": key.source_id, "target_id": key.target_id}
            for key in draft.removed_edges
            if key.type is edge_type
        ]
        await tx.put(f"delete_edges_{edge_type}", gone)
        put = sorted(key for key in draft.edges if key.type is edge_type)
        await tx.put(f"put_edges_{edge_type}", [edge_row(draft.edges[key]) for key in put])


async def _see_digests(tx: ScopedTransaction, digests: Sequence[bytes], seen: ReadView) -> ReadView:
    found = await tx.run("oldest_by_digest", digests=[one.hex() for one in dict.fromkeys(digests)])
    held = {bytes.fromhex(rows.text(node(row)["digest"])): memory_of(row) for row in found}
    return replace(
        seen,
        by_digest={digest: memory.memory_id for digest, memory in held.items()},
        memories={**seen.memories, **{one.memory_id: one for one in held.values()}},
    )


async def _copies(
    tx: ScopedTransaction, memory_ids: Sequence[str]
) -> Mapping[str, tuple[Copy, ...]]:
    copies: dict[str, list[Copy]] = {}
    for copy in map(copy_of, map(node, await tx.each("get_copies_of", _once(memory_ids)))):
        copies.setdefault(copy.memory_id, []).append(copy)
    return {memory_id: in_order(held) for memory_id, held in copies.items()}


def in_order(copies: Iterable[Copy]) -> tuple[Copy, ...]:
    """Copies, the oldest first."""
    return tuple(sorted(copies, key=lambda one: (one.create_time_us, one.copy_id)))


def _once(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _take(put: dict[K, V], removed: dict[K, None], new: Mapping[K, V], gone: Iterable[K]) -> None:
    """Take over what is removed, then what is put, which may be the same again."""
    for key in gone:
        put.pop(key, None)
        removed[key] = None
    put.update(new)
