"""Texts of a memory that are embedded, and the making of its vectors."""

import asyncio
from collections.abc import Sequence

import numpy as np

from anamnesis_libs.chunking import embedding_texts, split
from anamnesis_libs.models.ports import Embedder
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Episode
from anamnesis_memory.ports import IndexRecord

QUICK_CHARS_MAX = 2_000
"""Texts so long are cut in a tenth of a millisecond, less than a change of threads takes."""


async def embedded(embedder: Embedder, memories: Sequence[Memory]) -> list[IndexRecord]:
    """Memories with their vectors, all pieces of all made in one call.

    Raises:
        ModelUnavailable: the model does not answer.
    """
    if sum(len(memory.content) for memory in memories) <= QUICK_CHARS_MAX:
        pieces = texts_of(memories)
    else:
        pieces = await asyncio.to_thread(texts_of, memories)
    rows = await embedder.embed([piece for texts in pieces for piece in texts])
    parts = np.split(rows, np.cumsum([len(texts) for texts in pieces])[:-1])
    return [IndexRecord(memory, part) for memory, part in zip(memories, parts, strict=True)]


def texts_of(memories: Sequence[Memory]) -> list[list[str]]:
    """The texts of each memory that are embedded, piece by piece."""
    return [
        embedding_texts(memory.content, name_of(memory), _role_of(memory)) for memory in memories
    ]


def pieces_of(memory: Memory) -> list[str]:
    """The pieces that a memory's text is cut into: it has a vector each."""
    return split(memory.content, _role_of(memory))


def name_of(memory: Memory) -> str:
    """The event's name: of its speaker or tool, of a file the document and headings; else ""."""
    return memory.part.name if isinstance(memory.part, Episode) else ""


def _role_of(memory: Memory) -> str:
    return memory.part.role if isinstance(memory.part, Episode) else ""
