"""A channel by namespace: each is served in one place, and elsewhere as soon as that is gone."""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc
from grpc import aio

from anamnesis.memory.v1 import admin_service_pb2 as admin
from anamnesis.memory.v1 import admin_service_pb2_grpc as admin_grpc
from anamnesis_libs.rpc.peers import connect

SERVICE = "anamnesis.memory.v1.AdminService"
PLACES = 3
NAMESPACES = [f"team-{each}" for each in range(60)]
TIMEOUT_S = 20


@dataclass
class Place:
    """A server that counts the calls about each namespace."""

    server: aio.Server = field(default_factory=aio.server)
    asked: Counter[str] = field(default_factory=Counter)

    def serve(self) -> int:
        """Adds the one rpc; gives the port."""
        handler = grpc.unary_unary_rpc_method_handler(
            self._answer,
            request_deserializer=admin.GetNamespaceRequest.FromString,
            response_serializer=admin.GetNamespaceResponse.SerializeToString,
        )
        served = grpc.method_handlers_generic_handler(SERVICE, {"GetNamespace": handler})
        self.server.add_generic_rpc_handlers((served,))
        return self.server.add_insecure_port("127.0.0.1:0")

    async def _answer(
        self,
        request: admin.GetNamespaceRequest,
        _: aio.ServicerContext[admin.GetNamespaceRequest, admin.GetNamespaceResponse],
    ) -> admin.GetNamespaceResponse:
        self.asked[request.namespace] += 1
        return admin.GetNamespaceResponse()


Ask = Callable[[str], Awaitable[admin.GetNamespaceResponse]]


@asynccontextmanager
async def places(*, by_namespace: bool) -> AsyncIterator[tuple[list[Place], Ask]]:
    """Servers behind one name, and a call to whichever the channel takes."""
    running = [Place() for _ in range(PLACES)]
    ports = []
    for place in running:
        ports.append(place.serve())
        await place.server.start()
    address = ",".join(f"127.0.0.1:{port}" for port in ports)
    channel = connect(address, message_bytes_max=4096, by_namespace=by_namespace)
    stub = admin_grpc.AdminServiceStub(channel)
    try:
        yield (
            running,
            lambda namespace: stub.GetNamespace(
                admin.GetNamespaceRequest(namespace=namespace), timeout=TIMEOUT_S
            ),
        )
    finally:
        await channel.close()
        for place in running:
            await place.server.stop(None)


def _place_of(namespace: str, running: list[Place]) -> list[int]:
    return [at for at, place in enumerate(running) if place.asked[namespace]]


async def test_a_namespace_is_asked_for_in_one_place_and_all_places_have_some() -> None:
    async with places(by_namespace=True) as (running, ask):
        for namespace in NAMESPACES * 3:
            await ask(namespace)
        assert [len(_place_of(each, running)) for each in NAMESPACES] == [1] * len(NAMESPACES)
        assert min(len(place.asked) for place in running) >= len(NAMESPACES) // (3 * PLACES)


async def test_as_a_place_goes_only_its_namespaces_move() -> None:
    async with places(by_namespace=True) as (running, ask):
        for namespace in NAMESPACES:
            await ask(namespace)
        before = {each: _place_of(each, running) for each in NAMESPACES}
        gone, *left = running
        await gone.server.stop(None)
        for namespace in NAMESPACES:
            await ask(namespace)
        assert all(place.asked.total() for place in left)
        stayed = [each for each in NAMESPACES if before[each] != [0]]
        assert [_place_of(each, running) for each in stayed] == [before[each] for each in stayed]


async def test_by_call_every_place_is_asked_in_turn() -> None:
    async with places(by_namespace=False) as (running, ask):
        for _ in range(30):
            await ask("one")
        assert [place.asked["one"] > 0 for place in running] == [True] * PLACES


async def test_a_name_that_no_header_may_hold_is_sent_all_the_same() -> None:
    async with places(by_namespace=True) as (running, ask):
        await ask("日本")
        assert sum(place.asked["日本"] for place in running) == 1
