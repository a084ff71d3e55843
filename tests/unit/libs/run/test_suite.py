"""Tests of run/suite.py and main.py: order, private calls, health, refusals, signals."""

import asyncio
import functools
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from grpc import aio
from grpc_health.v1 import health_pb2

from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.rpc.peers import call, connect
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.run.module import TARGETS, ServiceContext, members
from anamnesis_libs.run.suite import Suite
from anamnesis_libs.settings.config import Settings
from tests.unit.libs.rpc.echo import BYTES_MAX, SERVICE, Echo, EchoStub, calling
from tools.source_path import source_path

GOOD = MemoryFilter(agent_id="good")


class Words:
    """A TokenCounter that counts words: the suite only hands it on."""

    def count(self, text: str) -> int:
        return len(text.split())

    def truncate(self, text: str, tokens_max: int) -> str:
        return " ".join(text.split()[:tokens_max])


@dataclass
class Module:
    """A service that writes down what happens to it; `memory` serves Echo."""

    name: str
    context: ServiceContext
    events: list[str]
    loops: Sequence[Loop] = ()
    fails: bool = False
    echo: Echo = field(default_factory=Echo)

    @property
    def service_names(self) -> Sequence[str]:
        return (SERVICE,) if self.name == "memory" else (f"test.{self.name}",)

    def register(self, server: aio.Server) -> None:
        if self.name == "memory":
            self.echo.register(server)

    async def start(self) -> None:
        self.events.append(f"start {self.name}")
        if self.fails:
            raise SetupInvalid("cannot start")
        await self._ask_memory()

    async def stop(self) -> None:
        await self._ask_memory()
        self.events.append(f"stop {self.name}")

    async def _ask_memory(self) -> None:
        """Others need memory while they start and stop."""
        if self.name != "memory":
            stub = EchoStub(self.context.channels.to("memory"))
            await call(stub.one_one, GOOD, timeout_s=5)


def _settings(tmp_path: Path, **server: object) -> Settings:
    values = {"listen": "127.0.0.1:0", "data_dir": tmp_path / "data", "grace_s": 2, **server}
    return Settings.model_validate({"server": values})


@asynccontextmanager
async def running(suite: Suite) -> AsyncIterator[Suite]:
    """The suite, started and in the end stopped."""
    await suite.start()
    try:
        yield suite
    finally:
        await suite.stop()


async def _health(address: str, service: str) -> int:
    async with connect(address, message_bytes_max=BYTES_MAX) as channel:
        request = health_pb2.HealthCheckRequest(service=service)
        check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            health_pb2.HealthCheckRequest.SerializeToString,
            health_pb2.HealthCheckResponse.FromString,
        )
        return (await call(check, request, timeout_s=5)).status


async def _until_not_serving(address: str, service: str) -> None:
    while await _health(address, service) == health_pb2.HealthCheckResponse.SERVING:
        pass


def test_all_is_every_target_after_what_it_needs() -> None:
    order = members("all")
    assert set(order) == set(TARGETS)
    assert all(order.index(need) < order.index(name) for name in order for need in TARGETS[name])


def test_an_unknown_target_is_refused_with_the_known() -> None:
    with pytest.raises(SetupInvalid, match="all, memory, ingestion, cluster, retrieval"):
        members("memmory")


async def test_it_starts_in_order_and_stops_in_reverse(tmp_path: Path) -> None:
    events: list[str] = []
    build = functools.partial(Module, events=events)
    async with running(Suite(_settings(tmp_path), "all", build, Words())) as suite:
        async with calling(suite.address) as stub:
            assert await stub.one_one(GOOD, timeout=5) == GOOD
        assert events == [f"start {name}" for name in members("all")]
        events.clear()
    assert events == [f"stop {name}" for name in reversed(members("all"))]


async def test_health_has_every_service(tmp_path: Path) -> None:
    build = functools.partial(Module, events=[])
    async with running(Suite(_settings(tmp_path), "all", build, Words())) as suite:
        for service in ("", SERVICE, "test.retrieval"):
            assert await _health(suite.address, service) == 1


async def test_a_failing_loop_turns_its_service_only(tmp_path: Path) -> None:
    async def fail() -> bool:
        raise ValueError

    loop = Loop("test", every_s=0.001, step=fail, failures_max=1)

    def build(name: str, context: ServiceContext) -> Module:
        return Module(name, context, [], loops=(loop,) if name == "memory" else ())

    async with running(Suite(_settings(tmp_path), "all", build, Words())) as suite:
        async with asyncio.timeout(5):
            await _until_not_serving(suite.address, SERVICE)
        assert await _health(suite.address, "test.retrieval") == 1


async def test_a_call_in_flight_is_finished_and_may_still_ask_memory(tmp_path: Path) -> None:
    begun = asyncio.Event()
    go_on = asyncio.Event()

    async def slow(_: MemoryFilter) -> None:
        begun.set()
        await go_on.wait()

    def build(name: str, context: ServiceContext) -> Module:
        return Module(name, context, [], echo=Echo(before=slow))

    suite = Suite(_settings(tmp_path), "memory", build, Words())
    await suite.start()
    async with calling(suite.address) as stub:
        running_call = asyncio.create_task(call(stub.one_one, GOOD, timeout_s=5))
        await begun.wait()
        stopping = asyncio.create_task(suite.stop())
        await asyncio.sleep(0.01)
        go_on.set()
        assert await running_call == GOOD
        await stopping


async def test_a_failed_start_stops_what_had_started(tmp_path: Path) -> None:
    events: list[str] = []

    def build(name: str, context: ServiceContext) -> Module:
        return Module(name, context, events, fails=name == "cluster")

    with pytest.raises(SetupInvalid, match="cannot start"):
        await Suite(_settings(tmp_path), "all", build, Words()).start()
    assert events[-2:] == ["stop ingestion", "stop memory"]


async def test_a_second_suite_on_the_data_is_refused(tmp_path: Path) -> None:
    build = functools.partial(Module, events=[])
    async with running(Suite(_settings(tmp_path), "memory", build, Words())):
        with pytest.raises(SetupInvalid, match="in use by process"):
            await Suite(_settings(tmp_path), "memory", build, Words()).start()


async def test_a_target_without_data_needs_no_directory(tmp_path: Path) -> None:
    def build(_: str, context: ServiceContext) -> Module:
        return Module("memory", context, [])

    async with running(Suite(_settings(tmp_path), "retrieval", build, Words())):
        assert not (tmp_path / "data").exists()


def test_an_open_door_is_refused(tmp_path: Path) -> None:
    build = functools.partial(Module, events=[])
    with pytest.raises(SetupInvalid, match="needs TLS and API keys"):
        Suite(_settings(tmp_path, listen="0.0.0.0:0"), "all", build, Words())


_SERVE = """
import asyncio, pathlib, sys
from anamnesis_libs.settings.config import load
from anamnesis_cli.process import serve
from tests.unit.libs.run.test_suite import Module
build = lambda name, context: Module(name, context, [])
overrides = {"server.listen": "127.0.0.1:0", "server.data_dir": sys.argv[1]}
asyncio.run(serve(load(None, overrides), "all", build))
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_says_when_it_is_ready_and_ends_on_a_signal(
    number: signal.Signals, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", _SERVE, str(tmp_path)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={"PYTHONPATH": source_path()},
    ) as process:
        assert process.stdout is not None
        ready = process.stdout.readline()
        process.send_signal(number)
        assert process.wait(20) == 0
    assert ready.startswith("anamnesis is ready on 127.0.0.1:")
    assert "memory, ingestion, cluster, retrieval" in ready
