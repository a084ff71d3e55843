"""What operators rely on where the store is a graph: one revision, whoever writes meanwhile."""

import asyncio
import itertools
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anamnesis_libs.errors import StoreUnavailable
from anamnesis_libs.storage.neo4j import Neo4jGraph, ServerAddress
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Caller, Namespace
from anamnesis_memory.model.session import Event, Session
from anamnesis_memory.operations.portable import ExportTally
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.upkeep import Binding, Cursors, Deletion, KeptMemory, Record
from anamnesis_memory.storage.neo4j.catalogue import HERE, Neo4jStores
from tests.contract.conftest import SERVER, Open
from tests.contract.test_export import comparable, exported, fill
from tests.contract.test_export_kept import fill as fill_kept
from tests.contract.test_export_learned import fill as fill_learned
from tests.contract.test_export_life import fill as fill_life
from tests.support.bolt_proxy import BoltProxy
from tests.support.clock import SetClock
from tests.support.records import BASE_US, append, lesson, rows

pytestmark = list(SERVER)
OTHER = Binding("other", 4)
ROOT = Path(__file__).parents[2]
LEARNED = {"Segment", "Tag", "Activity", "Work", "Tombstone", "Usage"}
KEPT = {"Stub", "Upload", "UploadPiece"}
HANGING = {"Copy", "Document"}
OTHERS = {"Memory", "Topic", "StagedEmbedding"}


@pytest.fixture
async def stores(open_neo4j: Open) -> AsyncIterator[Stores]:
    """Stores on Neo4j alone."""
    opened = await open_neo4j()
    yield opened
    await opened.close()


@pytest.fixture
async def graph(neo4j_address: ServerAddress) -> AsyncIterator[Neo4jGraph]:
    """The database, past the store."""
    opened = await Neo4jGraph.open(neo4j_address)
    yield opened
    await opened.close()


@pytest.fixture
async def unsure(
    neo4j_address: ServerAddress, clock: SetClock, namespace: Namespace
) -> AsyncIterator[tuple[Neo4jStores, NamespaceStore, BoltProxy]]:
    """The same over a way that loses the answer to a commit, when armed."""
    async with BoltProxy(neo4j_address.uri).running() as proxy:
        address = replace(neo4j_address, uri=proxy.uri)
        stores = await Neo4jStores.open_database(address, clock, namespace.incarnation)
        opened = await stores.open(namespace)
        yield stores, opened, proxy
        await opened.close()
        await stores.close()


async def _append_on(store: NamespaceStore, session_id: str) -> None:
    for number in itertools.count():
        await store.commit(append(f"{session_id} {number}", session_id=session_id, start=number))


async def _create_and_delete(store: NamespaceStore, name: str) -> None:
    """Memories come, are embedded, and go; every revision has five of them but for a moment."""
    waiting: list[str] = []
    for number in itertools.count():
        made = lesson(f"{name} comes and goes {number}")
        await store.commit(CreateMemories([made], [None]))
        await store.put_embeddings({made.memory_id: rows(1.0)})
        waiting.append(made.memory_id)
        if len(waiting) > 5:
            await store.commit(DeleteMemory(waiting.pop(0), Caller()))


def _check_of_one_moment(records: list[Record]) -> int:
    """Records that can only be told together at one revision; answers it."""
    cursors = records[-1]
    assert isinstance(cursors, Cursors)
    sessions = {each.session_id: each for each in records if isinstance(each, Session)}
    events = [each for each in records if isinstance(each, Event)]
    drawers = {each.memory.memory_id for each in records if isinstance(each, KeptMemory)}
    assert {event.memory_id for event in events} <= drawers
    for session in sessions.values():
        mine = [event for event in events if event.session_id == session.session_id]
        assert len(mine) == session.event_count
    stamps = [each.memory.revision for each in records if isinstance(each, KeptMemory)]
    deleted = [each.revision for each in records if isinstance(each, Deletion)]
    told = set(stamps + deleted)
    assert len(told) == len(stamps) + len(deleted), "each revision told once"
    untold = {*range(1, cursors.revision + 1)} - told
    assert len(untold) == len(deleted), "all but those that made what was deleted"
    assert told <= {*range(1, cursors.revision + 1)}
    return cursors.revision


async def test_an_export_is_of_one_moment_while_many_write(store: NamespaceStore) -> None:
    """Each write changes one memory, so revisions without a gap say that nothing was torn."""
    writers = [asyncio.create_task(_append_on(store, f"s-{number}")) for number in range(4)]
    writers += [asyncio.create_task(_create_and_delete(store, name)) for name in ("one", "other")]
    revisions = []
    for _ in range(6):
        async with store.export() as export:
            assert not [each for each in writers if each.done()]
            records = [record async for page in export.pages for record in page]
            tally = ExportTally()
            tally.add(records)
            assert tally.counts == export.counts
            assert _check_of_one_moment(records) == export.revision
            revisions.append(export.revision)
        await store.commit(append("between", session_id=f"between-{len(revisions)}"))
    for writer in writers:
        writer.cancel()
    await asyncio.gather(*writers, return_exceptions=True)
    assert revisions == sorted(set(revisions)), "writers went on in between"


async def test_writers_go_on_while_an_export_is_told(store: NamespaceStore) -> None:
    await fill(store)
    async with store.export() as export:
        async with asyncio.timeout(10):
            await store.commit(append("meanwhile", session_id="s-9"))
        assert export.revision < store.revision


def _files(directory: Path) -> list[Path]:
    return list(directory.iterdir())


async def test_an_export_leaves_no_file(
    neo4j_address: ServerAddress, clock: SetClock, namespace: Namespace, tmp_path: Path
) -> None:
    stores = await Neo4jStores.open_database(
        neo4j_address, clock, namespace.incarnation, spool_directory=tmp_path
    )
    store = await stores.open(namespace)
    await fill(store)
    async with store.export() as export:
        assert [page async for page in export.pages]
        assert _files(tmp_path) == [], "not even while it runs: the file has no name"
    await store.close()
    await stores.close()


async def test_without_a_place_for_its_file_an_export_is_refused(
    neo4j_address: ServerAddress, clock: SetClock, namespace: Namespace, tmp_path: Path
) -> None:
    stores = await Neo4jStores.open_database(
        neo4j_address, clock, namespace.incarnation, spool_directory=tmp_path / "gone"
    )
    store = await stores.open(namespace)
    with pytest.raises(StoreUnavailable, match="data directory"):
        async with store.export():
            pass
    await store.commit(append("goes on"))
    await store.close()
    await stores.close()


async def test_an_import_links_what_commits_would_have_linked(
    store: NamespaceStore, stores: Stores, namespace: Namespace, graph: Neo4jGraph
) -> None:
    await fill(store)
    entity = replace(lesson("Ada met Bob"), entities=("Ada", "Bob"))
    await store.commit(CreateMemories([entity], [rows(1.0)]))
    target = replace(namespace, name="copy", incarnation=new_incarnation(BASE_US + 1_000_000))
    made = await stores.open(target)
    records = await exported(store)
    for start in range(0, len(records), 2):
        for _ in range(2):
            await made.import_batch(records[start : start + 2])
    assert await _relationships(graph, target) == await _relationships(graph, namespace)
    assert len(await _relationships(graph, target)) > 10
    assert comparable(await exported(made)) == comparable(await exported(store))
    await made.close()


async def test_an_import_links_the_drawers_of_what_has_expired(
    store: NamespaceStore, stores: Stores, namespace: Namespace, graph: Neo4jGraph, clock: SetClock
) -> None:
    await fill_kept(store, clock)
    await store.commit(append("and on", session_id="k-1", start=5))
    target = replace(namespace, name="copy", incarnation=new_incarnation(BASE_US + 1_000_000))
    made = await stores.open(target)
    records = await exported(store)
    for start in range(0, len(records), 2):
        for _ in range(2):
            await made.import_batch(records[start : start + 2])
    links = await _relationships(graph, target)
    assert links == await _relationships(graph, namespace)
    assert len([one for one in links if one[1] == "FOLLOWED_BY"]) == 5, "six drawers in a chain"
    await made.close()


async def _relationships(graph: Neo4jGraph, namespace: Namespace) -> list[tuple[object, ...]]:
    names = "coalesce({0}.memory_id, {0}.session_id, {0}.topic_id, {0}.name_key, {0}.wing_key, "
    names += "{0}.upload_id, toString({0}.place))"
    found = await graph.read(
        "MATCH (a {ns: $ns})-[r]->(b) WHERE NOT a:Request "
        f"RETURN {{a: {names.format('a')}, type: type(r), b: {names.format('b')}}} AS row",
        {"ns": namespace.incarnation},
    )
    return sorted((str(row["a"]), str(row["type"]), str(row["b"])) for row in found)


async def test_what_is_discarded_leaves_no_node(
    store: NamespaceStore, stores: Stores, namespace: Namespace, graph: Neo4jGraph, clock: SetClock
) -> None:
    await fill_learned(store, clock)
    await fill_kept(store, clock)
    await fill_life(store)
    lessons = await fill(store)
    await store.stage_embeddings(OTHER, {lessons[0]: np.ones((1, 4), np.float32)})
    count = "MATCH (x {ns: $ns}) RETURN {count: count(*)} AS row"
    labels = "MATCH (x {ns: $ns}) UNWIND labels(x) AS label RETURN DISTINCT {label: label} AS row"
    found = await graph.read(labels, {"ns": namespace.incarnation})
    assert {str(row["label"]) for row in found} >= LEARNED | KEPT | OTHERS | HANGING
    await stores.discard(namespace)
    (after,) = await graph.read(count, {"ns": namespace.incarnation})
    assert after["count"] == 0
    with pytest.raises(StoreUnavailable):
        await store.commit(append("too late"))


async def test_a_discard_that_stopped_half_way_lets_nobody_write(
    store: NamespaceStore, stores: Stores, namespace: Namespace, graph: Neo4jGraph
) -> None:
    await fill(store)
    closing = "MATCH (c:Clock {ns: $ns}) SET c.discarded = true"
    await graph.write(lambda tx: tx.run(closing, {"ns": namespace.incarnation}))
    with pytest.raises(StoreUnavailable):
        await store.commit(append("too late"))
    await stores.discard(namespace)
    again = await stores.open(namespace)
    assert await exported(again) == [Cursors(0, 0, 0)]
    await again.close()


async def test_what_changes_once_happens_once_though_its_answer_is_lost(
    unsure: tuple[Neo4jStores, NamespaceStore, BoltProxy],
) -> None:
    _, store, proxy = unsure
    cats, dogs, _ = await fill(store)
    four = np.eye(4, dtype=np.float32)
    await store.stage_embeddings(OTHER, {cats: four[:1], dogs: four[1:2]})
    revision = store.revision
    proxy.armed = True
    assert await store.switch_embeddings(OTHER) == revision + 1
    proxy.armed = True
    await store.repair_topics(["t-1"])
    assert proxy.cuts == 2
    assert store.revision == revision + 2
    assert await store.binding() == OTHER
    assert (await exported(store))[-1] == Cursors(revision + 2, revision + 2, 4)


async def test_a_namespace_is_replaced_though_the_answer_is_lost(
    unsure: tuple[Neo4jStores, NamespaceStore, BoltProxy], namespace: Namespace
) -> None:
    stores, _, proxy = unsure
    other = replace(namespace, incarnation=new_incarnation(BASE_US + 5_000_000))
    for incarnation, made in (("", namespace), (namespace.incarnation, other)):
        proxy.armed = True
        assert await stores.catalogue.replace(made, incarnation)
    assert proxy.cuts == 2
    assert await stores.catalogue.get(namespace.name) == other
    assert not await stores.catalogue.replace(namespace, namespace.incarnation)


async def test_the_page_removes_every_node_that_has_a_namespace(graph: Neo4jGraph) -> None:
    page = (ROOT / "docs" / "neo4j.md").read_text("utf-8")
    (cleaning,) = re.findall(r"```cypher\n(MATCH \(c:Clock\)\nWHERE NOT.*?)```", page, re.DOTALL)
    await graph.read(f"EXPLAIN {cleaning}", {})
    (labels,) = re.findall(r"\(x:([\w|\s]+)\)", cleaning)
    migrations = HERE.glob("migrations/*.cypher")
    named = {
        label
        for file in migrations
        for name, label in re.findall(r"FOR \((\w):(\w+)\)", file.read_text("utf-8"))
        if re.search(rf"{name}\.ns\b", file.read_text("utf-8"))
    }
    assert set(re.findall(r"\w+", labels)) == named - {"Namespace", "Clock", "Due"}
