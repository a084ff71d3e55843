"""What every rpc of the memory service does around its own work.

Holds the namespace open, reads revision tokens, turns a write into a commit with
its remembered answer, and tells those who wait for changes.
"""

import hashlib
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol, TypeVar

from google.protobuf.message import Message

from libs.clock import Clock, micros
from services.memory.model import Kind, Work
from services.memory.open_namespaces import OpenNamespace, OpenNamespaces
from services.memory.port_catalogue import Catalogue
from services.memory.ports import Remember, RequestKey, Write
from services.memory.revisions import asked_revision, read_revision

R = TypeVar("R")
A = TypeVar("A", bound=Message)


class Mutation(Protocol):
    """A request that may be sent twice."""

    request_id: str

    def SerializeToString(self, *, deterministic: bool = ...) -> bytes:  # noqa: N802
        """The request as bytes."""
        ...


class Calls:
    """Shared by the servicers of the memory service."""

    def __init__(
        self,
        namespaces: OpenNamespaces,
        catalogue: Catalogue,
        clock: Clock,
        changed: Callable[[OpenNamespace], None],
    ) -> None:
        self.namespaces = namespaces
        self._catalogue = catalogue
        self._clock = clock
        self.changed = changed

    def now_us(self) -> int:
        """The server's time."""
        return micros(self._clock.now())

    def reading(self, name: str) -> AbstractAsyncContextManager[OpenNamespace]:
        """Hold a namespace open for a read."""
        return self.namespaces.reading(name)

    @asynccontextmanager
    async def writing(self, name: str) -> AsyncIterator[OpenNamespace]:
        """Hold a namespace open for a write, and tell its followers afterwards."""
        async with self.namespaces.writing(name) as opened:
            yield opened
            self.changed(opened)

    @asynccontextmanager
    async def cluster_due(
        self, opened: OpenNamespace, kinds: Iterable[Kind]
    ) -> AsyncIterator[None]:
        """Note around a commit that lessons came in.

        Before it, so that a crash after it forgets nothing, and after it, in case the
        note was taken away in between.
        """
        if Kind.LEARNING not in kinds:
            yield
            return
        await self._catalogue.set_due(opened.namespace.name, Work.CLUSTER, due=True)
        try:
            yield
        finally:
            await self._catalogue.set_due(opened.namespace.name, Work.CLUSTER, due=True)

    async def check_revision(
        self, opened: OpenNamespace, token: str, field: str = "at_least_revision"
    ) -> int:
        """The revision a read asks for; the store has it, or the token is refused.

        One that is not known here may have been given by another replica.
        """
        reached = opened.store.revision
        asked = asked_revision(opened.namespace, token, field)
        if asked > reached:
            reached = await opened.store.refresh(asked)
            self.changed(opened)
        return read_revision(opened.namespace, token, reached, field)

    async def commit(
        self,
        opened: OpenNamespace,
        request: Mutation,
        write: Write[R],
        answer: Callable[[R, int], A],
        response: type[A],
    ) -> A:
        """Commit a write and answer it; a request that was seen gets its first answer."""
        remember: Remember[R] | None = None
        if request.request_id:
            digest = hashlib.sha256(request.SerializeToString(deterministic=True)).digest()
            remember = Remember(
                RequestKey(response.DESCRIPTOR.full_name, request.request_id, digest),
                lambda result, revision: answer(result, revision).SerializeToString(),
            )
        committed = await opened.store.commit(write, remember)
        if committed.replayed is not None:
            return response.FromString(committed.replayed)
        return answer(committed.result, committed.revision)  # type: ignore[arg-type]


Q = TypeVar("Q", bound=Message)


def page_query(request: Q) -> bytes:
    """What a list depends on: its name, and the request without its place in the pages."""
    query = type(request)()
    query.CopyFrom(request)
    for field in {"page_size", "page_token", "at_least_revision"} & set(
        request.DESCRIPTOR.fields_by_name
    ):
        query.ClearField(field)
    return request.DESCRIPTOR.full_name.encode() + query.SerializeToString(deterministic=True)
