"""A gRPC server of the suite: limits, keepalive, TLS, the error edge, health and reflection."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import grpc
from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.extras import needs_extra
from anamnesis_libs.logs import Logger
from anamnesis_libs.rpc.admission.door import HEALTH_PREFIX, REFLECTION_PREFIX, Door
from anamnesis_libs.rpc.admission.key_files import read_agents, read_operators
from anamnesis_libs.rpc.admission.key_ring import KeyRing
from anamnesis_libs.rpc.admission.open_calls import OpenCalls
from anamnesis_libs.rpc.admission.principal import Limits
from anamnesis_libs.rpc.admission.quotas import Quotas
from anamnesis_libs.rpc.interceptors import ErrorEdge
from anamnesis_libs.rpc.status import METADATA_BYTES_MAX
from anamnesis_libs.rpc.tls import server_credentials
from anamnesis_libs.settings import Security, Server

if TYPE_CHECKING:
    from anamnesis_libs.rpc.admission.web_tokens import WebTokens


class Health:
    """The health service: one status for each service name, and "" for the process."""

    def __init__(self) -> None:
        self.servicer = health.aio.HealthServicer()

    async def report(self, names: Sequence[str], serving: bool) -> None:
        """Turns the named services SERVING or NOT_SERVING."""
        statuses = health_pb2.HealthCheckResponse
        status = statuses.SERVING if serving else statuses.NOT_SERVING
        for name in names:
            await self.servicer.set(name, status)

    async def shut_down(self) -> None:
        """Turns everything NOT_SERVING, for good."""
        await self.servicer.enter_graceful_shutdown()


def new_edge(
    server: Server, security: Security, logger: Logger, keys: KeyRing | None = None
) -> ErrorEdge:
    """The error edge of a server; without `keys` it reads its own."""
    door = Door(
        key_ring(security) if keys is None else keys,
        _quotas(security),
        _open_calls(security),
        _open_prefixes(security),
    )
    return ErrorEdge(door, server.stream_idle_s_max, logger)


def new_server(
    server: Server, security: Security, logger: Logger, keys: KeyRing | None = None
) -> aio.Server:
    """A server without services and without a port; without `keys` it reads its own."""
    return server_behind(new_edge(server, security, logger, keys), server, security)


def server_behind(edge: ErrorEdge, server: Server, security: Security) -> aio.Server:
    """A server behind an edge, without services and without a port."""
    return aio.server(
        interceptors=[edge],
        options=_options(server),
        # calls without a key are counted apart, and take nothing from those with one
        maximum_concurrent_rpcs=server.concurrent_rpcs_max + security.open_calls_max,
    )


def key_ring(security: Security) -> KeyRing:
    """The accepted keys and tokens; none when no file of them is configured.

    Raises:
        SetupInvalid: a file is wrong, or there are agents' keys or tokens and no key for who looks
            after them.
    """
    agents_file = security.agent_keys_file
    tokens = _read_tokens(security)
    if security.api_keys_file is None:
        if agents_file is not None or tokens is not None:
            raise SetupInvalid(
                "security.api_keys_file: agents' keys and tokens need it, the keys of operators "
                "and of the services themselves"
            )
        return KeyRing()
    operators = read_operators(security.api_keys_file, "security.api_keys_file")
    agents = read_agents(agents_file, "security.agent_keys_file") if agents_file else {}
    if not agents.keys().isdisjoint(operators):
        raise SetupInvalid(
            "security.agent_keys_file: a key is in security.api_keys_file too; give each its own"
        )
    return KeyRing(operators, agents, tokens)


def _read_tokens(security: Security) -> "WebTokens | None":
    """The check of signed tokens; None where the settings ask for none."""
    named = (security.jwt_issuer, security.jwt_audience, security.jwt_jwks_file)
    if not any(named):
        return None
    with needs_extra("tokens", "security.jwt_issuer"):
        from anamnesis_libs.rpc.admission.web_tokens import read_tokens

    return read_tokens(*named)


def _quotas(security: Security) -> Quotas:
    limits = Limits(security.calls_per_s_max, security.calls_at_once_max, security.mib_per_day_max)
    return Quotas(limits, namespaces_max=security.namespaces_max)


def _open_calls(security: Security) -> OpenCalls:
    return OpenCalls(
        security.open_calls_max, security.open_calls_by_peer_max, security.open_call_s_max
    )


class _Registrar:
    """A server as generated code knows one, which looks a method up when a call of it comes.

    gRPC can also wait for a call of each method apart. With two hundred methods that made every
    call a fifth dearer.
    """

    def __init__(self, server: aio.Server) -> None:
        self._server = server

    def add_generic_rpc_handlers(self, handlers: "Sequence[grpc.GenericRpcHandler]") -> None:
        """Serve them."""
        self._server.add_generic_rpc_handlers(handlers)

    def add_registered_method_handlers(self, service: str, handlers: object) -> None:
        """Nothing: they are served by now, for generated code adds each method in both ways."""


def registrar_of(server: aio.Server) -> aio.Server:
    """A server to which generated code adds its handlers."""
    return cast("aio.Server", _Registrar(server))


def add_health_and_reflection(
    server: aio.Server, service_names: Sequence[str], server_health: Health
) -> None:
    """Registers both for the named services; health starts at NOT_SERVING for each."""
    health_pb2_grpc.add_HealthServicer_to_server(server_health.servicer, registrar_of(server))
    reflection.enable_server_reflection(
        [*service_names, health.SERVICE_NAME, reflection.SERVICE_NAME], server
    )


def bind(server: aio.Server, listen: str, security: Security) -> str:
    """Opens the port, with TLS where it is configured; gives the address with its real port."""
    credentials = server_credentials(security)
    try:
        if credentials is None:
            port = server.add_insecure_port(listen)
        else:
            port = server.add_secure_port(listen, credentials)
    except RuntimeError as error:
        raise SetupInvalid(
            f"server.listen: {listen} cannot be opened; it is in use or not an address of this "
            "machine: choose another with --listen"
        ) from error
    return listen if listen.startswith("unix:") else f"{listen.rpartition(':')[0]}:{port}"


def _open_prefixes(security: Security) -> tuple[str, ...]:
    health_open = (HEALTH_PREFIX,) if security.health_open else ()
    return (*health_open, REFLECTION_PREFIX) if security.reflection_open else health_open


def _options(server: Server) -> list[tuple[str, int]]:
    options = [
        # without it a second process could listen on the same port and take half of the calls
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", server.message_bytes_max),
        ("grpc.max_send_message_length", server.message_bytes_max),
        ("grpc.max_metadata_size", METADATA_BYTES_MAX),
        ("grpc.keepalive_time_ms", round(server.keepalive_s * 1000)),
        ("grpc.keepalive_timeout_ms", round(server.keepalive_timeout_s * 1000)),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
        ("grpc.max_allowed_incoming_connections", server.connections_max),
        ("grpc.max_connection_idle_ms", round(server.connection_idle_s_max * 1000)),
        ("grpc.server_handshake_timeout_ms", round(server.handshake_s_max * 1000)),
    ]
    if server.connection_age_s_max > 0:
        options += [
            ("grpc.max_connection_age_ms", round(server.connection_age_s_max * 1000)),
            ("grpc.max_connection_age_grace_ms", round(server.grace_s * 1000)),
        ]
    return options
