"""The frame of every rpc of the memory service, around its own work.

Holds the namespace open, reads revision tokens, turns a write into a commit with
its remembered answer, and tells those who wait for changes.
"""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar, cast

from google.protobuf.message import Message

from anamnesis_libs.clock import Clock, micros
from anamnesis_libs.errors import StoreFull
from anamnesis_libs.paging import Form, Page, read_page
from anamnesis_memory.model.memory import Kind, Namespace, Work
from anamnesis_memory.model.sleep_runs import OF_LESSONS
from anamnesis_memory.model.usage import HOUR_US
from anamnesis_memory.ports import IdempotentAnswer, RequestKey, Write
from anamnesis_memory.ports.catalogue import Catalogue
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.open_namespaces import OpenNamespaces
from anamnesis_memory.runtime.revisions import asked_revision, read_revision

R = TypeVar("R")
A = TypeVar("A", bound=Message)


class Mutation(Protocol):
    """A request that may be sent twice."""

    request_id: str

    def SerializeToString(self, *, deterministic: bool = ...) -> bytes:  # noqa: N802
        """The request as bytes."""
        ...


async def untouched(_: Namespace) -> None:
    """The hook before a commit that does nothing."""


async def nothing_expires(_calls: "Calls", _opened: OpenNamespace) -> None:
    """The hook before a call that erases nothing."""


class Calls:
    """Shared by the servicers of the memory service."""

    def __init__(
        self,
        namespaces: OpenNamespaces,
        catalogue: Catalogue,
        clock: Clock,
        changed: Callable[[OpenNamespace], None],
        touched: Callable[[Namespace], Awaitable[None]] = untouched,
        expire: Callable[["Calls", OpenNamespace], Awaitable[None]] = nothing_expires,
        merge_after_us: int = HOUR_US,
    ) -> None:
        """`touched` is called before a write; `expire`, before any call, erases what has expired.

        So no read and no decision ever sees a memory whose time is over. Lessons that come in are
        consolidated after `merge_after_us`.
        """
        self._merge_after_us = merge_after_us
        self.namespaces = namespaces
        self._catalogue = catalogue
        self.clock = clock
        self.changed = changed
        self.touched = touched
        self._expire = expire

    def now_us(self) -> int:
        """The server's time."""
        return micros(self.clock.now())

    @asynccontextmanager
    async def reading(self, name: str) -> AsyncIterator[OpenNamespace]:
        """Hold a namespace open for a read."""
        async with self.namespaces.reading(name) as opened:
            await self.expire(opened)
            yield opened

    async def expire(self, opened: OpenNamespace) -> None:
        """Erase what has expired in a namespace that is held open."""
        await self._expire(self, opened)

    @asynccontextmanager
    async def writing(self, name: str) -> AsyncIterator[OpenNamespace]:
        """Hold a namespace open for a write, and tell its followers afterwards."""
        async with self.namespaces.writing(name) as opened:
            await self.expire(opened)
            await self.touched(opened.namespace)
            yield opened
            self.changed(opened)

    @asynccontextmanager
    async def changing(self, name: str) -> AsyncIterator[OpenNamespace]:
        """Hold a namespace that is there open for a write, and tell its followers afterwards."""
        async with self.reading(name) as opened:
            await self.touched(opened.namespace)
            yield opened
            self.changed(opened)

    async def deleting(self, work: Callable[[], Awaitable[R]]) -> R:
        """Run a deletion; on a full disk, again with the room that is set aside for deletions.

        Raises:
            StoreFull: there is no room, and none set aside.
        """
        try:
            return await work()
        except StoreFull:
            if not await self.namespaces.make_room():
                raise
        return await work()

    def check_model(self, opened: OpenNamespace) -> None:
        """Refuse to mix vectors of two models, unless that is being mended.

        Raises:
            EmbeddingModelMismatch: the namespace is bound to another model.
        """
        if not opened.reembedding:
            self.namespaces.check_model(opened.namespace)

    @asynccontextmanager
    async def work_due(
        self, opened: OpenNamespace, due: Sequence[tuple[Work, int]]
    ) -> AsyncIterator[None]:
        """Note before and after a commit that it makes work due, each kind from a time on.

        Because of the note before, a crash after the commit forgets nothing; the note after is for
        the case that the first was taken away in between. A time that is too early costs a look.
        """
        await self._note(opened.namespace.name, due)
        try:
            yield
        finally:
            await self._note(opened.namespace.name, due)

    def lessons_due(self, kinds: Iterable[Kind]) -> Sequence[tuple[Work, int]]:
        """The work that becomes due when memories of these kinds come in."""
        if Kind.LEARNING not in kinds:
            return ()
        now_us = self.now_us()
        later_us = now_us + self._merge_after_us
        return ((Work.CLUSTER, now_us), *((work, later_us) for work in OF_LESSONS))

    async def wake(self, opened: OpenNamespace) -> None:
        """Make the phases that lessons make due run now: somebody comes back to what they left.

        A crash may forget it; they are due an hour after a lesson all the same.
        """
        await self._note(opened.namespace.name, [(work, self.now_us()) for work in OF_LESSONS])

    async def _note(self, name: str, due: Sequence[tuple[Work, int]]) -> None:
        for work, at_us in due:
            await self._catalogue.set_due(name, work, at_us)

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

    async def apply(self, opened: OpenNamespace, write: Write[R]) -> tuple[R, int]:
        """Commit a write whose answer is not kept: its result, and the revision."""
        committed = await opened.store.commit(write)
        return committed.result, committed.revision  # type: ignore[return-value]

    async def commit(
        self,
        opened: OpenNamespace,
        request: Mutation,
        write: Write[R],
        answer: Callable[[R, int], A],
        response: type[A],
        *,
        tells_memories: bool = True,
    ) -> A:
        """Commit a write and answer it; a request that was seen gets its first answer.

        Where the answer tells nothing of the memories that are put, it outlives them.
        """
        remember: IdempotentAnswer[R] | None = None
        if request.request_id:
            digest = hashlib.sha256(request.SerializeToString(deterministic=True)).digest()
            remember = IdempotentAnswer(
                RequestKey(response.DESCRIPTOR.full_name, request.request_id, digest),
                lambda result, revision: answer(result, revision).SerializeToString(),
                tells_memories,
            )
        committed = await opened.store.commit(write, remember)
        if committed.replayed is not None:
            return response.FromString(committed.replayed)
        return answer(committed.result, committed.revision)  # type: ignore[arg-type]


Q = TypeVar("Q", bound=Message)


class _Paged(Protocol):
    """A request for a page of a list."""

    page_size: int
    page_token: str


def page_of(request: Q, *forms: Form) -> Page:
    """The page that a request of a list asks for, whose sort keys have one of these forms."""
    asked = cast(_Paged, request)
    return read_page(asked.page_size, asked.page_token, page_query(request), *forms)


def page_query(request: Q) -> bytes:
    """The query that a list depends on: its name, and the request without its place in pages."""
    query = type(request)()
    query.CopyFrom(request)
    for field in {"page_size", "page_token", "at_least_revision"} & set(
        request.DESCRIPTOR.fields_by_name
    ):
        query.ClearField(field)
    return request.DESCRIPTOR.full_name.encode() + query.SerializeToString(deterministic=True)
