"""A memory service and two cluster services beside it, with a scripted chat model."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.clients import Clients, clients_of, everywhere
from tests.support.openai_server import OpenAIServer, openai_server
from tests.support.processes import Process, start

LEASE_S = 3
STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static", "ANAMNESIS_SLEEP__ENABLED": "false"}


@dataclass(slots=True)
class Replicas:
    """The processes, and stubs that reach one of the two cluster services each."""

    data_dir: Path
    memory: Process
    processes: Sequence[Process]
    clients: Sequence[Clients]
    kept_in: Mapping[str, str] = field(default_factory=dict)

    async def restart_memory(self) -> None:
        """Kill the memory service and start it again at its address."""
        await asyncio.to_thread(self.memory.kill)
        address = self.memory.address
        settings = {**STATIC, **self.kept_in}
        self.memory = await asyncio.to_thread(start, self.data_dir, "memory", settings, address)


@asynccontextmanager
async def replicas(
    tmp_path: Path,
    script: Callable[[OpenAIServer], None],
    kept_in: Mapping[str, str] | None = None,
) -> AsyncIterator[Replicas]:
    """Run them, on the store that the settings name; whatever was not killed is stopped."""
    kept = {} if kept_in is None else kept_in
    async with openai_server() as server:
        script(server)
        memory = await asyncio.to_thread(start, tmp_path / "data", "memory", {**STATIC, **kept})
        settings = {
            **STATIC,
            "ANAMNESIS_PEERS__MEMORY": memory.address,
            "ANAMNESIS_SLEEP__LEASE_S": str(LEASE_S),
            "ANAMNESIS_MODELS__CHAT_MODEL": "small",
            "ANAMNESIS_MODELS__CHAT_BASE_URL": server.base_url,
        }
        started = [
            await asyncio.to_thread(start, tmp_path / "data", "cluster", settings) for _ in range(2)
        ]
        first, second = (
            {**everywhere(memory.address), "cluster": process.address} for process in started
        )
        try:
            async with clients_of(first) as one, clients_of(second) as two:
                suite = Replicas(tmp_path / "data", memory, started, (one, two), kept)
                yield suite
                memory = suite.memory
        finally:
            for process in (*started, memory):
                if process.popen.poll() is None:
                    process.stop()
