"""Edges, copies, documents and digests in plain dicts: a part of what the fake store keeps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_memory.domain.lifecycle.vitals import Vitals
from anamnesis_memory.model.documents import Document, DocumentKey
from anamnesis_memory.model.edges import Edge, EdgeKey
from anamnesis_memory.model.memory import Kind, Memory, Status, Vectors
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.ports import IndexRecord, ReadSet, ReadView, WriteSet


@dataclass(slots=True)
class LifeRecords:
    """Of one namespace; `digests` are by memory."""

    edges: dict[EdgeKey, Edge] = field(default_factory=dict)
    copies: dict[str, Copy] = field(default_factory=dict)
    documents: dict[DocumentKey, Document] = field(default_factory=dict)
    digests: dict[str, bytes] = field(default_factory=dict)

    def see(
        self,
        wanted: ReadSet,
        seen: ReadView,
        stored: Sequence[Memory],
        vectors: Mapping[str, Vectors],
    ) -> ReadView:
        """What a write may look at besides; `stored` are all memories in the order of storing."""
        active = [one for one in stored if one.status is Status.ACTIVE]
        lessons = {
            digest: next(one for one in active if self.digests.get(one.memory_id) == digest)
            for digest in wanted.digests
            if digest in {self.digests.get(one.memory_id) for one in active}
        }
        after = wanted.fresh_after
        fresh = [
            IndexRecord(one, vectors.get(one.memory_id))
            for one in active
            if after is not None and one.kind is Kind.LEARNING and one.revision > after
        ]
        return replace(
            seen,
            by_digest={digest: one.memory_id for digest, one in lessons.items()},
            memories={**seen.memories, **{one.memory_id: one for one in lessons.values()}},
            fresh=tuple(fresh),
            embeddings={key: vectors[key] for key in wanted.embeddings if key in vectors},
            edges=tuple(sorted(self.edges_at(wanted.edges_of), key=lambda edge: edge.key)),
            copies={key: held for key in wanted.copies_of if (held := self.copies_of(key))},
            documents={
                key: self.documents[key] for key in wanted.documents if key in self.documents
            },
        )

    def apply(self, edits: WriteSet, memories: Mapping[str, Memory]) -> None:
        """Put and remove what the edits name."""
        for edge_key in edits.removed_edges:
            self.edges.pop(edge_key, None)
        for copy_id in edits.removed_copies:
            self.copies.pop(copy_id, None)
        for document_key in edits.removed_documents:
            self.documents.pop(document_key, None)
        for edge in edits.edges:
            self.put_edge(edge, memories)
        for copy in edits.copies:
            self.put_copy(copy, memories)
        self.documents.update((document.key, document) for document in edits.documents)

    def put_edge(self, edge: Edge, memories: Mapping[str, Memory]) -> None:
        """Put an edge if both its ends are there; it stays as old as it is."""
        if edge.source_id in memories and edge.target_id in memories:
            before = self.edges.get(edge.key, edge)
            self.edges[edge.key] = replace(edge, create_time_us=before.create_time_us)

    def put_copy(self, copy: Copy, memories: Mapping[str, Memory]) -> None:
        """Put a copy if the memory it hangs on is there."""
        if copy.memory_id in memories:
            self.copies[copy.copy_id] = copy

    def edges_at(self, memory_ids: Sequence[str]) -> list[Edge]:
        """Edges that begin or end at one of these."""
        asked = set(memory_ids)
        return [one for one in self.edges.values() if {one.source_id, one.target_id} & asked]

    def copies_of(self, memory_id: str) -> tuple[Copy, ...]:
        """What hangs on a memory, the oldest first."""
        held = [one for one in self.copies.values() if one.memory_id == memory_id]
        return tuple(sorted(held, key=lambda one: (one.create_time_us, one.copy_id)))

    def forget(self, memory_id: str) -> None:
        """Take away what hangs on a deleted memory."""
        self.digests.pop(memory_id, None)
        for edge in self.edges_at([memory_id]):
            del self.edges[edge.key]
        for copy in self.copies_of(memory_id):
            del self.copies[copy.copy_id]

    def erase(self, session_id: str) -> None:
        """Take away copies and documents of a session."""
        self.copies = {
            key: one for key, one in self.copies.items() if one.memory.session_id != session_id
        }
        self.documents = {
            key: one for key, one in self.documents.items() if one.session_id != session_id
        }


def with_vitals(memories: Mapping[str, Memory], vitals: Iterable[Vitals]) -> dict[str, Memory]:
    """Those of some memories that are named, as they fare now."""
    return {
        one.memory_id: replace(
            memories[one.memory_id],
            hit_count=one.hit_count,
            last_hit_us=one.last_hit_us,
            stability_days=one.stability_days,
            review_us=one.review_us,
            tier=one.tier,
            centrality=one.centrality,
        )
        for one in vitals
        if one.memory_id in memories
    }
