"""The ASGI application: endpoints of rpcs, the document of them, health, and who may ask."""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from importlib.metadata import PackageNotFoundError, version

from connectrpc.server import ConnectASGIApplication
from google.protobuf.descriptor import ServiceDescriptor
from grpc import aio
from grpc_health.v1 import health_pb2
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

from anamnesis_libs.http.codecs import Binary, Json
from anamnesis_libs.http.endpoints import AnyEndpoint, endpoints_of, services_of
from anamnesis_libs.http.openapi import document_of

OWN_NAMES = ("localhost", "127.0.0.1", "::1", "[::1]")
EXPOSED = ("grpc-status", "grpc-message", "grpc-status-details-bin")
"""Headers of an answer that a page may read: those in which gRPC-Web tells an error."""
PREFLIGHT_S = 7_200
HEALTH_CHECK = "/grpc.health.v1.Health/Check"
GREETING = """\
Anamnesis, long-term memory for agents. POST JSON to /PACKAGE.SERVICE/METHOD, for instance

  curl -H 'Content-Type: application/json' \\
    -d '{"namespace": "demo", "query": "flights"}' \\
    URL/anamnesis.retrieval.v1.RetrievalService/Search

All of them, with their messages: /openapi.json. Health: /healthz.
"""


class Rpcs(ConnectASGIApplication[Mapping[str, AnyEndpoint]]):
    """Connect and gRPC-Web, binary and JSON; a field that no message has is refused."""

    def __init__(self, endpoints: Mapping[str, AnyEndpoint], message_bytes_max: int) -> None:
        super().__init__(
            service=endpoints,
            endpoints=lambda given: given,  # type: ignore[arg-type, return-value]  # its union is private
            read_max_bytes=message_bytes_max,
            codecs=[Binary(), Json()],
        )

    @property
    def path(self) -> str:
        """The place of the application: all paths."""
        return "/"


class OpenApiDocument:
    """The OpenAPI document of some services, made when it is first asked for."""

    def __init__(self, services: Sequence[ServiceDescriptor]) -> None:
        self._services = services

    async def answer(self, _: Request) -> Response:
        """The document as an answer."""
        return self._response

    @cached_property
    def _response(self) -> Response:
        return JSONResponse(document_of(self._services, _version()))


def application(
    service_names: Sequence[str],
    channel: aio.Channel,
    *,
    message_bytes_max: int,
    origins: Sequence[str],
    any_name: bool,
) -> Starlette:
    """The application of some services.

    Args:
        service_names: full names of gRPC services that answer on `channel`.
        channel: to the gRPC server of this process.
        message_bytes_max: the largest request.
        origins: of pages that may ask from a browser, as `https://app.example.com`; `*`: all.
        any_name: True if callers may name this server as they like. False where no key is asked
            for: a page whose name is led to this machine must not pass for one of ours.
    """
    services = services_of(service_names)
    rpcs = Rpcs(endpoints_of(services, channel), message_bytes_max)
    cors = Middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=["GET", "POST"],
        allow_headers=["*"],
        expose_headers=EXPOSED,
        max_age=PREFLIGHT_S,
    )
    names = Middleware(TrustedHostMiddleware, allowed_hosts=OWN_NAMES, www_redirect=False)
    return Starlette(
        routes=[
            Route("/", _greet),
            Route("/openapi.json", OpenApiDocument(services).answer),
            Route("/healthz", partial(_health, channel)),
            Mount("/", rpcs),
        ],
        middleware=[cors] if any_name else [names, cors],
    )


async def _greet(_: Request) -> Response:
    return PlainTextResponse(GREETING)


async def _health(channel: aio.Channel, _: Request) -> Response:
    """200 while the process serves, else 503; no key is asked for, as in gRPC."""
    check = channel.unary_unary(
        HEALTH_CHECK,
        health_pb2.HealthCheckRequest.SerializeToString,
        health_pb2.HealthCheckResponse.FromString,
    )
    try:
        answer = await check(health_pb2.HealthCheckRequest())
    except aio.AioRpcError as failed:
        return JSONResponse({"status": failed.code().name}, status_code=503)
    status = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    return JSONResponse({"status": status}, status_code=200 if status == "SERVING" else 503)


def _version() -> str:
    try:
        return version("anamnesis-suite")
    except PackageNotFoundError:  # services that are installed one by one
        return version("anamnesis-libs")
