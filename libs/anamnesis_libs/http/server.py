"""The HTTP server of a process: uvicorn on the loop that runs already, stopped with the process."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator, Sequence

import uvicorn
from grpc import aio

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.http.application import application
from anamnesis_libs.http.edge import HttpEdge
from anamnesis_libs.logs import logger
from anamnesis_libs.rpc.status import METADATA_BYTES_MAX
from anamnesis_libs.rpc.tls import server_credentials
from anamnesis_libs.settings import Security, Server


class HttpServer:
    """JSON over HTTP and gRPC-Web for the services that answer at an address of this process."""

    def __init__(
        self,
        server: Server,
        security: Security,
        service_names: Sequence[str],
        address: str,
    ) -> None:
        server_credentials(security)  # refuses half a certificate, and files that are none
        self._channel = _channel(address, server.message_bytes_max)
        app = application(
            service_names,
            self._channel,
            message_bytes_max=server.message_bytes_max,
            origins=[each.strip() for each in server.http_origins.split(",") if each.strip()],
            any_name=security.api_keys_file is not None,
        )
        self._listen = server.http_listen
        self._tls = security.tls_cert_file is not None
        self._uvicorn = _Uvicorn(
            uvicorn.Config(
                HttpEdge(app, logger("http")),
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,  # what anybody may write is not whence a call comes
                ws="none",
                limit_concurrency=server.connections_max,
                timeout_graceful_shutdown=round(server.grace_s),
                ssl_certfile=security.tls_cert_file,
                ssl_keyfile=security.tls_key_file,
            )
        )
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> str:
        """Opens the port.

        Returns:
            The URL of the server, with its real port.

        Raises:
            SetupInvalid: the address is in use, or none of this machine.
        """
        opened = _opened(self._listen)
        host, port = opened.getsockname()[:2]
        self._running = asyncio.create_task(self._uvicorn.serve(sockets=[opened]))
        await self._uvicorn.accepting.wait()
        shown = f"[{host}]" if ":" in host else host
        return f"{'https' if self._tls else 'http'}://{shown}:{port}"

    async def stop(self) -> None:
        """Takes no more calls, lets running ones finish for the time of grace, and closes."""
        self._uvicorn.should_exit = True
        if self._running is not None:
            await self._running
        await self._channel.close()


class _Uvicorn(uvicorn.Server):
    """A server that leaves signals to the process, and says when it accepts calls."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.accepting = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to listen."""
        await super().startup(sockets)
        self.accepting.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Takes none."""
        yield


def _opened(listen: str) -> socket.socket:
    host, _, port = listen.rpartition(":")
    host = host.strip("[]")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, int(port)), family=family)
    except (OSError, ValueError, OverflowError) as error:  # in use; a socket's path; port 99999
        raise SetupInvalid(
            f"server.http_listen: {listen} cannot be opened; it is in use, or no host:port of "
            "this machine: choose another with --http"
        ) from error


def _channel(address: str, message_bytes_max: int) -> aio.Channel:
    """A channel that neither retries nor bounds what the server allows."""
    options = [
        ("grpc.max_receive_message_length", message_bytes_max),
        ("grpc.max_send_message_length", message_bytes_max),
        ("grpc.max_metadata_size", METADATA_BYTES_MAX),
        ("grpc.enable_retries", 0),
    ]
    return aio.insecure_channel(address, options=options)
