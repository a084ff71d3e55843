"""Calls to the server: opens the channel, and tells failures with their remedy.

Commands do without asyncio: grpc's asyncio client loses the status of a server that refuses an
upload half-way (https://github.com/grpc/grpc/issues/36066), and that status is what a person has
to read.

What only keys, TLS and failures need is imported where they are: a plain call starts without.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

import grpc
from grpc import aio

from anamnesis_cli.failures import WrongUsage, failure_of
from anamnesis_cli.target import Target
from anamnesis_libs import errors

Request = TypeVar("Request")
Response = TypeVar("Response")
Result = TypeVar("Result")

Work = Callable[[grpc.Channel], Result]

_OPTIONS = (
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
)


def run(target: Target, work: Work[Result]) -> Result:
    """The result of `work` on a channel to the server; its errors end the command."""
    try:
        with _channel(target) as channel:
            return work(channel)
    except grpc.RpcError as failed:
        raise failure_of(error_of(failed, target.server), target.server) from failed
    except errors.AnamnesisError as error:
        raise failure_of(error, target.server) from error


def error_of(failed: grpc.RpcError, server: str) -> errors.AnamnesisError:
    """The error that the server raised."""
    from anamnesis_libs.rpc.status import from_rpc_error

    trailing = failed.trailing_metadata() or ()
    return from_rpc_error(
        aio.AioRpcError(
            code=failed.code(),
            initial_metadata=aio.Metadata(),
            trailing_metadata=aio.Metadata(*((each.key, each.value) for each in trailing)),
            details=failed.details(),
        ),
        server,
    )


def _channel(target: Target) -> grpc.Channel:
    key = _key(target)
    channel = _open(target)
    return grpc.intercept_channel(channel, _Bearer(key)) if key else channel


def _open(target: Target) -> grpc.Channel:
    if target.tls_ca is None:
        return grpc.insecure_channel(target.server, options=_OPTIONS)
    from anamnesis_libs.rpc.tls import read_pem

    roots = read_pem(target.tls_ca, "--tls-ca")
    credentials = grpc.ssl_channel_credentials(root_certificates=roots)
    return grpc.secure_channel(target.server, credentials, options=_OPTIONS)


def _key(target: Target) -> str:
    if target.api_key_file is None:
        return ""
    from anamnesis_libs.rpc.admission.key_files import plain_key
    from anamnesis_libs.rpc.tls import is_loopback

    if target.tls_ca is None and not is_loopback(target.server):
        raise WrongUsage(
            f"the API key would go to {target.server} unencrypted", "speak TLS: --tls-ca FILE"
        )
    return plain_key(target.api_key_file, "--api-key-file")


class _Details(grpc.ClientCallDetails):
    """The details of a call, with a header more."""

    def __init__(self, details: grpc.ClientCallDetails, header: tuple[str, str]) -> None:
        self.method = details.method
        self.timeout = details.timeout
        self.metadata = (*(details.metadata or ()), header)
        self.credentials = details.credentials
        self.wait_for_ready = details.wait_for_ready
        self.compression = details.compression


class _Bearer(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
):
    """Shows the API key, on a plain connection to this machine too, where grpc's own way fails."""

    def __init__(self, key: str) -> None:
        self._header = ("authorization", f"Bearer {key}")

    def intercept_unary_unary(
        self,
        continuation: Callable[[grpc.ClientCallDetails, Request], Response],
        client_call_details: grpc.ClientCallDetails,
        request: Request,
    ) -> Response:
        """One request, one response."""
        return continuation(_Details(client_call_details, self._header), request)

    def intercept_unary_stream(
        self,
        continuation: Callable[[grpc.ClientCallDetails, Request], Response],
        client_call_details: grpc.ClientCallDetails,
        request: Request,
    ) -> Response:
        """One request, a stream of responses."""
        return continuation(_Details(client_call_details, self._header), request)

    def intercept_stream_unary(
        self,
        continuation: Callable[[grpc.ClientCallDetails, Iterator[Request]], Response],
        client_call_details: grpc.ClientCallDetails,
        request_iterator: Iterator[Request],
    ) -> Response:
        """A stream of requests, one response."""
        return continuation(_Details(client_call_details, self._header), request_iterator)
