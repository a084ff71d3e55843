"""A running suite whose chat model is the OpenAI test server, scripted for the pipeline."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.clients import Clients, clients_of, everywhere
from tests.support.openai_chat_script import Asked, Given
from tests.support.openai_server import OpenAIServer
from tests.support.processes import Process, start

SEGMENT, LABEL, EXTRACT = "segment_tasks", "label_trajectory", "extract"
NAME = "label_topic"
SETTINGS = {
    "ANAMNESIS_MODELS__EMBEDDER": "static",
    "ANAMNESIS_MODELS__CHAT_MODEL": "small",
    "ANAMNESIS_MODELS__CHAT_RETRIES_MAX": "1",
    "ANAMNESIS_MODELS__CHAT_TIMEOUT_S": "1",
    "ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "3600",
}
_COUNT = re.compile(r"The conversation has (\d+) events")
_KEEPS = re.compile(r"^\[(\d+)\] user[^:]*: I (keep .+?)\.?$", re.MULTILINE)
_WELL = {"value": 0.9, "evidence": [1], "reason": "it went well"}
_MEASURES = ("goal_reached", "tool_use", "error_handling", "user_alignment", "efficiency")


def script(server: OpenAIServer) -> None:
    """One task a session, well done, that teaches each "I keep ..." of a user; topics of terms."""
    server.chat.answer(NAME, {"label": ""})
    server.chat.answer(SEGMENT, _one_task)
    server.chat.answer(LABEL, {**dict.fromkeys(_MEASURES, _WELL), "task_type": "conversation"})
    server.chat.answer(EXTRACT, _kept)


def _one_task(asked: Asked) -> Given:
    found = _COUNT.search(asked.prompt)
    assert found is not None
    last = int(found[1])
    return {"tasks": [{"first": 1, "last": last, "topic": "bees", "summary": "about bees"}]}


def _kept(asked: Asked) -> Given:
    facts = [
        {
            "statement": f"user {what.replace('keep', 'keeps', 1)}",
            "subject": "user",
            "predicate": "does",
            "object": what,
            "kind": "experience",
            "persons": [],
            "location": "",
            "course": "once",
            "begins": "",
            "ends": "",
            "replaces": "",
            "sources": [int(number)],
            "confidence": 0.9,
            "importance": 0.6,
        }
        for number, what in _KEEPS.findall(asked.prompt)
    ]
    return {"facts": facts, "lessons": [], "procedures": [], "entities": []}


@dataclass(frozen=True, slots=True)
class ChatSuite:
    """Its clients, its process, and the model's server."""

    clients: Clients
    process: Process
    server: OpenAIServer


@asynccontextmanager
async def chat_suite(
    server: OpenAIServer, data_dir: Path, settings: Mapping[str, str] | None = None
) -> AsyncIterator[ChatSuite]:
    """One process with the scripted model; stopped politely at the end."""
    script(server)
    given = {**SETTINGS, "ANAMNESIS_MODELS__CHAT_BASE_URL": server.base_url, **(settings or {})}
    process = await asyncio.to_thread(start, data_dir, "all", given)
    try:
        async with clients_of(everywhere(process.address)) as clients:
            yield ChatSuite(clients, process, server)
    finally:
        assert await asyncio.to_thread(process.stop) == 0, "".join(process.output)
