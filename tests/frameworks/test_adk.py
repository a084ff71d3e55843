"""Google ADK: an agent that is told something in one session and knows it in the next."""

from collections.abc import AsyncGenerator
from typing import cast

import pytest

from anamnesis_client import AsyncAnamnesis
from tests.frameworks.conftest import Told
from tests.support.processes import Process

pytest.importorskip("google.adk", reason="google-adk is not installed: make test-frameworks")

from google.adk.events import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import Session
from google.genai.types import Content, Part

from anamnesis_client.integrations.adk import AnamnesisMemoryService, namespace_of

QUESTION = "What may I not eat?"


class Cook(BaseLlm):
    """A model that says what it finds in its prompt, and nothing else."""

    model: str = "scripted"

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """One answer."""
        knows = "hazelnuts" in str(llm_request.contents) + str(llm_request.config)
        said = "No hazelnuts for you." if knows else "I do not know."
        yield LlmResponse(content=Content(role="model", parts=[Part(text=said)]))


async def _asked(runner: Runner, user: str, session: str, text: str) -> str:
    message = Content(role="user", parts=[Part(text=text)])
    said = [
        event
        async for event in runner.run_async(user_id=user, session_id=session, new_message=message)
    ]
    return "".join(part.text or "" for event in said for part in event.content.parts)


async def test_it_knows_in_the_next_session_and_of_nobody_else(told: Told) -> None:
    runner = cast(Runner, told("Google ADK", Cook())["runner"])
    await _asked(runner, "mara", "s-1", "I am allergic to hazelnuts.")
    assert await _asked(runner, "mara", "s-2", QUESTION) == "No hazelnuts for you."
    assert await _asked(runner, "lin", "s-1", QUESTION) == "I do not know."


def _session(*texts: str, app: str = "shop", user: str = "mara") -> Session:
    events = [
        Event(
            id=f"e-{place}",
            author="user" if place % 2 == 0 else "juno",
            timestamp=1_780_000_000.0 + place,
            content=Content(role="user", parts=[Part(text=text)]),
        )
        for place, text in enumerate(texts)
    ]
    return Session(id="s-1", app_name=app, user_id=user, events=events)


async def test_a_session_that_is_added_again_is_there_once(suite: Process) -> None:
    client = AsyncAnamnesis(suite.address)
    service = AnamnesisMemoryService(client)
    await service.add_session_to_memory(_session("I sell bread.", "Noted."))
    await service.add_session_to_memory(_session("I sell bread.", "Noted.", "And rolls.", "Yes."))
    kept = await client.on_behalf(namespace="shop", user="mara").events("mara/s-1")
    assert [(event.role, event.content) for event in kept] == [
        ("user", "I sell bread."),
        ("assistant", "Noted."),
        ("user", "And rolls."),
        ("assistant", "Yes."),
    ]


async def test_deltas_that_come_twice_are_kept_once(suite: Process) -> None:
    client = AsyncAnamnesis(suite.address)
    service = AnamnesisMemoryService(client)
    events = _session("The oven is broken.").events
    for _ in range(2):
        await service.add_events_to_memory(
            app_name="deltas", user_id="mara", events=events, session_id="s-1"
        )
    kept = await client.on_behalf(namespace="deltas", user="mara").events("mara/s-1/deltas")
    assert [event.content for event in kept] == ["The oven is broken."]


async def test_a_memory_is_added_found_and_deleted(suite: Process) -> None:
    service = AnamnesisMemoryService(AsyncAnamnesis(suite.address))
    entry = MemoryEntry(content=Content(parts=[Part(text="The spare key is with the neighbour.")]))
    app, user, query = "keys", "mara", "where is the spare key?"
    await service.add_memory(app_name=app, user_id=user, memories=[entry])
    (found,) = (await service.search_memory(app_name=app, user_id=user, query=query)).memories
    assert found.content.parts[0].text == "The spare key is with the neighbour."
    await service.delete_memory(app_name=app, user_id=user, memory_id=found.id)
    assert not (await service.search_memory(app_name=app, user_id=user, query=query)).memories


async def test_an_agent_goes_on_without_its_memory(caplog: pytest.LogCaptureFixture) -> None:
    service = AnamnesisMemoryService(AsyncAnamnesis("127.0.0.1:9", retries=0))
    await service.add_session_to_memory(_session("My secret."))
    found = await service.search_memory(app_name="app", user_id="mara", query="secret")
    assert found.memories == []
    assert caplog.text.count("the agent goes on without") == 2
    assert "secret" not in caplog.text.lower().replace("search_memory", "")


def test_an_application_has_a_namespace_of_its_own() -> None:
    names = ["my_app", "My App", "my-app", "MY APP", "应用", "a" * 70, "-"]
    spaces = [namespace_of(name) for name in names]
    assert len({*spaces}) == len(names)
    assert spaces[2] == "my-app"
    assert all(len(space) <= 63 and space[0].isalnum() for space in spaces)
