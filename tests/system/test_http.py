"""JSON over HTTP and gRPC-Web: the same answers, rights, limits and errors as over gRPC."""

import asyncio
import json
import struct
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import pytest
from grpc import aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest
from anamnesis.memory.v1.event_pb2 import ROLE_USER, Event
from anamnesis.memory.v1.memory_service_pb2 import CreateMemoryResponse, WatchMemoriesRequest
from anamnesis.retrieval.v1.retrieval_service_pb2 import (
    BuildContextRequest,
    SearchRequest,
    SearchResponse,
)
from tests.support.clients import Clients, everywhere
from tests.support.every_rpc import SERVED
from tests.support.http_channel import HttpChannel, HttpRefusedError, answers_in, enveloped
from tests.support.processes import Process, start
from tests.system.bad_requests import BAD
from tests.system.test_bad_input import REFUSED, create, learning

PAGE = "https://app.example.com"
BYTES_MAX = 4 << 20
KEY = "a-key-of-an-operator-0123456789"
AGENT_KEY = "a-key-of-an-agent-9876543210"
SETTINGS = {
    "ANAMNESIS_MODELS__EMBEDDER": "static",
    "ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "3600",
    "ANAMNESIS_SERVER__HTTP_LISTEN": "127.0.0.1:0",
    "ANAMNESIS_SERVER__HTTP_ORIGINS": f"{PAGE}, https://other.example.com",
    "ANAMNESIS_SERVER__MESSAGE_BYTES_MAX": str(BYTES_MAX),
}
SEARCH = "/anamnesis.retrieval.v1.RetrievalService/Search"
INGEST_FILE = "/anamnesis.ingestion.v1.IngestionService/IngestFile"
WATCH = "/anamnesis.memory.v1.MemoryService/WatchMemories"
MARA = Caller(user_id="mara")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A suite that asks for no key."""
    process = start(tmp_path_factory.mktemp("http") / "data", settings=SETTINGS)
    yield process
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
def channel(suite: Process) -> HttpChannel:
    """A channel over HTTP."""
    return HttpChannel(suite.http_url())


@pytest.fixture
def clients(channel: HttpChannel) -> Clients:
    """Stubs that call over HTTP."""
    return over(channel)


def over(channel: HttpChannel) -> Clients:
    return Clients(everywhere(channel.url), lambda _: cast("aio.Channel", channel))


async def told(clients: Clients, namespace: str) -> str:
    """The revision at which Mara has said something."""
    events = [Event(role=ROLE_USER, content="I am allergic to hazelnuts.")]
    request = AppendEventsRequest(
        namespace=namespace, session_id="s", user_id="mara", agent_id="juno", events=events,
        use_server_time=True,
    )  # fmt: skip
    answer = await clients.ingestion.AppendEvents(request)
    return answer.revision


async def test_what_is_told_is_found_and_stands_in_a_context(clients: Clients) -> None:
    revision = await told(clients, "talk")
    asked = "hazelnuts"
    found = await clients.retrieval.Search(
        SearchRequest(
            namespace="talk", caller=MARA, query=asked, explain=True, at_least_revision=revision
        )
    )
    assert "hazelnuts" in found.results[0].memory.summary
    context = await clients.retrieval.BuildContext(
        BuildContextRequest(namespace="talk", caller=MARA, query=asked)
    )
    assert "hazelnuts" in context.text


async def test_bad_input_is_refused_for_the_same_reasons(clients: Clients) -> None:
    for content in ("a first lesson", "a second lesson"):
        await create(learning(content))(clients)
    for name, call, code, field, reason in REFUSED:
        with pytest.raises(HttpRefusedError) as refused:
            await call(clients)
        assert refused.value.code == code.name.lower(), (name, refused.value.message)
        assert refused.value.reason == reason, (name, refused.value.message)
        assert field in refused.value.fields, name
    for bad in BAD:
        with pytest.raises(HttpRefusedError) as refused:
            await bad.call(clients)
        assert refused.value.code == bad.code.name.lower(), (bad.name, refused.value.message)
        assert refused.value.reason == bad.reason, (bad.name, refused.value.message)
        assert bad.names(refused.value.fields), (bad.name, refused.value.fields)


async def test_a_field_that_no_message_has_is_refused(channel: HttpChannel) -> None:
    with pytest.raises(HttpRefusedError, match="namespaze") as refused:
        await channel.post(SEARCH, "application/json", b'{"namespaze": "talk"}')
    assert (refused.value.status, refused.value.code) == (400, "invalid_argument")
    assert refused.value.reason == "FIELD_INVALID"


async def test_a_stream_of_requests_that_breaks_off_is_told_so(channel: HttpChannel) -> None:
    broken_off = struct.pack(">BI", 0, 100) + b"{}"
    answer = await channel.post(INGEST_FILE, "application/connect+json", broken_off)
    with pytest.raises(HttpRefusedError) as refused:
        answers_in(answer)
    assert refused.value.code == "invalid_argument"


async def test_a_message_that_is_too_large_is_refused(channel: HttpChannel) -> None:
    body = json.dumps({"namespace": "talk", "query": "x" * BYTES_MAX}).encode()
    with pytest.raises(HttpRefusedError) as refused:
        await channel.post(SEARCH, "application/json", body)
    assert refused.value.code == "resource_exhausted"


async def test_a_deadline_ends_a_call_and_a_stream_without_an_end(
    channel: HttpChannel, clients: Clients
) -> None:
    await told(clients, "watched")
    hasty = HttpChannel(channel.url, {"Connect-Timeout-Ms": "300"})
    body = enveloped(WatchMemoriesRequest(namespace="watched", caller=MARA))
    answer = await hasty.post(WATCH, "application/connect+json", body)
    with pytest.raises(HttpRefusedError) as ended:
        answers_in(answer)
    assert ended.value.code == "deadline_exceeded"


async def test_a_watcher_is_told_while_its_stream_is_open(
    channel: HttpChannel, clients: Clients
) -> None:
    await told(clients, "watched-live")
    body = enveloped(WatchMemoriesRequest(namespace="watched-live", caller=MARA))
    opened = HTTPConnection(urlsplit(channel.url).netloc, timeout=30)
    opened.request("POST", WATCH, body, {"Content-Type": "application/connect+json"})
    answer = await asyncio.to_thread(opened.getresponse)
    created = await create(learning("while somebody watches"), "watched-live")(clients)
    assert isinstance(created, CreateMemoryResponse)
    news = ""
    while created.memory.memory_id not in news:
        _, length = struct.unpack(">BI", await asyncio.to_thread(answer.read, 5))
        news = (await asyncio.to_thread(answer.read, length)).decode()
    opened.close()


async def test_grpc_web_is_spoken(channel: HttpChannel, clients: Clients) -> None:
    asked = SearchRequest(
        namespace="web",
        caller=MARA,
        query="hazelnuts",
        at_least_revision=await told(clients, "web"),
    )
    request = asked.SerializeToString()
    framed = struct.pack(">BI", 0, len(request)) + request
    answer = await channel.post(SEARCH, "application/grpc-web+proto", framed)
    _, length = struct.unpack(">BI", answer[:5])
    assert (
        "hazelnuts" in SearchResponse.FromString(answer[5 : 5 + length]).results[0].memory.summary
    )
    assert b"grpc-status: 0" in answer[5 + length :].lower()


def test_the_document_has_every_rpc_and_no_loose_end(suite: Process) -> None:
    document = json.loads(fetched(suite.http_url() + "/openapi.json"))
    rpcs = {
        f"/{service.full_name}/{method.name}"
        for module in SERVED
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
        if not method.client_streaming
    }
    assert set(document["paths"]) == rpcs
    named = {one.split('"')[0] for one in json.dumps(document).split("#/components/schemas/")[1:]}
    assert named == set(document["components"]["schemas"])


def test_it_says_how_it_is_and_what_it_is(suite: Process) -> None:
    assert json.loads(fetched(suite.http_url() + "/healthz")) == {"status": "SERVING"}
    assert "curl" in fetched(suite.http_url() + "/")


def test_pages_of_other_origins_get_no_answer(suite: Process) -> None:
    allowed = preflight(suite.http_url(), PAGE)
    assert allowed["Access-Control-Allow-Origin"] == PAGE
    with pytest.raises(urllib.error.HTTPError) as refused:
        preflight(suite.http_url(), "https://evil.example.com")
    assert "Access-Control-Allow-Origin" not in refused.value.headers


async def test_what_a_page_may_send_without_asking_is_no_call(channel: HttpChannel) -> None:
    request = urllib.request.Request(  # noqa: S310  # http
        channel.url + SEARCH, b'{"namespace": "talk", "query": "x"}', {"Content-Type": "text/plain"}
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        await asyncio.to_thread(urllib.request.urlopen, request)
    assert refused.value.code == 415


def test_a_strangers_name_for_this_machine_is_refused(suite: Process) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        fetched(suite.http_url() + "/healthz", {"Host": "evil.example.com"})
    assert refused.value.code == 400


async def test_keys_are_asked_for_as_over_grpc(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(KEY)
    (tmp_path / "agents").write_text(f"{AGENT_KEY} agent=juno user=mara namespaces=kept")
    secured = {
        **SETTINGS,
        "ANAMNESIS_SECURITY__API_KEYS_FILE": str(tmp_path / "keys"),
        "ANAMNESIS_SECURITY__AGENT_KEYS_FILE": str(tmp_path / "agents"),
    }
    process = await asyncio.to_thread(start, tmp_path / "data", "all", secured)
    try:
        for key, namespace, code in (
            (None, "kept", "unauthenticated"),
            ("x", "kept", "unauthenticated"),
            (AGENT_KEY, "not-its-own", "permission_denied"),
        ):
            with pytest.raises(HttpRefusedError) as refused:
                await told(with_key(process, key), namespace)
            assert refused.value.code == code
        for key in (KEY, AGENT_KEY):
            await told(with_key(process, key), "kept")
    finally:
        assert await asyncio.to_thread(process.stop) == 0, "".join(process.output)
    refusals = [line for line in process.output if "UNAUTHENTICATED" in line]
    assert len(refusals) == 2
    assert all("127.0.0.1" in line and KEY not in line for line in refusals)


def with_key(process: Process, key: str | None) -> Clients:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return over(HttpChannel(process.http_url(), headers))


def fetched(url: str, headers: dict[str, str] | None = None) -> str:
    request = urllib.request.Request(url, headers=headers or {})  # noqa: S310  # http
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        return str(answer.read().decode())


def preflight(url: str, origin: str) -> Message:
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    request = urllib.request.Request(url + SEARCH, headers=asked, method="OPTIONS")  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        return cast("Message", answer.headers)
