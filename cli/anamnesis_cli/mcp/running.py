"""`anamnesis mcp` from its options to its end."""

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path

from anamnesis_cli.failures import Failure, WrongUsage, told
from anamnesis_cli.mcp.connections import Connections
from anamnesis_cli.mcp.identity import Identity
from anamnesis_cli.mcp.places import Embedded, Named, Place
from anamnesis_cli.mcp.server import MemoryServer, all_tools, memory_server, usual_tools
from anamnesis_cli.mcp.transports import Listening, serve_http, serve_stdio
from anamnesis_cli.target import Target
from anamnesis_client import AnamnesisError, Unauthenticated
from anamnesis_libs import errors, logs
from anamnesis_libs.environment import quiet_grpc
from anamnesis_libs.rpc.admission.key_files import plain_key
from anamnesis_libs.rpc.tls import is_loopback


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The options of the command."""

    target: Target
    embedded: Path | None
    http: str | None
    certificate: Path | None
    certificate_key: Path | None
    agent: str
    all_tools: bool


def run(options: ServerOptions) -> None:
    """Serves until the client or a signal ends it."""
    quiet_grpc()
    logs.configure("warning", "console")
    for handler in logging.getLogger().handlers:
        handler.addFilter(_without_texts)
    try:
        listening = _listening(options)
        connections = _connections(options, listening)
    except errors.AnamnesisError as error:
        raise WrongUsage(told(error), "correct it; `anamnesis mcp --help` explains it") from error
    tools = all_tools() if options.all_tools else usual_tools()
    asyncio.run(_serve(memory_server(connections, tools), connections, listening))


def _without_texts(record: logging.LogRecord) -> bool:
    """Tells a library's record of a failure as ours are told: its type and frames, no values."""
    failure = record.exc_info[1] if record.exc_info else None
    if failure is not None:
        fields = logs.failure_fields(failure.__cause__ or failure, with_text=False)
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {fields}", (), None
    return True


async def _serve(
    server: MemoryServer, connections: Connections, listening: Listening | None
) -> None:
    if listening is None:
        await serve_stdio(server)
        return
    if not listening.is_loopback:
        await _refuse_open_door(connections, listening)
    await serve_http(server, listening)


def _listening(options: ServerOptions) -> Listening | None:
    """The address to listen on; None for standard input and output."""
    if options.http is None:
        return None
    loopback = is_loopback(options.http, "--http")
    host, _, port = options.http.rpartition(":")
    if not loopback and (options.certificate is None or options.certificate_key is None):
        raise WrongUsage(
            f"{options.http} can be reached from other machines, which needs TLS",
            "name --tls-cert FILE and --tls-key FILE, or listen on 127.0.0.1",
        )
    return Listening(
        host.strip("[]"), int(port), loopback, options.certificate, options.certificate_key
    )


def _connections(options: ServerOptions, listening: Listening | None) -> Connections:
    """The way to the suite, and for whom it is asked where a request does not say.

    Over HTTP nobody is the user unless one is named; from other machines no key is lent.
    """
    target = options.target
    key_file = target.api_key_file if listening is None or listening.is_loopback else None
    usual = Identity(
        namespace=target.working_namespace,
        user=target.user_id if listening is None else target.named_user,
        agent=options.agent,
        api_key=plain_key(key_file, "--api-key-file") if key_file else "",
    )
    return Connections(_place(options), usual, target.tls_ca, target.timeout_s)


def _place(options: ServerOptions) -> Place:
    if options.embedded is None:
        return Named(options.target.server)
    return Embedded(options.embedded.expanduser())


async def _refuse_open_door(connections: Connections, listening: Listening) -> None:
    """Beyond loopback, a suite is not served that answers whoever has no key."""
    try:
        await connections.ask(connections.usual, lambda memory: memory.get("none"))
    except Unauthenticated:
        return
    except AnamnesisError as error:
        raise Failure(str(error), error.remedy or "see the server's log") from error
    raise WrongUsage(
        f"{listening.host} can be reached from other machines, and the suite asks for no key",
        "start the suite with security.api_keys_file, or listen on 127.0.0.1",
    )
