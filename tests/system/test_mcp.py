"""`anamnesis mcp` beside a suite: every tool over each transport, and whose memory it is."""

import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent, TextResourceContents

from tests.support.forked import Forked
from tests.support.processes import REPOSITORY, environment, start

USUAL = ("recall", "remember", "timeline", "get", "profile", "forget", "search", "fetch")
WALK = REPOSITORY / "clients" / "examples" / "mcp" / "walk.mjs"
_READY = re.compile(r"ready on (\S+)")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the suite is."""
    process = start(tmp_path_factory.mktemp("suite") / "data")
    yield process.address
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture(scope="module")
def url(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where tools are served over HTTP."""
    options = ("--http", "127.0.0.1:0", "--server", server, "--tools", "all")
    process = Forked(("mcp", *options), environment(), tmp_path_factory.mktemp("mcp"))
    ready = _READY.search(process.stdout.readline())
    assert ready is not None
    yield ready[1]
    process.kill()
    process.wait(timeout=10)


@asynccontextmanager
async def over_http(url: str, mode: str = "auto", **headers: str) -> AsyncIterator[Client]:
    """A client that sends these headers (`x_anamnesis_user`)."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    async with (
        httpx2.AsyncClient(headers=sent) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


def text_of(result: CallToolResult) -> str:
    """The one text of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def told(client: Client, tool: str, **arguments: object) -> dict[str, object]:
    """The structure that a tool answers."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert not result.is_error, text_of(result)
    structure: dict[str, object] = result.structured_content or {}
    return structure


async def failure(client: Client, tool: str, **arguments: object) -> str:
    """The text of a tool's failure."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert result.is_error
    return text_of(result)


async def walk(client: Client) -> None:
    """Calls every usual tool, each with what another has told."""
    assert tuple(tool.name for tool in (await client.list_tools()).tools)[:8] == USUAL
    kept = await told(client, "remember", text="Mara is allergic to hazelnuts.", tags=["health"])
    pointer, drawer = str(kept["pointer"]), str(kept["id"])
    recalled = await client.call_tool("recall", {"query": "Which nuts may Mara not eat?"})
    assert isinstance(recalled, CallToolResult)
    assert "<memory_context>" in text_of(recalled)
    assert pointer in text_of(recalled)
    tagged = await told(client, "recall", query="hazelnuts", tags=["work"], kinds=["note"])
    assert (tagged["context"], tagged["note"]) == ("", "Nothing is remembered yet.")
    moments = await told(client, "timeline", query="hazelnuts", since="yesterday")
    assert drawer in json.dumps(moments)
    read = await told(client, "get", ids=[pointer.replace("-0", "-"), "none", "§ W-9/R-9/D-9"])
    assert "hazelnuts" in json.dumps(read["memories"])
    assert read["missing"] == ["none", "§ W-9/R-9/D-9"]
    assert (await told(client, "profile", subject="Mara"))["subject"] == "Mara"
    await walk_openai(client, drawer)
    preview = await told(client, "forget", query="hazelnuts")
    assert preview["dry_run"] is True
    assert "look at them" in await failure(client, "forget", query="hazelnuts", dry_run=False)
    await told(client, "forget", ids=[drawer], dry_run=False)
    assert (await told(client, "get", ids=[drawer]))["missing"] == [drawer]


async def walk_openai(client: Client, drawer: str) -> None:
    """Searches and fetches in the shape that OpenAI's clients read."""
    found = await client.call_tool("search", {"query": "hazelnuts"})
    assert isinstance(found, CallToolResult)
    (first, *_) = json.loads(text_of(found))["results"]
    assert first.keys() == {"id", "title", "url"}
    assert first["id"] == drawer
    fetched = await client.call_tool("fetch", {"id": drawer})
    assert isinstance(fetched, CallToolResult)
    document = json.loads(text_of(fetched))
    assert document.keys() == {"id", "title", "text", "url", "metadata"}
    resource = await client.read_resource(document["url"])
    (content,) = resource.contents
    assert isinstance(content, TextResourceContents)
    assert content.text == document["text"] == "Mara is allergic to hazelnuts."


async def test_every_tool_over_standard_input_and_output(server: str) -> None:
    served = ("mcp", "--server", server, "-n", "stdio", "--user", "mara")
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "anamnesis_cli.main", *served], env=environment()
    )
    async with Client(command) as client:
        await walk(client)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_every_tool_over_http(url: str, mode: str) -> None:
    async with over_http(f"{url}/http-{mode}", mode, x_anamnesis_user="mara") as client:
        await walk(client)


@pytest.mark.skipif(not (WALK.parent / "node_modules").exists(), reason="npm install in its folder")
def test_every_tool_by_another_client(url: str) -> None:
    done = subprocess.run(
        ["node", WALK, f"{url}/node"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "another namespace: refused" in done.stdout


async def test_the_other_tools(url: str) -> None:
    async with over_http(f"{url}/more", x_anamnesis_user="mara") as client:
        past = {"subject": "Nadia", "predicate": "lives_in", "object": "Delft", "since": "2019"}
        ended = await told(client, "state_fact", **past)
        await told(client, "state_fact", **{**past, "object": "Utrecht", "since": "2021-03"})
        profile = await told(client, "profile", subject="nadia", as_of="2020")
        assert "Delft" in json.dumps(profile)
        assert "Utrecht" not in json.dumps(profile)
        timeline = await told(client, "timeline", subject="Nadia", since="2020")
        assert "Delft" not in json.dumps(timeline)
        await told(client, "retract_fact", id=ended["id"])
        lesson = await told(client, "remember", text="Turn on WAL.", kind="lesson", tags=["db"])
        text = "Turn on WAL when SQLite is locked."
        assert (await told(client, "correct", id=lesson["id"], text=text))["text"] == text
        note = await told(client, "remember", text="The gate is green.")
        read = await client.call_tool("get", {"ids": [note["id"]]})
        assert isinstance(read, CallToolResult)
        (memory,) = json.loads(text_of(read))["memories"]
        session = await told(client, "read_session", session=memory["session"])
        assert "The gate is green." in json.dumps(session)


async def test_two_users_do_not_meet(url: str) -> None:
    async with (
        over_http(f"{url}/team", x_anamnesis_user="ada") as ada,
        over_http(url, x_anamnesis_user="bo", x_anamnesis_namespace="team") as bo,
        over_http(f"{url}/team") as nobody,
    ):
        kept = await told(ada, "remember", text="I take lamotrigine in the morning.")
        assert "lamotrigine" in str(await told(ada, "recall", query="Which medication do I take?"))
        for other in (bo, nobody):
            recalled = await told(other, "recall", query="Which medication do I take?")
            assert recalled["context"] == ""
            assert (await told(other, "get", ids=[kept["id"]]))["missing"] == [kept["id"]]
            assert "no memory" in await failure(other, "fetch", id=kept["id"])
            await told(other, "forget", ids=[kept["id"]], dry_run=False)
        assert "lamotrigine" in str(await told(ada, "get", ids=[kept["id"]]))


@pytest.mark.parametrize("argument", ["namespace", "user", "user_id", "agent", "caller"])
async def test_a_model_names_nobody_else(url: str, argument: str) -> None:
    async with over_http(f"{url}/team", x_anamnesis_user="ada") as client:
        refused = await failure(client, "recall", query="What is there?", **{argument: "other"})
        assert argument in refused
        assert "not permitted" in refused


async def test_what_the_suite_refuses_is_told(url: str) -> None:
    async with over_http(f"{url}/Not-A-Name") as client:
        assert "namespace" in await failure(client, "remember", text="The gate is green.")
    async with over_http(f"{url}/team") as client:
        assert "is not a time" in await failure(client, "recall", query="x", as_of="someday")
