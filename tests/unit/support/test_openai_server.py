"""Tests of the OpenAI test server with the official client: what it says is what it is told."""

import re
from collections import deque
from collections.abc import AsyncIterator

import openai
import pytest
import pytest_asyncio
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletion

from anamnesis_libs.models.chat import ChatUsage
from tests.support import openai_chat_script as script
from tests.support import openai_server as fake
from tests.support.openai_chat_script import tokens_of
from tests.support.openai_server import OpenAIServer


@pytest_asyncio.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with fake.openai_server() as listening:
        yield listening


@pytest_asyncio.fixture
async def client(server: OpenAIServer) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=server.base_url, api_key="key", max_retries=0) as connected:
        yield connected


async def asked(client: AsyncOpenAI, prompt: str, schema_name: str = "label_x") -> ChatCompletion:
    return await client.chat.completions.create(
        model="small",
        messages=[{"role": "user", "content": prompt}],
        response_format={"type": "json_schema", "json_schema": {"name": schema_name, "schema": {}}},
    )


async def said(client: AsyncOpenAI, prompt: str, schema_name: str = "label_x") -> str | None:
    return (await asked(client, prompt, schema_name)).choices[0].message.content


async def test_a_prompt_is_answered_by_name_by_part_by_pattern_and_by_function(
    server: OpenAIServer, client: AsyncOpenAI
) -> None:
    server.chat.answer("label_x", {"by": "name"})
    server.chat.answer("about tea", '{"by": "part"}')
    server.chat.answer(re.compile("coff.e"), lambda asked: {"chars": len(asked.prompt)})
    assert await said(client, "what?") == '{"by": "name"}'
    assert await said(client, "about tea", "merge") == '{"by": "part"}'
    assert await said(client, "coffee", "merge") == '{"chars": 6}'


async def test_a_queue_gives_each_answer_once_and_then_lets_others(
    server: OpenAIServer, client: AsyncOpenAI
) -> None:
    server.chat.answer("label_x", {"n": 0})
    server.chat.answer("label_x", deque([{"n": 1}, {"n": 2}]))
    assert [await said(client, "?") for _ in range(3)] == ['{"n": 1}', '{"n": 2}', '{"n": 0}']


async def test_a_prompt_without_an_answer_is_noted(
    server: OpenAIServer, client: AsyncOpenAI
) -> None:
    with pytest.raises(openai.NotFoundError, match="no answer to 'label_x': what"):
        await asked(client, "what?")
    assert server.unscripted == ["no answer to 'label_x': what?"]


async def test_a_fault_meets_the_prompt_it_was_made_for(
    server: OpenAIServer, client: AsyncOpenAI
) -> None:
    server.chat.answer(re.compile(""), {"n": 1})
    server.chat.fail("label_x", script.fenced, fake.status(503))
    assert await said(client, "?", "merge") == '{"n": 1}'
    assert "```json" in str(await said(client, "?"))
    assert await said(client, "?", "merge") == '{"n": 1}'
    with pytest.raises(openai.InternalServerError):
        await asked(client, "?")
    assert await said(client, "?") == '{"n": 1}'


async def test_tokens_are_counted_and_kept_by_purpose(
    server: OpenAIServer, client: AsyncOpenAI
) -> None:
    server.chat.answer("tea", {"drink": "green tea"})
    completion = await asked(client, "Which tea?")
    assert completion.usage is not None
    assert completion.usage.prompt_tokens == tokens_of("Which tea?") == 3
    written = tokens_of('{"drink": "green tea"}')
    assert completion.usage.completion_tokens == written
    await asked(client, "Which tea?", "merge_facts")
    embedded = await client.embeddings.create(model="e", input=["green tea", "black tea"])
    assert embedded.usage.prompt_tokens == 4
    assert server.spent == {
        "label": ChatUsage(1, 3, written),
        "merge": ChatUsage(1, 3, written),
        "embed": ChatUsage(1, 4, 0),
    }


@pytest.mark.parametrize("fault", [None, script.fenced], ids=["right", "in a fence"])
async def test_an_answer_is_streamed_in_parts_with_its_usage(
    server: OpenAIServer, client: AsyncOpenAI, fault: fake.Fault | None
) -> None:
    server.chat.answer("tea", {"drink": "green tea, 绿茶"})
    if fault:
        server.faults += [fault, fault]
    whole = await client.chat.completions.create(
        model="small", messages=[{"role": "user", "content": "Which tea?"}]
    )
    stream = await client.chat.completions.create(
        model="small", messages=[{"role": "user", "content": "Which tea?"}], stream=True
    )
    chunks = [chunk async for chunk in stream]
    parts = [choice.delta.content or "" for chunk in chunks for choice in chunk.choices]
    assert len(parts) > 3
    assert "".join(parts) == whole.choices[0].message.content
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage == whole.usage


async def test_a_stream_can_be_cut(server: OpenAIServer, client: AsyncOpenAI) -> None:
    server.chat.answer("tea", {"drink": "green tea"})
    server.faults.append(fake.cut)
    with pytest.raises(openai.APIConnectionError):
        async for _ in await client.chat.completions.create(
            model="small", messages=[{"role": "user", "content": "Which tea?"}], stream=True
        ):
            pass
