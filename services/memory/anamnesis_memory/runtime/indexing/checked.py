"""Lessons embed first: with their vectors, and with what is known of those near them.

Where that takes too long, or the model does not answer, they are stored without vectors: identical
ones are found all the same, and the others are looked at when the vectors are made.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from anamnesis_libs.errors import (
    DeadlineExceeded,
    InvalidArgument,
    ModelUnavailable,
    ResourceExhausted,
)
from anamnesis_libs.models.ports import Embedder
from anamnesis_memory.dedup.check import Check
from anamnesis_memory.model.edges import source_ids
from anamnesis_memory.model.memory import Kind, Vectors
from anamnesis_memory.model.visibility import narrowed
from anamnesis_memory.ports import IndexRecord
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.texts import embedded

BEHIND_MAX = 500
"""Revisions that an index may be behind; the lessons among them are compared one by one."""


class LessonGate:
    """The gate that lessons pass on their way into a namespace."""

    def __init__(self, embedder: Embedder, timeout_s: float) -> None:
        self._embedder = embedder
        self._timeout_s = timeout_s

    async def passed(
        self, opened: OpenNamespace, incoming: Sequence[IndexRecord]
    ) -> tuple[list[Vectors | None], Check]:
        """The vectors with which memories are to be stored, and the check of the lessons."""
        if all(one.memory.kind is not Kind.LEARNING for one in incoming):
            return [one.vectors for one in incoming], Check()
        try:
            async with asyncio.timeout(self._timeout_s):
                made = await self._embedded(opened, incoming)
                check = await self._check(opened, made)
        except (TimeoutError, DeadlineExceeded, ModelUnavailable, ResourceExhausted):
            return [_unchecked(one) for one in incoming], Check()
        return [one.vectors for one in made], check

    async def _embedded(
        self, opened: OpenNamespace, incoming: Sequence[IndexRecord]
    ) -> list[IndexRecord]:
        """Lessons that come without vectors get some.

        Raises:
            ModelUnavailable: the model does not answer, or is not the namespace's.
        """
        if opened.namespace.embedding_model != self._embedder.model:
            raise ModelUnavailable("the namespace's vectors are of another model")
        bare = [one.memory for one in incoming if _is_bare_lesson(one)]
        made = await embedded(opened.follower.embedder, bare)
        by_id = {one.memory.memory_id: one for one in made}
        return [by_id.get(one.memory.memory_id, one) for one in incoming]

    async def _check(self, opened: OpenNamespace, made: Sequence[IndexRecord]) -> Check:
        """Check lessons against the index, once it is near enough to the store.

        Raises:
            DeadlineExceeded: the index is too far behind, and stays so.
        """
        revision = opened.store.revision - BEHIND_MAX
        await opened.follower.wait_for_text(revision, self._timeout_s)
        as_of = opened.follower.text_watermark
        return await opened.lessons.check(await _narrowed(opened, made), as_of)


async def _narrowed(opened: OpenNamespace, made: Sequence[IndexRecord]) -> list[IndexRecord]:
    """The lessons as visible as they will be; unchanged where the write is going to refuse them."""
    ids = dict.fromkeys(one for each in made for one in source_ids(each.memory))
    if not ids:
        return list(made)
    sources = {one.memory_id: one for one in await opened.store.memories(tuple(ids), None)}
    try:
        return [replace(one, memory=narrowed(one.memory, sources)) for one in made]
    except InvalidArgument:
        return list(made)


def _is_bare_lesson(one: IndexRecord) -> bool:
    return one.memory.kind is Kind.LEARNING and one.vectors is None


def _unchecked(one: IndexRecord) -> Vectors | None:
    """The vectors of a memory, but none for a lesson, which is checked when it gets vectors."""
    return None if one.memory.kind is Kind.LEARNING else one.vectors
