"""Rows of documents that callers name: columns of a memory, pages of a list; for all databases."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from anamnesis_libs.storage.sqlite import SqliteValue
from anamnesis_memory.model.json_documents import packed_path
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports.json_documents import DocumentPage

Row = TypeVar("Row", bound=Mapping[str, object])


def document_columns(memory: Memory) -> dict[str, SqliteValue]:
    """The scope and the path by which a document is listed; null of other memories."""
    part = memory.part if isinstance(memory.part, JsonDocument) else None
    return {
        "document_scope": scope_of(memory) if part else None,
        "document_path": packed_path(part.path) if part else None,
    }


def page_of(found: Sequence[Row], limit: int, memory_of: Callable[[Row], Memory]) -> DocumentPage:
    """The page of at most `limit` documents out of one row more."""
    shown = found[:limit]
    behind = None
    if len(found) > limit:
        path, number = shown[-1]["document_path"], shown[-1]["memory_no"]
        assert isinstance(path, str)
        assert isinstance(number, int)
        behind = (path, number)
    return DocumentPage([memory_of(row) for row in shown], behind)
