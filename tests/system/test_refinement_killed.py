"""Refining with two replicas, and where one is killed: what was answered is not asked again."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import grpc
import pytest

from anamnesis.cluster.v1.cluster_service_pb2 import RefineMemoriesRequest
from anamnesis.memory.v1 import event_pb2, ledger_service_pb2, sleep_pb2
from tests.support.cluster_replicas import Replicas, replicas
from tests.support.openai_chat_script import Asked, Given
from tests.support.openai_server import OpenAIServer
from tests.support.refining import REFINE, RefiningSpace, questions, weighing

SPACE = "team"
COUNT = 60
pytestmark = pytest.mark.slow


class Weighing:
    """A model that weighs, and counts how often it was asked about each text."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def script(self, server: OpenAIServer) -> None:
        """Have a server answer so."""
        server.chat.answer(REFINE, self._answer)

    def _answer(self, asked: Asked) -> Given:
        self.asked.update(one.text for one in questions(asked.prompt))
        return weighing(0.9)(asked)


async def observed(suite: Replicas) -> list[str]:
    """Drawers in doubt; their ids."""
    request = ledger_service_pb2.AppendEventsRequest(
        namespace=SPACE,
        session_id="s",
        user_id="ada",
        events=[
            event_pb2.Event(role=event_pb2.ROLE_USER, content=f"Ferry {number} leaves at noon.")
            for number in range(COUNT)
        ],
        importances=[0.5] * COUNT,
        scored=True,
        use_server_time=True,
    )
    return [one.memory_id for one in (await suite.clients[0].ledger.AppendEvents(request)).results]


async def weights(suite: Replicas, ids: list[str]) -> set[float]:
    """The importances of all."""
    read = await RefiningSpace(suite.clients[1], SPACE).read(ids)
    return {one.importance for one in read}


async def test_two_replicas_ask_once(tmp_path: Path) -> None:
    model = Weighing()
    async with replicas(tmp_path, model.script) as suite:
        ids = await observed(suite)
        spaces = [RefiningSpace(clients, SPACE) for clients in suite.clients]
        one, other = await asyncio.gather(*(space.run() for space in spaces))
        assert {one.state, other.state} == {
            sleep_pb2.RUN_STATE_DONE,
            sleep_pb2.RUN_STATE_HELD_ELSEWHERE,
        }
        assert await weights(suite, ids) == {0.9}
        assert set(model.asked.values()) == {1}
        assert len(model.asked) == COUNT


async def test_a_run_that_is_killed_is_gone_on_with(
    tmp_path: Path, kept_in: Mapping[str, str]
) -> None:
    model = Weighing()
    async with replicas(tmp_path, model.script, kept_in) as suite:
        ids = await observed(suite)
        with suppress(grpc.aio.AioRpcError):
            request = RefineMemoriesRequest(namespace=SPACE)
            async for _ in suite.clients[0].cluster.RefineMemories(request):
                await asyncio.to_thread(suite.processes[0].kill)
        await suite.restart_memory()
        state: sleep_pb2.RunState.ValueType = sleep_pb2.RUN_STATE_HELD_ELSEWHERE
        async with asyncio.timeout(60):
            while state != sleep_pb2.RUN_STATE_DONE:
                await asyncio.sleep(0.2)
                with suppress(grpc.aio.AioRpcError):
                    state = (await RefiningSpace(suite.clients[1], SPACE).run()).state
        assert await weights(suite, ids) == {0.9}
        assert max(model.asked.values()) <= 2
        assert len(model.asked) == COUNT
