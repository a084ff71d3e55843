"""Binding a namespace to another embedding model while it is read and written.

New vectors are made beside those in use and kept in the store, so that the work can stop
and go on. Then the store puts all of them in place at once, and the index is made anew.
Until then no search sees a vector of the new model, and none is asked with one.
Lessons are then linked by what is near in the new model.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Mapping, Sequence
from dataclasses import dataclass

from anamnesis_libs.errors import Conflict
from anamnesis_libs.models.ports import Embedder
from anamnesis_memory.model.memory import Kind, MemoryFilter, Vectors
from anamnesis_memory.model.progress import Progress
from anamnesis_memory.operations.rebuild import rebuild
from anamnesis_memory.ports.catalogue import Catalogue
from anamnesis_memory.ports.upkeep import Binding
from anamnesis_memory.runtime.indexing.follow import EMBED_BATCH_MAX
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.open_namespaces import OpenNamespaces
from anamnesis_memory.runtime.indexing.snapshots import Snapshots
from anamnesis_memory.runtime.indexing.texts import embedded

ROUND_MAX = 100_000
"""Ids looked up at once."""
LINK_BATCH_MAX = 50
"""Lessons that are compared with their neighbours in one step."""
_LESSONS = MemoryFilter(kinds=(Kind.LEARNING,))
TRIES_MAX = 5
"""Writes with vectors of the old model may come in between as often as this."""


@dataclass(frozen=True, slots=True)
class Reembedder:
    """The verb behind `Reembed`."""

    namespaces: OpenNamespaces
    catalogue: Catalogue
    snapshots: Snapshots
    embedder: Embedder

    async def run(self, opened: OpenNamespace) -> AsyncGenerator[Progress, None]:
        """Make the vectors and switch; nothing to do where the model is the namespace's.

        Raises:
            Conflict: the namespace is being re-embedded already.
            ModelUnavailable: the model does not answer; what was made is kept.
        """
        binding = Binding(self.embedder.model, self.embedder.dimension)
        if opened.reembedding:
            raise Conflict(
                f"{opened.namespace.name} is being re-embedded already",
                metadata={"resource": "embeddings"},
            )
        if opened.namespace.embedding_model == binding.model:
            return
        opened.reembedding = True
        try:
            async for progress in self._prepare(opened, binding):
                yield progress
            await _to_the_end(self._switch(opened, binding))
            async for progress in self._link(opened):
                yield progress
        finally:
            opened.reembedding = False

    async def _prepare(
        self, opened: OpenNamespace, binding: Binding
    ) -> AsyncGenerator[Progress, None]:
        """Make vectors until every memory has some, those that come in meanwhile included."""
        while ids := await opened.store.unstaged(binding, ROUND_MAX):
            total = sum((await opened.store.counts()).by_kind.values())
            done = max(0, total - len(ids))
            for start in range(0, len(ids), EMBED_BATCH_MAX):
                batch = ids[start : start + EMBED_BATCH_MAX]
                made = await self._vectors(opened, batch)
                await opened.store.stage_embeddings(binding, made)
                done += len(batch)
                yield Progress("embed", min(done, total), total)
        yield Progress("switch", 0, 1)

    async def _vectors(
        self, opened: OpenNamespace, memory_ids: Sequence[str]
    ) -> Mapping[str, Vectors]:
        """Vectors of some memories; those gone are left out."""
        memories = await opened.store.memories(memory_ids, None)
        made = await embedded(opened.follower.embedder, memories)
        return {one.memory.memory_id: one.vectors for one in made if one.vectors is not None}

    async def _link(self, opened: OpenNamespace) -> AsyncGenerator[Progress, None]:
        """Link the lessons that are near each other by the new vectors, for consolidation."""
        after: int | None = 0
        done = 0
        while after is not None:
            page = await opened.store.list_memories(_LESSONS, None, after, LINK_BATCH_MAX)
            ids = [one.memory_id for one in page.items]
            records = await opened.store.index_records(ids)
            await opened.lessons.link(records, opened.follower.text_watermark)
            done += len(ids)
            yield Progress("link", done, done)
            after = None if page.next_after is None else int(page.next_after)

    async def _switch(self, opened: OpenNamespace, binding: Binding) -> None:
        """All at once in the store; then the catalogue is told, and the index made anew."""
        async with self.namespaces.held(opened), opened.follower.paused():
            old = opened.namespace
            bound = old.bound_to(binding.model, binding.dimension)
            await self._switch_store(opened, binding)
            try:
                await self.catalogue.replace(bound, old.incarnation)
                await rebuild(opened, self.snapshots, bound, embeds=True)
            except BaseException:
                await opened.index.swap(self.snapshots.empty(binding.dimension))
                opened.namespace = bound
                opened.follower.restart(0, embeds=True)
                raise
            opened.saved_at = -1
            await asyncio.to_thread(self.snapshots.forget, old)

    async def _switch_store(self, opened: OpenNamespace, binding: Binding) -> None:
        """Switch the store, after making new vectors for what came in with old ones meanwhile."""
        for tries in range(1, TRIES_MAX + 1):
            async for _ in self._prepare(opened, binding):
                pass
            try:
                await opened.store.switch_embeddings(binding)
            except Conflict:
                if tries == TRIES_MAX:
                    raise
            else:
                return


async def _to_the_end(work: Coroutine[None, None, None]) -> None:
    """Run work to its end, also when the caller is cancelled meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
