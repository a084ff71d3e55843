"""What must not be kept is nowhere: not in a file, not in a log, not in a request to a model.

Texts with every kind of secret and personal data go in by every way there is, over a suite with
an embedding model and a chat model that answers with secrets of its own. Then all that is left
is searched byte by byte. The same run under a policy that is off finds them, so it can.
"""

import asyncio
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from grpc import aio

from anamnesis.memory.v1 import admin_service_pb2, policy_pb2
from tests.support.chat_suite import EXTRACT, LABEL, SEGMENT, ChatSuite, chat_suite
from tests.support.clients import Clients
from tests.support.leaks import bytes_of, found_in
from tests.support.openai_chat_script import Asked, Given
from tests.support.openai_server import OpenAIServer, openai_server
from tests.support.pipeline_suite import Space
from tests.support.planted import Line, planted
from tests.support.planting import NEVER_REFUSED, PATHS
from tests.support.soil import Soil

LINES = [line for line in planted("dev") if line.required()]
ECHOED = [line for line in LINES if line.language == "en"][:24]
KINDS = {span.kind for line in LINES for span in line.required()}
FEW = [
    line
    for kind in sorted(KINDS)
    for line in [one for one in LINES if kind in {span.kind for span in one.required()}][:2]
]
"""Two lines of every kind, for ways that take one text a call."""
AT_ONCE = frozenset({"events", "openai-lines", "anthropic-lines", "claude-code-lines", "document"})
LEARNED_FROM = ("events", "openai-lines", "document")
SETTINGS = {
    "ANAMNESIS_LOG__LEVEL": "debug",
    "ANAMNESIS_MODELS__EMBEDDER": "openai",
    "ANAMNESIS_MODELS__DIMENSION": "64",
    "ANAMNESIS_INDEX__SNAPSHOT_EVERY_S": "1",
    "ANAMNESIS_INDEX__SNAPSHOT_CHANGES_MIN": "1",
}
Policy = policy_pb2.Policy
OFF = Policy(redaction_level=policy_pb2.REDACTION_LEVEL_OFF)
BLOCK = Policy(redaction_action=policy_pb2.REDACTION_ACTION_BLOCK)
SPEAKERS = {"Zorblatt", "Qwillow Fenn", "阿咕噜"}
"""Names that no list of names has: only who speaks tells that they are people's."""
STRICT = Policy(redaction_level=policy_pb2.REDACTION_LEVEL_STRICT)


@dataclass(frozen=True, slots=True)
class Left:
    """What a run leaves behind: files by name, all that was logged, what each model was sent."""

    files: Mapping[str, bytes]
    log: bytes
    sent: Mapping[str, bytes]
    files_of: Mapping[str, str]
    """The file of each namespace."""

    def holding(self, values: Collection[str]) -> dict[str, set[str]]:
        """The values by the place they are found in."""
        places = {**self.files, "log": self.log, **self.sent}
        found = {place: found_in(content, values) for place, content in places.items()}
        return {place: held for place, held in found.items() if held}


def values_of(lines: Collection[Line]) -> set[str]:
    """What has to go from lines under DEFAULT."""
    return {line.value(span) for line in lines for span in line.required()}


def echoing(server: OpenAIServer) -> None:
    """A chat model that tells secrets nobody told it: every text of its answers has one."""
    texts = iter([line.text for line in ECHOED] * 100)

    def cut(asked: Asked) -> Given:
        last = int(asked.prompt.split("The conversation has ")[1].split()[0])
        return {"tasks": [{"first": 1, "last": last, "topic": next(texts), "summary": next(texts)}]}

    def measured(_: Asked) -> Given:
        measures = ("goal_reached", "tool_use", "error_handling", "user_alignment", "efficiency")
        told = {name: {"value": 0.9, "evidence": [1], "reason": next(texts)} for name in measures}
        return {**told, "task_type": "conversation"}

    def learned(_: Asked) -> Given:
        return {
            "facts": [_learned_fact(next(texts)) for _ in range(8)],
            "lessons": [],
            "procedures": [],
            "entities": [],
        }

    server.chat.answer(SEGMENT, cut)
    server.chat.answer(LABEL, measured)
    server.chat.answer(EXTRACT, learned)


def _learned_fact(text: str) -> dict[str, object]:
    return {
        "statement": text,
        "subject": text[:200],
        "predicate": "does",
        "object": text,
        "kind": "experience",
        "persons": [],
        "location": "",
        "course": "once",
        "begins": "",
        "ends": "",
        "replaces": "",
        "sources": [1],
        "confidence": 0.9,
        "importance": 0.6,
    }


def log_of(suite: ChatSuite) -> bytes:
    """All that its process printed."""
    return "".join(suite.process.output).encode()


async def create(clients: Clients, space: str, policy: policy_pb2.Policy) -> str:
    """A namespace under a policy; its incarnation names its file."""
    request = admin_service_pb2.CreateNamespaceRequest(namespace=space, policy=policy)
    return (await clients.admin.CreateNamespace(request)).namespace.incarnation


async def plant(suite: ChatSuite, policy: policy_pb2.Policy) -> dict[str, str]:
    """Everything by every way, then the pipeline and a sleep; each namespace's file."""
    files = {}
    for name, path in PATHS.items():
        files[name] = f"namespaces/{await create(suite.clients, name, policy)}.db"
        texts = [line.text for line in (LINES if name in AT_ONCE else FEW)]
        await path(Soil(suite.clients, name, texts))
    for name in LEARNED_FROM:
        space = Space(suite.clients, name)
        steps = await space.run()
        assert [step.failure for step in steps if step.failure] == []
        assert all(one.topic for one in await space.segments())
    return files


async def left_by(directory: Path, policy: policy_pb2.Policy) -> Left:
    """Run a suite, plant, and stop it; what was left while it ran counts too."""
    async with openai_server() as server:
        settings = {**SETTINGS, "ANAMNESIS_MODELS__OPENAI_BASE_URL": server.base_url}
        async with chat_suite(server, directory, settings) as suite:
            echoing(server)
            files_of = await plant(suite, policy)
            while_running = await asyncio.to_thread(bytes_of, directory)
        stopped = await asyncio.to_thread(bytes_of, directory)
        sent: dict[str, bytes] = {"chat": b"", "embeddings": b""}
        for request in server.requests:
            model = "chat" if "messages" in request.json else "embeddings"
            sent[model] += json.dumps(request.json, ensure_ascii=False).encode()
    files = {**{f"running/{name}": held for name, held in while_running.items()}, **stopped}
    return Left(files, log_of(suite), sent, files_of)


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_no_secret_is_left_anywhere(tmp_path: Path) -> None:
    left = await left_by(tmp_path / "data", Policy())
    assert all(left.sent.values())
    assert left.holding(values_of(LINES)) == {}


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_the_search_finds_what_a_policy_that_is_off_lets_stay(tmp_path: Path) -> None:
    left = await left_by(tmp_path / "data", OFF)
    values = values_of(LINES)
    found = left.holding(values)
    for name, file in left.files_of.items():
        if name != "asked":
            assert found.get(file), name
    assert found["embeddings"]
    assert found["chat"]
    assert "log" not in found
    assert set().union(*found.values()) == values


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_under_strict_people_are_left_nowhere_however_they_came_in(tmp_path: Path) -> None:
    people = [line for line in planted("dev") if line.required("STRICT") != line.required()]
    names = {line.value(span) for line in people for span in line.spans if span.kind == "person"}
    said = [line.text for line in people]
    async with openai_server() as server:
        settings = {**SETTINGS, "ANAMNESIS_MODELS__OPENAI_BASE_URL": server.base_url}
        async with chat_suite(server, tmp_path / "data", settings) as suite:
            for name, path in PATHS.items():
                await create(suite.clients, name, STRICT)
                await path(Soil(suite.clients, name, said, tuple(SPEAKERS)))
            await Space(suite.clients, "events").run()
        sent = json.dumps([request.json for request in server.requests], ensure_ascii=False)
    places = {**bytes_of(tmp_path / "data"), "log": log_of(suite), "sent": sent.encode()}
    found = {place: found_in(content, names | SPEAKERS) for place, content in places.items()}
    assert {place: held for place, held in found.items() if held} == {}
    assert "<PERSON_" in sent


REFUSING = sorted(PATHS.keys() - NEVER_REFUSED)


@pytest.mark.timeout(300)
async def test_what_a_policy_blocks_is_refused_by_its_kinds_and_stored_nowhere(
    tmp_path: Path,
) -> None:
    line = next(line for line in LINES if len(line.text) <= 64 and line.language == "en")
    values = values_of([line])
    async with openai_server() as server:
        settings = {**SETTINGS, "ANAMNESIS_MODELS__OPENAI_BASE_URL": server.base_url}
        async with chat_suite(server, tmp_path / "data", settings) as suite:
            for name in REFUSING:
                await create(suite.clients, name, BLOCK)
                with pytest.raises(aio.AioRpcError) as refused:
                    await PATHS[name](Soil(suite.clients, name, [line.text]))
                assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT, name
                told = f"{refused.value.details()} {refused.value.trailing_metadata()}".encode()
                assert b"CONTENT_BLOCKED" in told, name
                assert found_in(told, values) == set(), name
            for name in NEVER_REFUSED:
                await create(suite.clients, name, BLOCK)
                await PATHS[name](Soil(suite.clients, name, [line.text]))
            refused_at = await asyncio.to_thread(bytes_of, tmp_path / "data")
        sent = json.dumps([request.json for request in server.requests]).encode()
    places = {**refused_at, **bytes_of(tmp_path / "data"), "log": log_of(suite), "sent": sent}
    assert {place for place, content in places.items() if found_in(content, values)} == set()
