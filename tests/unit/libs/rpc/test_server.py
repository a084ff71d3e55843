"""Tests of rpc/server.py: one port one process, health and reflection, who may see them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from grpc import aio
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from anamnesis_libs.errors import PeerUnavailable, SetupInvalid
from anamnesis_libs.logs import logger
from anamnesis_libs.rpc.peers import call, connect
from anamnesis_libs.rpc.server import Health, add_health_and_reflection, bind, key_ring, new_server
from anamnesis_libs.settings import Security, Server
from tests.unit.libs.rpc.echo import KEY, SERVICE, Echo

Statuses = health_pb2.HealthCheckResponse


@asynccontextmanager
async def observed(security: Security, health: Health, key: str = "") -> AsyncIterator[aio.Channel]:
    """A channel to a server with health and reflection."""
    server = new_server(Server(connection_age_s_max=60), security, logger("test"))
    Echo().register(server)
    add_health_and_reflection(server, [SERVICE], health)
    address = bind(server, "127.0.0.1:0", security)
    await server.start()
    async with connect(address, message_bytes_max=4096, key=key) as channel:
        yield channel
    await server.stop(None)


async def _status(channel: aio.Channel, service: str) -> int:
    request = health_pb2.HealthCheckRequest(service=service)
    check = channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        health_pb2.HealthCheckRequest.SerializeToString,
        Statuses.FromString,
    )
    return (await call(check, request, timeout_s=5)).status


async def _reflected(channel: aio.Channel) -> list[str]:
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    reflect = channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )
    async for response in reflect(iter([request]), timeout=5):
        return [each.name for each in response.list_services_response.service]
    return []


@pytest.fixture
def keyed(tmp_path: Path) -> Security:
    file = tmp_path / "keys"
    file.write_text(KEY)
    return Security(api_keys_file=file)


async def test_health_follows_each_service() -> None:
    health = Health()
    async with observed(Security(), health) as channel:
        await health.report([SERVICE], serving=True)
        assert await _status(channel, SERVICE) == Statuses.SERVING
        await health.report([SERVICE], serving=False)
        assert await _status(channel, SERVICE) == Statuses.NOT_SERVING
        assert await _status(channel, "") == Statuses.SERVING


async def test_a_shut_down_cannot_be_taken_back() -> None:
    health = Health()
    async with observed(Security(), health) as channel:
        await health.report([SERVICE], serving=True)
        await health.shut_down()
        await health.report([SERVICE], serving=True)
        assert await _status(channel, SERVICE) == Statuses.NOT_SERVING


async def test_reflection_lists_the_services() -> None:
    async with observed(Security(), Health()) as channel:
        assert set(await _reflected(channel)) == {
            SERVICE,
            "grpc.health.v1.Health",
            "grpc.reflection.v1alpha.ServerReflection",
        }


async def test_with_keys_health_is_open_and_reflection_is_not(keyed: Security) -> None:
    async with observed(keyed, Health()) as channel:
        assert await _status(channel, "") == Statuses.SERVING
        with pytest.raises(aio.AioRpcError, match="Bearer KEY"):
            await _reflected(channel)


async def test_both_can_be_set_the_other_way(keyed: Security) -> None:
    turned = keyed.model_copy(update={"health_open": False, "reflection_open": True})
    async with observed(turned, Health()) as channel:
        assert SERVICE in await _reflected(channel)
        with pytest.raises(PeerUnavailable):
            await _status(channel, "")


async def test_a_key_opens_both(keyed: Security) -> None:
    closed = keyed.model_copy(update={"health_open": False})
    async with observed(closed, Health(), KEY) as channel:
        assert await _status(channel, "") == Statuses.SERVING
        assert SERVICE in await _reflected(channel)


async def test_a_port_in_use_is_refused() -> None:
    first = new_server(Server(), Security(), logger("test"))
    address = bind(first, "127.0.0.1:0", Security())
    await first.start()
    second = new_server(Server(), Security(), logger("test"))
    with pytest.raises(SetupInvalid, match=f"server.listen: {address} cannot be opened"):
        bind(second, address, Security())
    await first.stop(None)


def test_agents_keys_need_operators_keys_and_share_none(tmp_path: Path) -> None:
    api, agents = tmp_path / "api", tmp_path / "agents"
    api.write_text("0123456789abcdef")
    agents.write_text("0123456789abcdef agent=coder")
    with pytest.raises(SetupInvalid, match=r"security\.api_keys_file: .* need it"):
        key_ring(Security(agent_keys_file=agents))
    with pytest.raises(SetupInvalid, match="give each its own"):
        key_ring(Security(api_keys_file=api, agent_keys_file=agents))
