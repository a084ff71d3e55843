"""What operators do, as they do it: by command line, and with servers killed half-way."""

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1 import event_pb2, ledger_service_pb2, namespace_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import Process, command, environment, start

STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static"}
MINILM = {"ANAMNESIS_MODELS__EMBEDDER": "minilm"}
pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
SUBJECTS = ("apples", "plums", "trains", "violins", "harbours", "glaciers")


def anamnesis(
    process: Process, *arguments: str, stdin: bytes | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """Run a command against a server."""
    return subprocess.run(
        command("--server", process.address, *arguments),
        input=stdin,
        capture_output=True,
        env=environment(),
        check=False,
        timeout=60,
    )


@contextmanager
def serving(data_dir: Path, settings: dict[str, str]) -> Iterator[Process]:
    """A server that is stopped at the end, whatever the test comes to."""
    process = start(data_dir, settings=settings)
    try:
        yield process
    finally:
        process.stop()


async def fill(clients: Clients, namespace: str, count: int) -> None:
    """Append so many turns."""
    events = [
        event_pb2.Event(
            role=event_pb2.ROLE_USER,
            content=f"Note {number}: the {SUBJECTS[number % 6]} arrived on day {number}.",
            event_time=Timestamp(seconds=1_772_000_000 + number),
        )
        for number in range(count)
    ]
    request = ledger_service_pb2.AppendEventsRequest(
        namespace=namespace, session_id="s-1", agent_id="a", events=events
    )
    appended = await clients.ledger.AppendEvents(request)
    await searched(clients, namespace, "anything", appended.revision)


async def stats(clients: Clients, namespace: str) -> namespace_pb2.NamespaceStats:
    return (await clients.admin.GetStats(pb.GetStatsRequest(namespace=namespace))).stats


async def searched(
    clients: Clients, namespace: str, query: str, revision: str = ""
) -> retrieval_service_pb2.SearchResponse:
    request = retrieval_service_pb2.SearchRequest(
        namespace=namespace, query=query, limit=10, at_least_revision=revision
    )
    return await clients.retrieval.Search(request)


def scores(response: retrieval_service_pb2.SearchResponse) -> list[tuple[str, float, str]]:
    return [(one.memory.memory_id, one.score, one.memory.pointer) for one in response.results]


async def test_a_namespace_is_exported_imported_and_verified_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "team.jsonl"
    with serving(tmp_path / "data", STATIC) as process:
        async with clients_of(everywhere(process.address)) as clients:
            await fill(clients, "team", 60)
            done = anamnesis(process, "export", "-n", "team", str(file), "--json")
            assert done.returncode == 0, done.stderr
            assert json.loads(done.stdout)["bytes"] == file.stat().st_size
            assert anamnesis(process, "export", "-n", "team", str(file)).returncode == 2
            piped = anamnesis(process, "export", "-n", "team", "-").stdout
            assert piped == file.read_bytes()

            made = anamnesis(process, "import", "-", "-n", "copy", "--json", stdin=piped)
            assert json.loads(made.stdout)["records"]["memories"] == "60"
            for query in ("trains", "when did the glaciers arrive?"):
                ours = await searched(clients, "team", query)
                assert scores(await searched(clients, "copy", query)) == scores(ours)
            refused = anamnesis(process, "import", str(file), "-n", "team")
            assert refused.returncode == 1
            assert b"exists already" in refused.stderr
            damaged = anamnesis(process, "import", "-", "-n", "x", stdin=piped[:-20])
            assert damaged.returncode == 1
            assert b"cut short" in damaged.stderr
            verified = anamnesis(process, "verify", "-n", "copy")
            assert (verified.returncode, verified.stdout) == (0, b"everything agrees\n")


async def test_streams_carry_the_key(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text("a-key-of-sixteen-characters\n")
    with serving(tmp_path / "data", STATIC) as process:
        async with clients_of(everywhere(process.address)) as clients:
            await fill(clients, "team", 6)
    settings = {**STATIC, "ANAMNESIS_SECURITY__API_KEYS_FILE": str(keys)}
    with serving(tmp_path / "data", settings) as locked:
        shown = anamnesis(locked, "verify", "-n", "team", "--json", "--api-key-file", str(keys))
        assert json.loads(shown.stdout)["summary"]["findings"] == "0"
        assert anamnesis(locked, "verify", "-n", "team").returncode == 1


@pytest.mark.long
async def test_an_import_that_is_killed_half_way_leaves_no_namespace(tmp_path: Path) -> None:
    with serving(tmp_path / "data", STATIC) as process:
        async with clients_of(everywhere(process.address)) as clients:
            await fill(clients, "team", 600)
            content = anamnesis(process, "export", "-n", "team", "-").stdout

            async def half() -> AsyncIterator[pb.ImportNamespaceRequest]:
                yield pb.ImportNamespaceRequest(header=pb.ImportNamespaceHeader(namespace="copy"))
                yield pb.ImportNamespaceRequest(chunk=content[: len(content) - 1000])
                await asyncio.sleep(1.0)
                process.kill()

            with pytest.raises(grpc.RpcError) as failed:
                await clients.admin.ImportNamespace(half())
            assert failed.value.code() is grpc.StatusCode.UNAVAILABLE
    with serving(tmp_path / "data", STATIC) as again:
        async with clients_of(everywhere(again.address)) as clients:
            listed = await clients.admin.ListNamespaces(pb.ListNamespacesRequest())
            assert [one.namespace for one in listed.namespaces] == ["team"]
            made = anamnesis(again, "import", "-", "-n", "copy", stdin=content)
            assert made.returncode == 0, made.stderr
            assert (await stats(clients, "copy")).memories == 600


async def reembed_until(clients: Clients, process: Process, done: int) -> None:
    """Kill the server when so many are done; reads go on until then."""
    async for told in clients.admin.Reembed(pb.ReembedRequest(namespace="team")):
        if told.progress.done >= done:
            assert (await searched(clients, "team", "violins")).results
            process.kill()


@pytest.mark.long
async def test_a_namespace_goes_from_one_model_to_another_through_a_crash(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with serving(data_dir, STATIC) as process:
        async with clients_of(everywhere(process.address)) as clients:
            await fill(clients, "team", 400)
    with serving(data_dir, MINILM) as process:
        async with clients_of(everywhere(process.address)) as clients:
            assert (await searched(clients, "team", "violins")).degraded
            with pytest.raises(grpc.RpcError):
                await reembed_until(clients, process, 128)
    with serving(data_dir, MINILM) as process:
        async with clients_of(everywhere(process.address)) as clients:
            reembed = clients.admin.Reembed(pb.ReembedRequest(namespace="team"))
            steps = [told async for told in reembed]
            assert steps[0].progress.done > 128
            assert steps[-1].namespace.embedding_model.startswith("all-minilm")
            found = await searched(clients, "team", "violins")
            assert not found.degraded
            assert all("violins" in one.memory.summary for one in found.results[:5])
            await fill(clients, "team", 6)
            assert anamnesis(process, "verify", "-n", "team").returncode == 0
            assert anamnesis(process, "reembed", "-n", "team").returncode == 0
