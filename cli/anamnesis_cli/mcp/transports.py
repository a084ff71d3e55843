"""Ways in: standard input and output for one client, HTTP for many.

Over standard output goes the protocol and nothing else. Over HTTP each request stands for itself:
no session is kept, so that whose memory it is about is what this request says.
"""

import socket
import sys
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route

from anamnesis_cli.failures import WrongUsage
from anamnesis_cli.mcp.identity import NAMESPACE_IN_PATH
from anamnesis_cli.mcp.server import MemoryServer

PATH = "/mcp"
GRACE_S = 3


@dataclass(frozen=True, slots=True)
class Listening:
    """An address to listen on, and the certificate to show."""

    host: str
    port: int
    is_loopback: bool
    certificate: Path | None = None
    key: Path | None = None

    def url(self, port: int) -> str:
        """The address of the tools, once the port is known."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.certificate else 'http'}://{shown}:{port}{PATH}"


async def serve_stdio(server: MemoryServer) -> None:
    """Serve one client over standard input and output, until it closes them."""
    if sys.stdin.isatty():
        sys.stderr.write("anamnesis mcp waits for a client; `anamnesis mcp --help` says how\n")
    await server.run_stdio_async()


async def serve_http(server: MemoryServer, listening: Listening) -> None:
    """Serve clients over HTTP until a signal ends the process."""
    config = uvicorn.Config(
        _app(server, listening.host),
        ssl_certfile=listening.certificate,
        ssl_keyfile=listening.key,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    with _bound(listening) as opened:
        url = listening.url(opened.getsockname()[1])
        sys.stderr.write(f"anamnesis mcp is ready on {url}\n")
        sys.stderr.flush()
        await uvicorn.Server(config).serve(sockets=[opened])


def _app(server: MemoryServer, host: str) -> Starlette:
    """The SDK's application, at a path for each namespace too."""
    app = server.streamable_http_app(
        streamable_http_path=PATH, json_response=True, stateless_http=True, host=host
    )
    (route,) = (each for each in app.routes if isinstance(each, Route))
    app.routes.append(Route(f"{PATH}/{{{NAMESPACE_IN_PATH}}}", endpoint=route.endpoint))
    return app


def _bound(listening: Listening) -> socket.socket:
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    try:
        return socket.create_server((listening.host, listening.port), family=family)
    except OSError as error:
        raise WrongUsage(
            f"{listening.host}:{listening.port} cannot be opened: {error.strerror}",
            "choose another address: --http HOST:PORT",
        ) from error
