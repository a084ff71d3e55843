"""Tests of how the chat client finds out what a server takes, and keeps it."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from anamnesis_libs.errors import ModelUnavailable
from anamnesis_libs.models.chat import ChatUsage
from tests.support import openai_server as fake
from tests.support.chat_models import chat_on, request_for
from tests.support.openai_server import OpenAIServer

GIVEN = {"facts": ["Ann drinks tea."]}
REQUEST = request_for("Ann: tea, please.")


@pytest_asyncio.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with fake.openai_server() as listening:
        listening.chat.answer("extract_facts", GIVEN)
        yield listening


def kinds(server: OpenAIServer) -> list[str]:
    """What each request asked for as its format."""
    formats = [request.json.get("response_format") for request in server.requests]
    return [str(each["type"]) if isinstance(each, dict) else "text" for each in formats]


def systems(server: OpenAIServer) -> list[str]:
    """The system prompt of each request."""
    found = []
    for request in server.requests:
        messages = request.json["messages"]
        assert isinstance(messages, list)
        found.append(str(messages[0]["content"]))
    return found


@pytest.mark.parametrize(
    ("taken", "asked"),
    [
        ({"json_schema", "json_object", "text"}, ["json_schema"]),
        ({"json_object", "text"}, ["json_schema", "json_object"]),
        ({"json_schema", "text"}, ["json_schema"]),
        ({"text"}, ["json_schema", "json_object", "text"]),
    ],
    ids=["schemas", "objects", "no objects", "text"],
)
async def test_the_strictest_format_that_the_server_takes_is_kept(
    server: OpenAIServer, taken: set[str], asked: list[str]
) -> None:
    server.chat.formats = taken
    async with chat_on(server) as model:
        first = await model.ask(REQUEST)
        second = await model.ask(REQUEST)
    assert first.data == second.data == GIVEN
    assert kinds(server) == [*asked, asked[-1]]
    assert first.usage.calls == len(asked)
    assert second.usage.calls == 1
    assert first.usage + second.usage == server.spent["extract"]


async def test_without_schemas_the_prompt_has_it(server: OpenAIServer) -> None:
    server.chat.formats = {"text"}
    async with chat_on(server) as model:
        await model.ask(REQUEST)
    by_schema, to_json, by_prompt = systems(server)
    assert by_schema == "List the facts."
    assert to_json == by_prompt
    assert to_json.startswith("List the facts.\n\nAnswer with one JSON document")
    assert '"extract_facts":\n{"type":"object","properties":{"facts"' in to_json


async def test_a_name_for_the_limit_and_a_temperature_are_learnt(server: OpenAIServer) -> None:
    server.chat.refused_fields = {
        "max_tokens": "Unsupported parameter: use 'max_completion_tokens' instead.",
        "temperature": "Unsupported value: 'temperature' does not support 0.",
    }
    async with chat_on(server) as model:
        await model.ask(REQUEST)
        await model.ask(REQUEST)
    assert len(server.requests) == 4
    last = server.requests[-1].json
    assert "max_tokens" not in last
    assert "temperature" not in last
    assert last["max_completion_tokens"] == 200
    assert kinds(server) == ["json_schema"] * 4


async def test_a_request_that_no_dialect_helps_is_refused_and_nothing_is_learnt(
    server: OpenAIServer,
) -> None:
    async with chat_on(server) as model:
        server.faults += [fake.status(400)] * 3
        with pytest.raises(ModelUnavailable, match=r"refuses the .*injected 400") as caught:
            await model.ask(REQUEST)
        assert caught.value.usage == ChatUsage(3)
        assert (await model.ask(REQUEST)).data == GIVEN
    assert kinds(server) == ["json_schema", "json_object", "text", "json_schema"]
