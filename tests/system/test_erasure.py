"""Erasure over real processes: a word that came by every path is found by none afterwards."""

import asyncio
import uuid
from pathlib import Path

import pytest

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1 import memory_service_pb2
from anamnesis_libs.storage.neo4j import ServerAddress
from tests.support.canary_reads import CanaryReads, in_bytes
from tests.support.canary_world import ADA, BOB, IN_A_FILE, SPACE, WORD, CanaryWorld
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start

SETTINGS = {"ANAMNESIS_MODELS__EMBEDDER": "static", "ANAMNESIS_LOG__LEVEL": "debug"}
CANARIES = (WORD, ADA)
SERVER = (pytest.mark.server, pytest.mark.long)
pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


async def found_in(clients: Clients) -> set[str]:
    """The answers in which a canary is."""
    return {
        name
        async for name, text in CanaryReads(clients).readable()
        if any(canary in text.lower() for canary in CANARIES)
    }


async def verified(clients: Clients) -> pb.VerifyErasureResponse:
    request = pb.VerifyErasureRequest(namespace=SPACE, canaries=CANARIES)
    return await clients.admin.VerifyErasure(request)


async def erased(clients: Clients) -> pb.DeleteSubjectResponse:
    request = pb.DeleteSubjectRequest(namespace=SPACE, user_id=ADA)
    return await clients.admin.DeleteSubject(request)


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=SERVER)])
def settings(request: pytest.FixtureRequest) -> dict[str, str]:
    """Settings of a server over each store."""
    if request.param == "sqlite":
        return SETTINGS
    address: ServerAddress = request.getfixturevalue("neo4j_address")
    return SETTINGS | {
        "ANAMNESIS_STORAGE__BACKEND": "neo4j",
        "ANAMNESIS_STORAGE__NEO4J_URI": address.uri,
        "ANAMNESIS_STORAGE__NEO4J_CATALOGUE": f"erasure-{uuid.uuid4().hex}",
    }


async def test_a_word_that_came_by_every_path_is_found_by_none(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    data_dir = tmp_path / "data"
    process = start(data_dir, settings=settings)
    try:
        async with clients_of(everywhere(process.address)) as clients:
            world = CanaryWorld(clients)
            await world.fill()
            before = await found_in(clients)
            places = {(one.store, one.place) for one in (await verified(clients)).places}
            assert {"SearchResponse", "ListEventsResponse", "ListUploadsResponse"} <= before
            assert {"RenderContextResponse", "GetMemoryResponse", "GetUploadResponse"} <= before
            assert {"ListActivityResponse", "ListSegmentsResponse", "ListTopicsResponse"} <= before
            assert {"ListFactsResponse", "GetTimelineResponse", "ListEntitiesResponse"} <= before
            assert {"TraverseResponse", "ListDrawersResponse", "ResolvePointerResponse"} <= before
            assert {"records", "index", "answers", "cache"} <= {store for store, _ in places}

            receipt = (await erased(clients)).receipt
            assert {"memories", "events", "sessions", "segments", "uploads"} <= set(receipt.records)
            assert (receipt.records["copies"], receipt.records["documents"]) == (3, 2)
            assert receipt.derived_memories >= 1
            assert receipt.kept_for_review == 3
            left = await verified(clients)
            assert not left.places
            assert left.looked_through["records"] > 0
            assert not in_bytes(data_dir, WORD)
            assert not in_bytes(data_dir, ADA)
            await asked_without_naming_her(clients, world)

            again = (await erased(clients)).receipt
            assert not again.records
            assert (again.derived_memories, again.kept_for_review, again.index_entries) == (0, 0, 0)
    finally:
        process.stop()
    assert not in_bytes(data_dir, WORD)
    assert not any(WORD in line.lower() for line in process.output)


async def asked_without_naming_her(clients: Clients, world: CanaryWorld) -> None:
    """What is read holds nothing of hers, but for the questions themselves; the rest stays."""
    assert not await found_in(clients) - {"nothing"}
    request = memory_service_pb2.BatchGetMemoriesRequest(
        namespace=SPACE, memory_ids=[*world.kept, world.alone], caller=Caller(user_id=BOB)
    )
    got = await clients.memory.BatchGetMemories(request)
    assert {one.memory_id: one.content for one in got.memories} == world.kept
    assert [*got.missing_memory_ids] == [world.alone]
    assert [one.memory_id for one in got.memories if one.needs_review] == [world.both]


async def test_a_drawer_goes_with_every_word_that_quotes_it(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    process = start(data_dir, settings=SETTINGS)
    try:
        async with clients_of(everywhere(process.address)) as clients:
            world = CanaryWorld(clients)
            await world.fill()
            sought = pb.VerifyErasureRequest(namespace=SPACE, canaries=[IN_A_FILE])
            before = {one.place for one in (await clients.admin.VerifyErasure(sought)).places}
            assert {"segments.topic", "uploads.packed", "activities.topic"} <= before
            drawer = await world.in_the_file()
            await clients.memory.DeleteMemory(
                memory_service_pb2.DeleteMemoryRequest(namespace=SPACE, memory_id=drawer)
            )
            left = (await clients.admin.VerifyErasure(sought)).places
            assert not [one for one in left if one.store in {"records", "answers"}]
            told = {
                name
                async for name, text in CanaryReads(clients).readable()
                if IN_A_FILE in text.lower()
            }
            assert not told
    finally:
        process.stop()
    assert not in_bytes(data_dir, IN_A_FILE)


LONG = pytest.mark.long


@pytest.mark.parametrize("share", [0.4, *(pytest.param(each, marks=LONG) for each in (0.8, 0.0))])
async def test_an_erasure_that_is_killed_is_finished_when_it_is_sent_again(
    tmp_path: Path, share: float
) -> None:
    data_dir = tmp_path / "data"
    process = start(data_dir, settings=SETTINGS)
    async with clients_of(everywhere(process.address)) as clients:
        world = CanaryWorld(clients)
        await world.fill()
        size = (await clients.admin.GetStats(pb.GetStatsRequest(namespace=SPACE))).stats.memories
        erasing = asyncio.create_task(erased(clients))
        while not erasing.done():
            stats = pb.GetStatsRequest(namespace=SPACE)
            held = (await clients.admin.GetStats(stats)).stats.memories - len(world.kept)
            if held <= share * (size - len(world.kept)):
                break
        process.kill()
        await asyncio.gather(erasing, return_exceptions=True)
    process = start(data_dir, settings=SETTINGS)
    try:
        async with clients_of(everywhere(process.address)) as clients:
            await erased(clients)
            assert not (await verified(clients)).places
            assert not in_bytes(data_dir, WORD)
            assert not in_bytes(data_dir, ADA)
    finally:
        process.stop()


async def test_a_deleted_namespace_leaves_no_file(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    process = start(data_dir, settings=SETTINGS)
    try:
        async with clients_of(everywhere(process.address)) as clients:
            world = CanaryWorld(clients)
            await world.fill()
            named = pb.GetNamespaceRequest(namespace=SPACE)
            incarnation = (await clients.admin.GetNamespace(named)).namespace.incarnation
            request = pb.DeleteNamespaceRequest(namespace=SPACE, incarnation=incarnation)
            receipt = (await clients.admin.DeleteNamespace(request)).receipt
            assert receipt.records["memories"] > 0
            assert not in_bytes(data_dir, WORD)
            listed = await clients.admin.ListNamespaces(pb.ListNamespacesRequest())
            assert SPACE not in {one.namespace for one in listed.namespaces}
    finally:
        process.stop()
