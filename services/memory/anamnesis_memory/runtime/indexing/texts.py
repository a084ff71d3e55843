"""Texts of a memory that are embedded, and what the model makes of them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from anamnesis_libs.chunking import embedding_texts, split
from anamnesis_libs.index.token_codes import none_told, telling
from anamnesis_libs.models.ports import Embedder, TokenCodes, Tokens
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Episode
from anamnesis_memory.ports import IndexRecord

QUICK_CHARS_MAX = 2_000
"""Texts so long are cut in a tenth of a millisecond, less than a change of threads takes."""


@dataclass(frozen=True, slots=True)
class ReadMemories:
    """Memories with their vectors, and the tokens of each piece of those whose tokens are told."""

    records: Sequence[IndexRecord]
    tokens: Mapping[str, Sequence[TokenCodes]]


async def embedded(embedder: Embedder, memories: Sequence[Memory]) -> Sequence[IndexRecord]:
    """Memories with their vectors; see `read`."""
    return (await read(embedder, memories)).records


async def read(embedder: Embedder, memories: Sequence[Memory]) -> ReadMemories:
    """Memories as the embedder reads them, all pieces of all in one call; none takes no call.

    Raises:
        ModelUnavailable: the model does not answer.
    """
    if not memories:
        return ReadMemories((), {})
    quick = sum(len(memory.content) for memory in memories) <= QUICK_CHARS_MAX
    pieces = texts_of(memories) if quick else await asyncio.to_thread(texts_of, memories)
    texts = [piece for of_memory in pieces for piece in of_memory]
    made = await embedder.read(texts)
    ends = np.cumsum([len(of_memory) for of_memory in pieces]).tolist()
    places = [slice(start, end) for start, end in pairwise([0, *ends])]
    records = [
        IndexRecord(memory, made.rows[place])
        for memory, place in zip(memories, places, strict=True)
    ]
    if not embedder.reads_tokens:
        return ReadMemories(records, {})
    work = (texts, made.tokens, none_told(embedder.dimension))
    told = _telling(*work) if quick else await asyncio.to_thread(_telling, *work)
    ids = (memory.memory_id for memory in memories)
    return ReadMemories(records, {one: told[place] for one, place in zip(ids, places, strict=True)})


def _telling(
    texts: Sequence[str], tokens: Sequence[Tokens | None], nothing: TokenCodes
) -> list[TokenCodes]:
    """The codes that each text is compared by; `nothing`, where no tokens are told."""
    told = zip(texts, tokens, strict=True)
    return [nothing if read is None else telling(text, read) for text, read in told]


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
