"""The services of one process: started in order, stopped in reverse.

Services that others of the same process need are also served by a server of their own: directly,
and on a private unix socket. It opens before those that need it start and closes after they
stopped, so that calls still running at a stop find what they need; and it needs no certificate.
"""

import asyncio
import functools
import secrets
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from grpc import aio

from anamnesis_libs.clock import Clock, SystemClock
from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.logs import logger
from anamnesis_libs.rpc.channels import Channels, outgoing_key
from anamnesis_libs.rpc.direct import DirectHandlers
from anamnesis_libs.rpc.server import (
    Health,
    add_health_and_reflection,
    bind,
    key_ring,
    new_edge,
    new_server,
    registrar_of,
    server_behind,
)
from anamnesis_libs.rpc.tls import refuse_open_door, refuse_plain_peers
from anamnesis_libs.run.heap import give_back
from anamnesis_libs.run.lock import data_dir_lock
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.run.module import DATA_OWNERS, TARGETS, ServiceContext, ServiceModule, members
from anamnesis_libs.run.peer_watch import peer_watch
from anamnesis_libs.settings.config import Settings
from anamnesis_libs.tokens import TokenCounter

Build = Callable[[str, ServiceContext], ServiceModule]


class Suite:
    """The running services of a target."""

    def __init__(
        self,
        settings: Settings,
        target: str,
        build: Build,
        tokens: TokenCounter,
        clock: Clock | None = None,
    ) -> None:
        refuse_open_door(settings.server.listen, settings.security)
        if settings.server.http_listen:
            refuse_open_door(settings.server.http_listen, settings.security, "server.http_listen")
        self.names = members(target)
        needed = {need for name in self.names for need in TARGETS[name]}
        elsewhere = needed.difference(self.names)
        refuse_plain_peers(settings.peers, elsewhere)
        if elsewhere:
            outgoing_key(settings.peers, settings.security)
        self.address = ""
        self.http_url = ""
        self._settings = settings
        self._build = build
        self._tokens = tokens
        self._clock = clock or SystemClock()
        self._logger = logger("suite")
        self._health = Health()
        self._keys = key_ring(settings.security)
        self._own_key = secrets.token_hex(32)
        self._keys.add_own(self._own_key)
        self._direct: dict[str, DirectHandlers] = {}
        self._watches: dict[str, Sequence[Loop]] = {}
        self._stopping = asyncio.Event()
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        """Starts every service, then opens the port; a failure stops what had started."""
        async with AsyncExitStack() as stack:
            await self._start(stack)
            self._stack = stack.pop_all()

    async def stop(self) -> None:
        """Drains the port, then stops loops and services, the last started first."""
        self._logger.info("suite.stopping")
        await self._health.shut_down()
        self._stopping.set()
        await self._stack.aclose()
        self._logger.info("suite.stopped")

    def renew_keys(self) -> None:
        """Read the files of keys again; what is wrong with them is logged, and changes nothing."""
        try:
            self._keys.renew(key_ring(self._settings.security))
        except SetupInvalid as error:
            self._logger.error("suite.keys_not_renewed", error=error.message)
        else:
            self._logger.info("suite.keys_renewed", keys=len(self._keys.held))

    async def _start(self, stack: AsyncExitStack) -> None:
        if DATA_OWNERS.intersection(self.names):
            stack.enter_context(data_dir_lock(self._settings.server.data_dir))
        local = self._private_addresses(stack)
        context = self._context(local)
        stack.push_async_callback(context.channels.close)
        modules = [await self._start_module(name, context, local, stack) for name in self.names]
        await asyncio.to_thread(give_back)
        await self._open(modules, stack)

    def _context(self, local: Mapping[str, str]) -> ServiceContext:
        settings = self._settings
        return ServiceContext(
            settings=settings,
            clock=self._clock,
            tokens=self._tokens,
            logger=self._logger,
            channels=Channels(
                settings.peers,
                settings.security,
                settings.server.message_bytes_max,
                local,
                self._own_key,
                self._direct,
            ),
            stopping=self._stopping,
        )

    def _private_addresses(self, stack: AsyncExitStack) -> Mapping[str, str]:
        """A socket for each service of this process that another one of it needs."""
        needed = {need for name in self.names for need in TARGETS[name]}
        shared = [name for name in self.names if name in needed]
        if not shared:
            return {}
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="anamnesis-")))
        return {name: f"unix:{directory / name}.sock" for name in shared}

    async def _start_module(
        self,
        name: str,
        context: ServiceContext,
        local: Mapping[str, str],
        stack: AsyncExitStack,
    ) -> ServiceModule:
        module = self._build(name, context)
        await module.start()
        stack.push_async_callback(module.stop)
        self._watches[module.name] = [
            peer_watch(name, peer, context.channels)
            for peer in TARGETS[name]
            if peer not in self.names
        ]
        for loop in (*module.loops, *self._watches[module.name]):
            loop.start(self._logger, functools.partial(self._report, module))
        stack.push_async_callback(_stop_all, module.loops, self._settings.server.grace_s)
        if name in local:
            await self._serve_own(module, local[name], stack)
        return module

    async def _serve_own(self, module: ServiceModule, address: str, stack: AsyncExitStack) -> None:
        """Serve a module to the other services of this process."""
        server, security = self._settings.server, self._settings.security
        edge = new_edge(server, security, self._logger, self._keys)
        private = server_behind(edge, server, security)
        handlers = DirectHandlers(private, edge)
        module.register(handlers.registrar)
        private.add_insecure_port(address)
        await private.start()
        stack.push_async_callback(private.stop, server.grace_s)
        self._direct[module.name] = handlers

    async def _open(self, modules: Sequence[ServiceModule], stack: AsyncExitStack) -> None:
        server = self._server(modules)
        service_names = [name for module in modules for name in module.service_names]
        add_health_and_reflection(server, service_names, self._health)
        self.address = bind(server, self._settings.server.listen, self._settings.security)
        behind_http = self._behind_http(server, stack)
        await server.start()
        stack.push_async_callback(server.stop, self._settings.server.grace_s)
        if behind_http:
            await self._open_http(service_names, behind_http, stack)
        for module in modules:
            await self._report(module)

    def _behind_http(self, server: aio.Server, stack: AsyncExitStack) -> str:
        """A private address of the open server for calls that came over HTTP; empty: none do."""
        if not self._settings.server.http_listen:
            return ""
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="anamnesis-"))
        address = f"unix:{directory}/http.sock"
        server.add_insecure_port(address)
        return address

    async def _open_http(
        self, service_names: Sequence[str], address: str, stack: AsyncExitStack
    ) -> None:
        """HTTP is opened last and closed first; its calls go through the open server's own port."""
        # Imported here: who does not ask for it does not load it.
        from anamnesis_libs.http.server import HttpServer

        settings = self._settings
        opened = HttpServer(settings.server, settings.security, service_names, address)
        self.http_url = await opened.start()
        stack.push_async_callback(opened.stop)

    def _server(self, modules: Sequence[ServiceModule]) -> aio.Server:
        security = self._settings.security
        server = new_server(self._settings.server, security, self._logger, self._keys)
        for module in modules:
            module.register(registrar_of(server))
        return server

    async def _report(self, module: ServiceModule) -> None:
        """A service is SERVING while no loop of it fails and the peers it needs answer."""
        loops = (*module.loops, *self._watches[module.name])
        serving = not any(loop.failing for loop in loops)
        await self._health.report(module.service_names, serving)


async def _stop_all(loops: Sequence[Loop], grace_s: float) -> None:
    """Stop all loops at once: together they take one grace, not one each."""
    await asyncio.gather(*(loop.stop(grace_s) for loop in loops))
