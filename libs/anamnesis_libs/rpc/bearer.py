"""The API key on outgoing calls, whether the channel is encrypted or not.

gRPC's own call credentials refuse plain channels, which loopback and unix sockets are.
"""

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from typing import TypeVar

from grpc import aio

Request = TypeVar("Request")
Response = TypeVar("Response")
Call = TypeVar("Call")
Requests = AsyncIterable[Request] | Iterable[Request]
Proceed = Callable[[aio.ClientCallDetails, Request], Awaitable[Call]]
ProceedAll = Callable[[aio.ClientCallDetails, Requests[Request]], Awaitable[Call]]


def bearer(key: str) -> list[aio.ClientInterceptor]:
    """Adds `authorization: Bearer KEY` to every call of a channel.

    One interceptor an arity: a channel takes an object for the first arity it serves only.
    """
    header = ("authorization", f"Bearer {key}")
    return [_OneOne(header), _OneMany(header), _ManyOne(header), _ManyMany(header)]


class _Keyed:
    def __init__(self, header: tuple[str, str]) -> None:
        self._header = header

    def keyed(self, details: aio.ClientCallDetails) -> aio.ClientCallDetails:
        """The call with the key among its metadata."""
        metadata = aio.Metadata(*(details.metadata or ()), self._header)
        return aio.ClientCallDetails(
            details.method,
            details.timeout,
            metadata,
            details.credentials,
            details.wait_for_ready,
        )


class _OneOne(_Keyed, aio.UnaryUnaryClientInterceptor):
    async def intercept_unary_unary(
        self,
        continuation: Proceed[Request, aio.UnaryUnaryCall[Request, Response]],
        client_call_details: aio.ClientCallDetails,
        request: Request,
    ) -> aio.UnaryUnaryCall[Request, Response]:
        return await continuation(self.keyed(client_call_details), request)


class _OneMany(_Keyed, aio.UnaryStreamClientInterceptor):
    async def intercept_unary_stream(
        self,
        continuation: Proceed[Request, aio.UnaryStreamCall[Request, Response]],
        client_call_details: aio.ClientCallDetails,
        request: Request,
    ) -> aio.UnaryStreamCall[Request, Response]:
        return await continuation(self.keyed(client_call_details), request)


class _ManyOne(_Keyed, aio.StreamUnaryClientInterceptor):
    async def intercept_stream_unary(
        self,
        continuation: ProceedAll[Request, aio.StreamUnaryCall[Request, Response]],
        client_call_details: aio.ClientCallDetails,
        request_iterator: Requests[Request],
    ) -> aio.StreamUnaryCall[Request, Response]:
        return await continuation(self.keyed(client_call_details), request_iterator)


class _ManyMany(_Keyed, aio.StreamStreamClientInterceptor):
    async def intercept_stream_stream(
        self,
        continuation: ProceedAll[Request, aio.StreamStreamCall[Request, Response]],
        client_call_details: aio.ClientCallDetails,
        request_iterator: Requests[Request],
    ) -> aio.StreamStreamCall[Request, Response]:
        return await continuation(self.keyed(client_call_details), request_iterator)
