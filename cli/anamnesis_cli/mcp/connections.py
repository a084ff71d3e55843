"""Clients of the suite: one for each identity that calls, all of one place."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import MCPServerError
from starlette.requests import Request

from anamnesis_cli.clocks import usual_zone
from anamnesis_cli.mcp.identity import Identity, identity_of
from anamnesis_cli.mcp.places import Place
from anamnesis_client import AnamnesisError, AsyncAnamnesis, Unreachable

Result = TypeVar("Result")

_REMEDIES = {
    "KEY_NOT_ENTITLED": "connect with a key that may do this",
    "PERMISSION_DENIED": "connect as a user or agent who may do this",
    "UNAUTHENTICATED": "connect with a key that the server knows",
    "UNREACHABLE": "start it (`anamnesis serve`), or have `anamnesis mcp` name another: --server, "
    "--embedded",
}
CLIENTS_MAX = 256
"""Identities whose clients are kept, and with each the last revision that it has written."""


@dataclass(slots=True)
class Connections:
    """The clients of a place, by identity; those that called last are kept."""

    place: Place
    usual: Identity
    tls_ca: Path | None = None
    timeout_s: float = 30.0
    _clients: OrderedDict[Identity, AsyncAnamnesis] = field(default_factory=OrderedDict)

    async def ask(
        self, identity: Identity, work: Callable[[AsyncAnamnesis], Awaitable[Result]]
    ) -> Result:
        """The result of calls on behalf of an identity.

        Where nobody serves the place and it can be served again, they are made once more.
        """
        client = await self._client(identity)
        try:
            return await work(client)
        except Unreachable:
            if not await self.place.restored():
                raise
            return await work(client)

    async def close(self) -> None:
        """Closes every client, and the place."""
        for client in self._clients.values():
            await client.close()
        self._clients.clear()
        await self.place.close()

    async def _client(self, identity: Identity) -> AsyncAnamnesis:
        address = await self.place.address()
        if identity not in self._clients:
            self._clients[identity] = self._open(address, identity)
        self._clients.move_to_end(identity)
        if len(self._clients) > CLIENTS_MAX:
            self._clients.popitem(last=False)
        return self._clients[identity]

    def _open(self, address: str, identity: Identity) -> AsyncAnamnesis:
        return AsyncAnamnesis(
            address,
            namespace=identity.namespace,
            user=identity.user,
            agent=identity.agent,
            api_key=identity.api_key,
            tls_ca=self.tls_ca or "",
            timeout=self.timeout_s,
            time_zone=usual_zone(None),
        )


Call = Context[Connections, Request]
"""The call of a tool or a resource: who is connected, and how the suite is reached."""


async def ask(call: Call, work: Callable[[AsyncAnamnesis], Awaitable[Result]]) -> Result:
    """The result of calls of the suite on behalf of whoever is connected."""
    context = call.request_context
    connections = context.lifespan_context
    return await connections.ask(identity_of(context.request, connections.usual), work)


@contextmanager
def told_as(failure: type[MCPServerError]) -> Iterator[None]:
    """Tells what the suite refuses as a failure of the protocol, with the remedy."""
    try:
        yield
    except AnamnesisError as error:
        remedy = _REMEDIES.get(error.reason, error.remedy)
        raise failure("; ".join(filter(None, (str(error), remedy)))) from error
