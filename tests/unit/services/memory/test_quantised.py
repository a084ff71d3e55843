"""A namespace with many vectors: held quantised, followed, verified, rebuilt and restored alike."""

import functools
from pathlib import Path

import pytest

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import ScoredHits
from anamnesis_memory.operations.findings import Finding
from anamnesis_memory.operations.rebuild import rebuild
from anamnesis_memory.operations.verify import Verification
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from tests.support.embedders import SwitchedEmbedder
from tests.support.operators import Operated, operated

make_index = functools.partial(MemoryIndex, exact_vectors_max=1)


async def findings(space: Operated, opened: OpenNamespace) -> list[Finding]:
    """What a verification tells."""
    told = [one async for one in Verification(opened, space.snapshots, repair=False).run()]
    return [one for one in told if isinstance(one, Finding)]


def check_near(found: ScoredHits, exact: ScoredHits) -> None:
    """The same memories, with cosines as near as 8 bits tell them."""
    wanted = {hit.memory_id: hit.cosine for hit in exact.hits}
    assert {hit.memory_id: hit.cosine for hit in found.hits} == pytest.approx(wanted, abs=5e-3)
    assert [hit.cosine for hit in found.hits] != [wanted[hit.memory_id] for hit in found.hits]


async def test_what_many_vectors_become_is_verified_rebuilt_and_restored(tmp_path: Path) -> None:
    embedder = SwitchedEmbedder()
    async with operated(tmp_path, embedder) as space:
        await space.fill("team")
        exact = await space.found("team", "green apples")
    async with operated(tmp_path, embedder, make_index) as space:
        grown = await space.found("team", "green apples")
        check_near(grown, exact)
        async with space.namespaces.reading("team") as opened:
            assert await findings(space, opened) == []
            async with opened.follower.still():
                await rebuild(opened, space.snapshots, opened.namespace, embeds=True)
            assert await findings(space, opened) == []
        assert await space.found("team", "green apples") == grown
        async with space.namespaces.reading("team") as opened:
            opened.saved_at = -1
            await opened.save(space.snapshots)
    embedder.embedded.clear()
    async with operated(tmp_path, embedder, make_index) as space:
        assert await space.found("team", "green apples") == grown
        async with space.namespaces.reading("team") as opened:
            assert await findings(space, opened) == []
    assert set(embedder.embedded) == {"green apples"}
