"""A channel to another service, and the way to call it.

A channel balances over the addresses its name resolves to, call by call or by the namespace that a
call is about, retries what is UNAVAILABLE (and nothing else), keeps itself alive and shows the API
key. `call` and `receive` put a deadline on
a call and raise our errors, so that nobody above handles gRPC's.
"""

import json
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Mapping
from typing import Protocol, TypeVar

import grpc
from grpc import aio

from anamnesis_libs.environment import place_by_header
from anamnesis_libs.errors import AnamnesisError, KeyNotEntitled, PeerUnavailable, Unauthenticated
from anamnesis_libs.rpc.outgoing import NAMESPACE, bearer, namespaced
from anamnesis_libs.rpc.status import METADATA_BYTES_MAX, from_rpc_error

Request = TypeVar("Request", contravariant=True)
Response = TypeVar("Response", covariant=True)

_RETRY_POLICY = {
    "maxAttempts": 4,
    "initialBackoff": "0.1s",
    "maxBackoff": "2s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE"],
}
_BY_CALL: dict[str, dict[str, str]] = {"round_robin": {}}
_BY_NAMESPACE = {"ring_hash_experimental": {"requestHashHeader": NAMESPACE}}
"""A ring of hashes over the addresses (gRFC A76): as one comes or goes, few namespaces move."""


class Answers(Protocol[Request, Response]):
    """An rpc of a stub that gives one response, to one request or to a stream of them."""

    def __call__(self, request: Request, /, *, timeout: float | None) -> Awaitable[Response]:
        """Starts the call."""
        ...


class StreamCall(AsyncIterable[Response], Protocol[Response]):
    """A running call that gives responses."""

    def cancel(self) -> bool:
        """Ends it; False where it has ended."""
        ...


class Streams(Protocol[Request, Response]):
    """An rpc of a stub that gives a stream of responses."""

    def __call__(self, request: Request, /, *, timeout: float | None) -> StreamCall[Response]:
        """Starts the call."""
        ...


def connect(
    address: str,
    *,
    message_bytes_max: int,
    credentials: grpc.ChannelCredentials | None = None,
    key: str = "",
    by_namespace: bool = False,
) -> aio.Channel:
    """A channel to `host:port`, `unix:path` or several `ip:port` with commas between.

    Plain without credentials, keyless without key.
    `by_namespace` sends what is about one namespace to one of the addresses, as long as it answers.
    """
    target = _target(address)
    if by_namespace:
        place_by_header()
    interceptors = [*(bearer(key) if key else []), *(namespaced() if by_namespace else [])]
    options = _options(message_bytes_max, _BY_NAMESPACE if by_namespace else _BY_CALL)
    if credentials is None:
        return aio.insecure_channel(target, options=options, interceptors=interceptors)
    return aio.secure_channel(target, credentials, options=options, interceptors=interceptors)


def _target(address: str) -> str:
    """The address with the scheme by which gRPC reads it."""
    if ":///" in address or address.startswith("unix:"):
        return address
    if "," in address:
        return f"ipv{6 if '[' in address else 4}:///{address}"
    return f"dns:///{address}"


async def call(
    rpc: Answers[Request, Response], request: Request, *, timeout_s: float, peer: str = "memory"
) -> Response:
    """The answer of a peer within the time, or the error it raised."""
    try:
        return await rpc(request, timeout=timeout_s)
    except aio.AioRpcError as failed:
        raise _raised(failed, peer) from failed


async def receive(
    rpc: Streams[Request, Response],
    request: Request,
    *,
    timeout_s: float | None,
    peer: str = "memory",
) -> AsyncIterator[Response]:
    """The stream of a peer, ended by the error it raised; without a time it may stay open.

    Whoever stops reading ends the call, at once and not when it is collected as garbage.
    """
    running = rpc(request, timeout=timeout_s)
    try:
        async for response in running:
            yield response
    except aio.AioRpcError as failed:
        raise _raised(failed, peer) from failed
    finally:
        running.cancel()


def remaining_s(context: aio.ServicerContext[Request, Response], default_s: float) -> float:
    """The time a servicer may give a peer: what its own caller has left, else the default."""
    left_s: float | None = context.time_remaining()
    return default_s if left_s is None else max(0.0, left_s)


def _raised(failed: aio.AioRpcError, peer: str) -> AnamnesisError:
    """A peer that refuses our key is a fault of this installation, not of our caller."""
    error = from_rpc_error(failed, peer)
    if isinstance(error, Unauthenticated | KeyNotEntitled):
        return PeerUnavailable(
            f"{peer} refuses this service's API key; set peers.api_key_file to one it accepts",
            metadata={"peer": peer},
        )
    return error


def _options(
    message_bytes_max: int, balancing: Mapping[str, Mapping[str, str]]
) -> list[tuple[str, int | str]]:
    service_config = {
        "loadBalancingConfig": [balancing],
        "methodConfig": [{"name": [{}], "retryPolicy": _RETRY_POLICY}],
    }
    return [
        ("grpc.service_config", json.dumps(service_config)),
        ("grpc.max_receive_message_length", message_bytes_max),
        ("grpc.max_send_message_length", message_bytes_max),
        ("grpc.max_metadata_size", METADATA_BYTES_MAX),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.max_pings_without_data", 0),
        # a peer that was away for long is noticed soon after its return; the default is 120 s
        ("grpc.max_reconnect_backoff_ms", 5_000),
    ]
