"""Metadata on outgoing calls: the API key, and the namespace that a call is about.

gRPC's own call credentials refuse plain channels, which loopback and unix sockets are, so the key
goes this way on every channel.
"""

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from typing import TypeVar

from grpc import aio

NAMESPACE = "anamnesis-namespace"
"""Names the namespace of a call, in its metadata."""

Request = TypeVar("Request")
Response = TypeVar("Response")
Call = TypeVar("Call")
Requests = AsyncIterable[Request] | Iterable[Request]
Proceed = Callable[[aio.ClientCallDetails, Request], Awaitable[Call]]
ProceedAll = Callable[[aio.ClientCallDetails, Requests[Request]], Awaitable[Call]]
Told = Callable[[object], tuple[str, str] | None]
"""The metadata that a request is sent with; a stream of requests is asked for as None."""


def bearer(key: str) -> list[aio.ClientInterceptor]:
    """Adds `authorization: Bearer KEY` to every call of a channel."""
    header = ("authorization", f"Bearer {key}")
    return _adding(lambda _: header)


def namespaced() -> list[aio.ClientInterceptor]:
    """Adds the namespace of its request to every call that has one request."""
    return _adding(_namespace_of)


def _namespace_of(request: object) -> tuple[str, str] | None:
    named = getattr(request, "namespace", "")
    fits = isinstance(named, str) and named.isascii() and named.isprintable()
    return (NAMESPACE, named) if named and fits else None


def _adding(told: Told) -> list[aio.ClientInterceptor]:
    """One interceptor an arity: a channel takes an object for the first arity it serves only."""
    return [_OneOne(told), _OneMany(told), _ManyOne(told), _ManyMany(told)]


class _Adding:
    def __init__(self, told: Told) -> None:
        self._told = told

    def told(self, details: aio.ClientCallDetails, request: object) -> aio.ClientCallDetails:
        """The call with what is told of it among its metadata."""
        header = self._told(request)
        if header is None:
            return details
        metadata = aio.Metadata(*(details.metadata or ()), header)
        return aio.ClientCallDetails(
            details.method,
            details.timeout,
            metadata,
            details.credentials,
            details.wait_for_ready,
        )


class _OneOne(_Adding, aio.UnaryUnaryClientInterceptor):
    async def intercept_unary_unary(
        self,
        continuation: Proceed[Request, aio.UnaryUnaryCall[Request, Response]],
        client_call_details: aio.ClientCallDetails,
        request: Request,
    ) -> aio.UnaryUnaryCall[Request, Response]:
        return await continuation(self.told(client_call_details, request), request)


class _OneMany(_Adding, aio.UnaryStreamClientInterceptor):
    async def intercept_unary_stream(
        self,
        continuation: Proceed[Request, aio.UnaryStreamCall[Request, Response]],
        client_call_details: aio.ClientCallDetails,
        request: Request,
    ) -> aio.UnaryStreamCall[Request, Response]:
        return await continuation(self.told(client_call_details, request), request)


class _ManyOne(_Adding, aio.StreamUnaryClientInterceptor):
    async def intercept_stream_unary(
        self,
        continuation: ProceedAll[Request, aio.StreamUnaryCall[Request, Response]],
        client_call_details: aio.ClientCallDetails,
        request_iterator: Requests[Request],
    ) -> aio.StreamUnaryCall[Request, Response]:
        return await continuation(self.told(client_call_details, None), request_iterator)


class _ManyMany(_Adding, aio.StreamStreamClientInterceptor):
    async def intercept_stream_stream(
        self,
        continuation: ProceedAll[Request, aio.StreamStreamCall[Request, Response]],
        client_call_details: aio.ClientCallDetails,
        request_iterator: Requests[Request],
    ) -> aio.StreamStreamCall[Request, Response]:
        return await continuation(self.told(client_call_details, None), request_iterator)
