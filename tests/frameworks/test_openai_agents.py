"""OpenAI Agents: a session that comes back item by item, and is memory as well."""

import json
from collections.abc import Awaitable, Callable
from typing import cast

import pytest

from anamnesis_client import AsyncAnamnesis
from anamnesis_client.errors import Unreachable
from tests.frameworks.conftest import Told
from tests.support.processes import Process

pytest.importorskip("agents", reason="openai-agents is not installed: make test-frameworks")

from agents import Model, ModelResponse, Usage, set_tracing_disabled
from agents.items import TResponseInputItem
from agents.memory import Session
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from anamnesis_client.integrations.openai_agents import AnamnesisSession

ITEMS = [
    {"role": "user", "content": "I keep bees in Delft."},
    {
        "content": [
            {"type": "input_text", "text": "See this"},
            {"type": "input_image", "image_url": "x"},
        ],
        "role": "user",
    },
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA=="},
    {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"at": "Delft"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "rain"},
    {
        "type": "message",
        "role": "assistant",
        "id": "m1",
        "status": "completed",
        "content": [
            {"type": "output_text", "text": "It rains.", "annotations": [], "logprobs": []}
        ],
    },
    {"type": "a_kind_of_tomorrow", "z": [1, 2.5, None, True, "ü"], "a": {"deep": {"er": []}}},
]


class Cook(Model):
    """A model that says what it finds in what it is given, and nothing else."""

    async def get_response(self, **given: object) -> ModelResponse:
        """One answer to the instructions and the items."""
        said = "No hazelnuts for you." if "hazelnuts" in str(given["input"]) else "I do not know."
        text = ResponseOutputText(annotations=[], text=said, type="output_text", logprobs=[])
        message = ResponseOutputMessage(
            id="m", content=[text], role="assistant", status="completed", type="message"
        )
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *_: object, **__: object) -> None:
        """Not asked for."""
        raise NotImplementedError


def session_in(suite: Process, namespace: str, session_id: str = "s-1") -> AnamnesisSession:
    """A session of Mara's."""
    memory = AsyncAnamnesis(suite.address, namespace=namespace, user="mara")
    return AnamnesisSession(session_id, memory)


async def test_an_agent_knows_in_the_next_run(told: Told) -> None:
    set_tracing_disabled(disabled=True)
    names = told("OpenAI Agents", Cook())
    run = cast(Callable[[str], Awaitable[str]], names["run"])
    assert await run("I am allergic to hazelnuts.") == "No hazelnuts for you."
    assert await run("What may I not eat?") == "No hazelnuts for you."
    memory = cast(AsyncAnamnesis, names["memory"])
    assert "hazelnuts" in (await memory.search("allergic"))[0].text


async def test_items_come_back_as_they_were_given(suite: Process) -> None:
    session = session_in(suite, "agents-items")
    assert isinstance(session, Session)
    given = cast(list[TResponseInputItem], ITEMS)
    await session.add_items(given[:3])
    await session.add_items(given[3:])
    again = session_in(suite, "agents-items")
    assert json.dumps(await again.get_items()) == json.dumps(ITEMS)
    assert await again.get_items(2) == ITEMS[-2:]
    assert await again.get_items(0) == []
    await again.add_items([])
    assert len(await again.get_items()) == len(ITEMS)


async def test_what_was_said_is_memory_and_nothing_else(suite: Process) -> None:
    session = session_in(suite, "agents-said")
    await session.add_items(cast(list[TResponseInputItem], ITEMS))
    memory = AsyncAnamnesis(suite.address, namespace="agents-said", user="mara")
    events = await memory.events("s-1")
    assert [event.content for event in events] == ["I keep bees in Delft.", "See this", "It rains."]
    found = await memory.search("bees")
    assert [hit.text for hit in found][:1] == ["I keep bees in Delft."]
    assert not any("weather" in hit.text for hit in await memory.search("weather"))


async def test_what_is_taken_back_is_forgotten(suite: Process) -> None:
    session = session_in(suite, "agents-pop")
    assert await session.pop_item() is None
    said = ["I keep bees.", "The key lies under the mat."]
    await session.add_items([{"role": "user", "content": text} for text in said])
    assert await session.pop_item() == {"role": "user", "content": said[1]}
    memory = AsyncAnamnesis(suite.address, namespace="agents-pop", user="mara")
    assert [event.content for event in await memory.events("s-1")] == said[:1]
    assert not any("mat" in hit.text for hit in await memory.search("Where is the key?"))
    await session.add_items([{"role": "user", "content": "It hangs at the door."}])
    assert [one.get("content") for one in await session.get_items()] == [
        said[0],
        "It hangs at the door.",
    ]


async def test_two_sessions_are_apart_and_one_is_cleared(suite: Process) -> None:
    one, two = (session_in(suite, "agents-two", name) for name in ("s-1", "s-2"))
    for session in (one, two):
        await session.add_items([{"role": "user", "content": f"In {session.session_id} I sing."}])
    await one.clear_session()
    await one.clear_session()
    assert await one.get_items() == []
    assert len(await two.get_items()) == 1
    memory = AsyncAnamnesis(suite.address, namespace="agents-two", user="mara")
    assert [hit.text for hit in await memory.search("sing")] == ["In s-2 I sing."]
    stranger = AnamnesisSession("s-2", memory.on_behalf(user="lin"))
    assert await stranger.get_items() == []


async def test_a_session_that_cannot_be_read_is_an_error() -> None:
    session = AnamnesisSession("s-1", AsyncAnamnesis("127.0.0.1:9", retries=0))
    with pytest.raises(Unreachable):
        await session.get_items()
