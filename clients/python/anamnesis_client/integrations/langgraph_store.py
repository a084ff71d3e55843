"""LangGraph's `BaseStore`: JSON documents under namespaces and keys, kept by the suite.

Unlike the nodes and tools of `langgraph`, a store raises where the memory does not answer: what an
agent keeps as its state must not seem to be gone.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from anamnesis_client.documents import HITS_MAX
from anamnesis_client.json_documents import Document, DocumentPut, Name
from anamnesis_client.sync import Anamnesis

_NEVER = datetime.fromtimestamp(0, UTC)


class AnamnesisStore(BaseStore):
    """A store over the documents of a client's user, or of all where it names none.

    The operations of a batch see what was there before it; then its puts are done in their order,
    of one name the last.
    """

    supports_ttl = True

    def __init__(
        self,
        memory: Anamnesis,
        *,
        fields: Sequence[str] | None = None,
        ttl: TTLConfig | None = None,
        visibility: str = "",
    ) -> None:
        """Nothing is called yet.

        Args:
            memory: the client, whose user or agent owns what is put.
            fields: of values that are searched where a put names none; else all.
            ttl: the default time to live in minutes, and whether reads let it begin anew.
            visibility: as in `Anamnesis.put_documents`.
        """
        self._memory = memory
        self._fields = fields
        self._visibility = visibility
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """The results of operations, in their order; a put's is None."""
        asked = list(ops)
        held = self._get([op for op in asked if isinstance(op, GetOp)])
        running = _Batch(held)
        results = [self._result(op, running) for op in asked]
        if running.read:
            self._memory.touch_documents(running.read, visibility=self._visibility)
        if running.puts:
            self._memory.put_documents(running.puts.values(), visibility=self._visibility)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The results of operations, on a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _result(self, op: Op, running: "_Batch") -> Result:
        match op:
            case GetOp():
                document = running.held.get((tuple(op.namespace), op.key))
                running.note_read([document] if document and op.refresh_ttl else ())
                return None if document is None else _item(document)
            case SearchOp():
                found = self._search(op)
                running.note_read([one for one, _ in found] if op.refresh_ttl else ())
                return [_found(document, score) for document, score in found]
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                running.puts[tuple(op.namespace), op.key] = self._put(op)
                return None
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _get(self, ops: Sequence[GetOp]) -> Mapping[Name, Document]:
        names = dict.fromkeys((tuple(op.namespace), op.key) for op in ops)
        if not names:
            return {}
        return self._memory.get_documents(names, visibility=self._visibility)

    def _put(self, op: PutOp) -> DocumentPut:
        search = self._fields if op.index is None else op.index or ()
        ttl = None if op.ttl is None else timedelta(minutes=op.ttl)
        return DocumentPut(op.namespace, op.key, op.value, search=search, ttl=ttl)

    def _search(self, op: SearchOp) -> list[tuple[Document, float | None]]:
        wanted, last = op.filter or {}, op.offset + op.limit
        if op.query:
            hits = self._memory.search_documents(
                op.query,
                op.namespace_prefix,
                where=wanted,
                limit=min(last, HITS_MAX),
                visibility=self._visibility,
            )
            return [(hit.document, hit.score) for hit in hits[op.offset :]]
        listed = self._memory.list_documents(
            op.namespace_prefix, where=wanted, limit=last, visibility=self._visibility
        )
        return [(document, None) for document in listed[op.offset :]]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        paths = self._memory.list_document_paths(
            prefixes=_paths(op, "prefix"),
            suffixes=_paths(op, "suffix"),
            depth=op.max_depth,
            limit=op.offset + op.limit,
            visibility=self._visibility,
        )
        return list(paths[op.offset :])


@dataclass(slots=True)
class _Batch:
    """A batch on its way: what its gets found, what it read that has a time to live, its puts."""

    held: Mapping[Name, Document]
    read: dict[Name, None] = field(default_factory=dict)
    puts: dict[Name, DocumentPut] = field(default_factory=dict)

    def note_read(self, documents: Iterable[Document]) -> None:
        """Note documents whose time to live begins anew."""
        self.read |= dict.fromkeys(one.name for one in documents if one.ttl is not None)


def _paths(op: ListNamespacesOp, type_: str) -> list[tuple[str, ...]]:
    """The paths of the conditions of a type; one that is a text is a single segment."""
    return [
        (one.path,) if isinstance(one.path, str) else tuple(one.path)
        for one in op.match_conditions or ()
        if one.match_type == type_
    ]


def _item(document: Document) -> Item:
    return Item(
        value=dict(document.value),
        key=document.key,
        namespace=document.path,
        created_at=document.created or _NEVER,
        updated_at=document.updated or _NEVER,
    )


def _found(document: Document, score: float | None) -> SearchItem:
    return SearchItem(
        namespace=document.path,
        key=document.key,
        value=dict(document.value),
        created_at=document.created or _NEVER,
        updated_at=document.updated or _NEVER,
        score=score,
    )
