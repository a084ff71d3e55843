"""What hangs on memories, on every backend: exported, put back as it was, and let go of."""

from dataclasses import replace

import numpy as np

from anamnesis_memory.model.documents import Document
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Memory, Namespace, Status
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.ports import NamespaceStore, ReadSet, WriteSet
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.upkeep import Binding, Cursors, KeptMemory, Record, RecordType
from tests.contract.test_export import comparable, exported
from tests.contract.test_export_kept import copied, of
from tests.support.life import copy, document, edge, look, put
from tests.support.records import DIMENSION, lesson, rows

DIGEST = b"digest" * 5


async def fill(store: NamespaceStore) -> tuple[Memory, Memory]:
    """Two lessons, one with vitals, and something of everything that hangs on them."""
    faring = {"hit_count": 3, "last_hit_us": 9, "stability_days": 2.5, "review_us": 8}
    archived = {"status": Status.ARCHIVED, "archive_time_us": 7, "centrality": 0.5}
    one = replace(lesson("one"), **faring)  # type: ignore[arg-type]
    two = replace(lesson("two"), **archived)  # type: ignore[arg-type]
    edits = WriteSet(
        memories=(one, two),
        digests={one.memory_id: DIGEST},
        edges=(edge(one.memory_id, two.memory_id), edge(two.memory_id, one.memory_id)),
        copies=(
            copy("c-2", one.memory_id, lesson("was"), vectors=rows(1.0, 2.0)),
            copy("c-1", two.memory_id, lesson("too")),
        ),
        documents=(document("b", session_id="s-1"), document("a", '{"a": "ü"}')),
    )
    await put(store, edits)
    return one, two


async def test_an_export_has_what_hangs_on_memories(store: NamespaceStore) -> None:
    one, _ = await fill(store)
    records = await exported(store)
    edges = [record for record in records if isinstance(record, Edge)]
    assert edges == sorted(edges, key=lambda each: each.key)
    copies = [record for record in records if isinstance(record, Copy)]
    assert [each.copy_id for each in copies] == ["c-1", "c-2"]
    assert copies[1].vectors is not None
    assert np.array_equal(copies[1].vectors, rows(1.0, 2.0))
    assert [record.name for record in records if isinstance(record, Document)] == ["a", "b"]
    kept = {each.memory.memory_id: each for each in records if isinstance(each, KeptMemory)}
    assert [each.digest for each in kept.values()] == [DIGEST, b""]
    assert kept[one.memory_id].memory.review_us == 8
    places = [type(record) for record in records]
    assert places[-7:] == [Edge, Edge, Copy, Copy, Document, Document, Cursors]
    kinds = (RecordType.EDGES, RecordType.COPIES, RecordType.DOCUMENTS)
    async with store.export() as export:
        assert [export.counts[kind] for kind in kinds] == [2, 2, 2]


async def test_it_comes_back_as_it_was(
    store: NamespaceStore, stores: Stores, namespace: Namespace
) -> None:
    one, _ = await fill(store)
    made = await copied(stores, namespace, await exported(store))
    assert comparable(await exported(made)) == comparable(await exported(store))
    async with store.export() as told, made.export() as told_again:
        assert told.counts == told_again.counts
    assert (await look(made, ReadSet(digests=(DIGEST,)))).by_digest == {DIGEST: one.memory_id}
    assert await made.edges_of([one.memory_id], (), 9) == await store.edges_of(
        [one.memory_id], (), 9
    )
    await made.close()


async def test_what_hangs_on_nothing_is_passed_over(
    store: NamespaceStore, stores: Stores, namespace: Namespace
) -> None:
    one, _ = await fill(store)
    made = await copied(stores, namespace, await exported(store))
    lost: list[Record] = [edge(one.memory_id, "nobody"), copy("c-9", "nobody", lesson("lost"))]
    await made.import_batch(lost)
    assert len(of(await exported(made), Edge)) == len(of(await exported(made), Copy)) == 2
    await made.close()


async def test_copies_let_go_of_vectors_of_another_model(store: NamespaceStore) -> None:
    one, two = await fill(store)
    binding = Binding("another", DIMENSION)
    staged = {one.memory_id: rows(3.0), two.memory_id: rows(4.0)}
    await store.stage_embeddings(binding, staged)
    await store.switch_embeddings(binding)
    seen = await look(store, ReadSet(copies_of=(one.memory_id,)))
    (held,) = seen.copies[one.memory_id]
    assert (held.copy_id, held.vectors) == ("c-2", None)
    assert held.memory.content == "was"
