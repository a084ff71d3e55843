"""Operators' and agents' keys on a running suite, whose services call each other all the while."""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from grpc import StatusCode, aio

from anamnesis.cluster.v1 import cluster_service_pb2 as cluster_pb
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import event_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval_pb
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start

OPERATOR = (("authorization", "Bearer operator-0123456789"),)
CODER = (("authorization", "Bearer coder-0123456789abc"),)
READER = (("authorization", "Bearer reader-0123456789ab"),)
WHO = Caller(agent_id="coder")


@pytest.fixture
async def clients(tmp_path: Path) -> AsyncIterator[Clients]:
    """Stubs of a suite with keys."""
    settings = {"ANAMNESIS_MODELS__EMBEDDER": "static"}
    for name, line in (
        ("api", "operator-0123456789"),
        (
            "agent",
            "coder-0123456789abc agent=coder\n"
            "reader-0123456789ab agent=coder namespaces=n rights=read\n",
        ),
    ):
        (tmp_path / name).write_text(line)
        settings[f"ANAMNESIS_SECURITY__{name.upper()}_KEYS_FILE"] = str(tmp_path / name)
    process = await asyncio.to_thread(start, tmp_path / "data", "all", settings)
    try:
        async with clients_of(everywhere(process.address)) as made:
            yield made
    finally:
        assert await asyncio.to_thread(process.stop) == 0, "".join(process.output)


async def test_an_agent_remembers_and_finds_for_itself_alone(clients: Clients) -> None:
    event = event_pb2.Event(role=event_pb2.ROLE_USER, content="I live in Ghent.")
    told = ingestion_pb.AppendEventsRequest(
        namespace="n",
        session_id="s",
        agent_id="coder",
        events=[event],
        use_server_time=True,
        visibility=event_pb2.VISIBILITY_PRIVATE_TO_AGENT,
    )
    revision = (await clients.ingestion.AppendEvents(told, metadata=CODER)).revision
    asked = retrieval_pb.SearchRequest(
        namespace="n", query="Ghent", caller=WHO, at_least_revision=revision
    )
    assert len((await clients.retrieval.Search(asked, metadata=CODER)).results) == 1
    request = cluster_pb.ListClustersRequest(namespace="n", caller=WHO, at_least_revision=revision)
    await clients.cluster.ListClusters(request, metadata=CODER)

    asked.caller.agent_id = "other"
    told.agent_id = "other"
    work = ledger_pb.ListWorkRequest(namespace="n")
    peeking = ledger_pb.ListEventsRequest(
        namespace="n", session_id="s", caller=WHO, all_visibilities=True
    )
    for call, message in (
        (clients.retrieval.Search(asked, metadata=CODER), "caller.agent_id: this key may not name"),
        (clients.ingestion.AppendEvents(told, metadata=CODER), "agent_id: this key may not name"),
        (clients.ledger.ListWork(work, metadata=CODER), "ListWork is for operators"),
        (clients.ledger.ListEvents(peeking, metadata=CODER), "all_visibilities is for operators"),
    ):
        with pytest.raises(aio.AioRpcError, match=message) as refused:
            await call
        assert refused.value.code() is StatusCode.PERMISSION_DENIED

    assert (await clients.ledger.ListWork(work, metadata=OPERATOR)).items
    assert (await clients.ledger.ListEvents(peeking, metadata=OPERATOR)).events


async def test_a_key_reads_in_its_namespace_and_does_nothing_else(clients: Clients) -> None:
    event = event_pb2.Event(role=event_pb2.ROLE_USER, content="I live in Ghent.")
    told = ingestion_pb.AppendEventsRequest(
        namespace="n", session_id="s", agent_id="coder", events=[event], use_server_time=True
    )
    revision = (await clients.ingestion.AppendEvents(told, metadata=CODER)).revision
    told.namespace = "m"
    await clients.ingestion.AppendEvents(told, metadata=CODER)
    asked = retrieval_pb.SearchRequest(
        namespace="n", query="Ghent", caller=WHO, at_least_revision=revision
    )
    assert len((await clients.retrieval.Search(asked, metadata=READER)).results) == 1
    elsewhere = retrieval_pb.SearchRequest(namespace="m", query="Ghent", caller=WHO)
    erasing = ledger_pb.DeleteSessionRequest(namespace="n", session_id="s", caller=WHO)
    for call, message in (
        (clients.retrieval.Search(elsewhere, metadata=READER), "does not open 'm'"),
        (clients.ingestion.AppendEvents(told, metadata=READER), "needs the right write"),
        (clients.ledger.DeleteSession(erasing, metadata=READER), "needs the right destroy"),
    ):
        with pytest.raises(aio.AioRpcError, match=message) as refused:
            await call
        assert refused.value.code() is StatusCode.PERMISSION_DENIED


async def test_keys_are_read_again_on_a_signal(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text("operator-0123456789\nsecond-0123456789ab\n")
    settings = {
        "ANAMNESIS_MODELS__EMBEDDER": "static",
        "ANAMNESIS_SECURITY__API_KEYS_FILE": str(file),
    }
    process = await asyncio.to_thread(start, tmp_path / "data", "all", settings)
    keys = {
        name: (("authorization", f"Bearer {name}-0123456789ab"),) for name in ("second", "third")
    }
    request = admin_pb.ListNamespacesRequest()
    async with clients_of(everywhere(process.address)) as clients:

        async def accepted(name: str) -> bool:
            call = clients.admin.ListNamespaces(request, metadata=keys[name])
            return await call.code() is StatusCode.OK

        async def become(name: str, *, told: bool) -> None:
            process.popen.send_signal(signal.SIGHUP)
            for _ in range(200):
                if await accepted(name) is told:
                    return
                await asyncio.sleep(0.05)
            raise AssertionError(f"{name} is still {'refused' if told else 'accepted'}")

        assert (await accepted("second"), await accepted("third")) == (True, False)
        file.write_text("operator-0123456789\nthird-0123456789ab\n")
        await become("third", told=True)
        assert not await accepted("second")
        file.write_text("short\n")
        process.popen.send_signal(signal.SIGHUP)
        await asyncio.sleep(0.5)
        assert await accepted("third")
    assert await asyncio.to_thread(process.stop) == 0
