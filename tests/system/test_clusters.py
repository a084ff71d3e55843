"""Lessons by topic through a whole suite: sorted as they come, moved by hand, grouped anew."""

import uuid
from collections.abc import AsyncIterator, Iterator

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from grpc import aio

from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis.cluster.v1.cluster_pb2 import Cluster
from anamnesis.memory.v1 import memory_pb2, memory_service_pb2
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import Process, start

SETTINGS = {"ANAMNESIS_MODELS__EMBEDDER": "static"}
PROBES = (
    "The liveness probe called the database and restarted every pod of the deployment.",
    "Give a slow pod a startup probe; the liveness probe killed it while it loaded.",
    "Pods stayed unready, since the readiness probe asked another port of the pod.",
)
INVOICE = "Check the tax number of the supplier before an invoice is booked."


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A suite of its own."""
    process = start(tmp_path_factory.mktemp("clusters") / "data", settings=SETTINGS)
    yield process
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
async def clients(process: Process) -> AsyncIterator[Clients]:
    """Stubs of it."""
    async with clients_of(everywhere(process.address)) as made:
        yield made


@pytest.fixture
async def ids(clients: Clients, space: str) -> list[str]:
    """The lessons, when they are sorted."""
    request = memory_service_pb2.BatchCreateMemoriesRequest(
        namespace=space,
        memories=[
            memory_service_pb2.NewMemory(
                kind=memory_pb2.MEMORY_KIND_LEARNING, content=text, category="pattern"
            )
            for text in (*PROBES, INVOICE)
        ],
    )
    made = await clients.memory.BatchCreateMemories(request, timeout=60)
    await listed(clients, space, made.revision)
    return [one.memory_id for one in made.memories]


@pytest.fixture
def space() -> str:
    """A namespace of the test's own."""
    return f"space-{uuid.uuid4().hex[:12]}"


async def listed(clients: Clients, space: str, revision: str = "") -> list[Cluster]:
    """All clusters, the largest first."""
    request = pb.ListClustersRequest(namespace=space, at_least_revision=revision)
    answer = await clients.cluster.ListClusters(request, timeout=30)
    return sorted(answer.clusters, key=lambda cluster: -cluster.member_count)


async def home(clients: Clients, space: str, memory_id: str) -> Cluster:
    """The cluster that a lesson is in."""
    request = pb.GetClusterRequest(namespace=space, memory_id=memory_id)
    return (await clients.cluster.GetCluster(request, timeout=30)).cluster


async def change(clients: Clients, space: str, memory_id: str, path: str, to: object) -> None:
    """Change a lesson, and wait until it has been looked at."""
    request = memory_service_pb2.UpdateMemoryRequest(
        namespace=space,
        memory_id=memory_id,
        change=memory_service_pb2.MemoryChange(**{path: to}),  # type: ignore[arg-type]
        update_mask=FieldMask(paths=[path]),
    )
    answer = await clients.memory.UpdateMemory(request, timeout=30)
    await listed(clients, space, answer.revision)


async def test_lessons_are_sorted_by_topic(clients: Clients, space: str, ids: list[str]) -> None:
    assert [cluster.member_count for cluster in await listed(clients, space)] == [3, 1]
    assert (await home(clients, space, ids[1])).member_count == 3


async def test_what_was_moved_by_hand_stays_until_its_text_changes(
    clients: Clients, space: str, ids: list[str]
) -> None:
    before = await home(clients, space, ids[1])
    request = pb.AssignMemoryRequest(namespace=space, memory_id=ids[1], new_cluster=True)
    moved = (await clients.cluster.AssignMemory(request, timeout=30)).cluster
    assert (moved.member_count, moved.cluster_id == before.cluster_id) == (1, False)
    await change(clients, space, ids[1], "tags", ["told-again"])
    assert (await home(clients, space, ids[1])).cluster_id == moved.cluster_id
    call = clients.cluster.RunInitialClustering(pb.RunInitialClusteringRequest(namespace=space))
    told = [one async for one in call]
    assert told[-1].summary.clusters == 3
    assert (await home(clients, space, ids[1])).cluster_id == moved.cluster_id
    await change(clients, space, ids[1], "content", f"{PROBES[0]} Again.")
    assert (await home(clients, space, ids[1])).cluster_id == before.cluster_id


async def test_what_is_no_lesson_is_in_no_cluster(clients: Clients, space: str) -> None:
    request = memory_service_pb2.CreateMemoryRequest(
        namespace=space,
        memory=memory_service_pb2.NewMemory(
            kind=memory_pb2.MEMORY_KIND_SEMANTIC, content="It rains."
        ),
    )
    made = await clients.memory.CreateMemory(request, timeout=30)
    move = pb.AssignMemoryRequest(
        namespace=space, memory_id=made.memory.memory_id, new_cluster=True
    )
    with pytest.raises(aio.AioRpcError) as refused:
        await clients.cluster.AssignMemory(move, timeout=30)
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert "no lesson" in str(refused.value.details())
