"""A namespace whose file is lost or damaged, and a full disk: what is kept, and what is told."""

import asyncio
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw
import pytest
from grpc import StatusCode, aio
from grpc_health.v1 import health_pb2

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import event_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval_pb
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import Process, start

STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static"}
ADA = Caller(user_id="ada")


async def tell(clients: Clients, namespace: str, *texts: str) -> str:
    """Events of Ada's; the revision that has them."""
    events = [event_pb2.Event(role=event_pb2.ROLE_USER, content=text) for text in texts]
    told = ingestion_pb.AppendEventsRequest(
        namespace=namespace, session_id="s", user_id="ada", events=events, use_server_time=True
    )
    return (await clients.ingestion.AppendEvents(told)).revision


async def found(clients: Clients, namespace: str, revision: str = "") -> int:
    """How many memories speak of Ghent."""
    asked = retrieval_pb.SearchRequest(
        namespace=namespace, query="Ghent", caller=ADA, at_least_revision=revision
    )
    return len((await clients.retrieval.Search(asked, timeout=20)).results)


async def incarnation(clients: Clients, namespace: str) -> str:
    listed = await clients.admin.ListNamespaces(admin_pb.ListNamespacesRequest())
    return next(each.incarnation for each in listed.namespaces if each.namespace == namespace)


async def healthy(address: str) -> bool:
    async with aio.insecure_channel(address) as channel:
        check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            health_pb2.HealthCheckRequest.SerializeToString,
            health_pb2.HealthCheckResponse.FromString,
        )
        answer = await check(
            health_pb2.HealthCheckRequest(service="anamnesis.memory.v1.MemoryService"), timeout=5
        )
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def lose(file: Path) -> None:
    file.unlink()


def empty(file: Path) -> None:
    file.write_bytes(b"")


def damage(file: Path) -> None:
    """Every page but the first two is noise."""
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(8192)
        opened.write(os.urandom(size - 8192))


HARMS: dict[str, Callable[[Path], None]] = {"lost": lose, "empty": empty, "damaged": damage}


async def test_a_lost_or_damaged_file_is_told_and_concerns_no_other(tmp_path: Path) -> None:
    names = await filled(tmp_path / "data", ("good", *HARMS))
    for name, harm in HARMS.items():
        harm(tmp_path / "data" / "namespaces" / f"{names[name]}.db")
    process = await asyncio.to_thread(start, tmp_path / "data", "all", STATIC)
    async with clients_of(everywhere(process.address)) as clients:
        for name in HARMS:
            await told_as_damaged(clients, name)
        await asyncio.sleep(1.5)  # the loops have looked by then
        revision = await tell(clients, "good", "I moved to Ghent again.")
        assert await found(clients, "good", revision)
        assert await healthy(process.address)
        for name in HARMS:
            gone = admin_pb.DeleteNamespaceRequest(namespace=name, incarnation=names[name])
            await clients.admin.DeleteNamespace(gone, timeout=20)
            assert await found(clients, name, await tell(clients, name, "Ghent, anew.")) == 1
    assert await asyncio.to_thread(process.stop) == 0


async def filled(directory: Path, names: Sequence[str]) -> dict[str, str]:
    """Fill a data directory; the incarnations of its namespaces."""
    process = await asyncio.to_thread(start, directory, "all", STATIC)
    async with clients_of(everywhere(process.address)) as clients:
        for name in names:
            await tell(clients, name, *(f"I live in Ghent, house {one}." for one in range(90)))
        incarnations = {name: await incarnation(clients, name) for name in names}
    assert await asyncio.to_thread(process.stop) == 0
    return incarnations


async def told_as_damaged(clients: Clients, name: str) -> None:
    with pytest.raises(aio.AioRpcError, match="import its last export") as refused:
        await found(clients, name)
    assert refused.value.code() is StatusCode.DATA_LOSS
    request = admin_pb.VerifyConsistencyRequest(namespace=name)
    with pytest.raises(aio.AioRpcError) as verified:
        [told async for told in clients.admin.VerifyConsistency(request, timeout=20)]
    assert verified.value.code() is StatusCode.DATA_LOSS


def newer(file: Path) -> None:
    """A version of later has written it."""
    opened = apsw.Connection(str(file))
    opened.pragma("user_version", 99)
    opened.close()


async def test_a_newer_schema_is_told_and_concerns_no_other(tmp_path: Path) -> None:
    names = await filled(tmp_path / "data", ("good", "newer"))
    newer(tmp_path / "data" / "namespaces" / f"{names['newer']}.db")
    process = await asyncio.to_thread(start, tmp_path / "data", "all", STATIC)
    async with clients_of(everywhere(process.address)) as clients:
        with pytest.raises(aio.AioRpcError, match="newer Anamnesis") as refused:
            await found(clients, "newer")
        assert refused.value.code() is StatusCode.FAILED_PRECONDITION
        await asyncio.sleep(1.5)  # the loops have looked by then
        assert await found(clients, "good", await tell(clients, "good", "Ghent again."))
        assert await healthy(process.address)
    assert await asyncio.to_thread(process.stop) == 0
    newer(tmp_path / "data" / "catalogue.db")
    with pytest.raises(AssertionError, match="newer Anamnesis"):
        await asyncio.to_thread(start, tmp_path / "data", "all", STATIC)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 MiB."""
    mounted = tmp_path / "disk"
    mounted.mkdir()
    options = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(mounted)]
    if os.geteuid() != 0 or subprocess.run(options, capture_output=True, check=False).returncode:
        pytest.skip("only who may mount a small disk can fill one")
    yield mounted
    subprocess.run(["umount", str(mounted)], check=True)


async def begin(small_disk: Path) -> Process:
    """A suite with two namespaces on a disk that is full from then on."""
    process = await asyncio.to_thread(start, small_disk / "data", "all", STATIC)
    async with clients_of(everywhere(process.address)) as clients:
        for name in ("kept", "large"):
            revision = await tell(clients, name, "I live in Ghent.", "x y z " * 20_000)
            assert await found(clients, name, revision)
    fill(small_disk)
    return process


@pytest.mark.long
async def test_a_full_disk_takes_reads_and_deletions(small_disk: Path) -> None:
    process = await begin(small_disk)
    async with clients_of(everywhere(process.address)) as clients:
        await refused_as_full(clients)
        assert await found(clients, "kept") == 1
        gone = ledger_pb.DeleteSessionRequest(namespace="kept", session_id="s", caller=ADA)
        await clients.ledger.DeleteSession(gone, timeout=20)
        assert await found(clients, "kept") == 0
        assert await healthy(process.address)
    assert await asyncio.to_thread(process.stop) == 0


@pytest.mark.long
async def test_a_suite_starts_on_a_full_disk_to_make_room(small_disk: Path) -> None:
    process = await begin(small_disk)
    assert await asyncio.to_thread(process.stop) == 0
    fill(small_disk)
    process = await asyncio.to_thread(start, small_disk / "data", "all", STATIC)
    async with clients_of(everywhere(process.address)) as clients:
        assert await found(clients, "large") == 1
        large = await incarnation(clients, "large")
        request = admin_pb.DeleteNamespaceRequest(namespace="large", incarnation=large)
        await clients.admin.DeleteNamespace(request, timeout=20)
        assert await healthy(process.address)
    assert await asyncio.to_thread(process.stop) == 0


def fill(disk: Path) -> None:
    """Not a byte is left."""
    with (disk / "filler").open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue


async def refused_as_full(clients: Clients) -> None:
    telling = (tell(clients, "kept", f"{number} " * 2000) for number in range(200))
    with pytest.raises(aio.AioRpcError, match="disk is full") as refused:
        [await each for each in telling]
    assert refused.value.code() is StatusCode.UNAVAILABLE
