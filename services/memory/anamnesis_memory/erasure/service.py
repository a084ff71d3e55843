"""The verbs of erasure: records first, then everything that is made of them, then the answer."""

from contextlib import suppress

from anamnesis_libs.errors import StoreDamaged
from anamnesis_libs.models.cache import CachedQueries
from anamnesis_memory.erasure.erase_subject import SubjectErasure
from anamnesis_memory.erasure.receipt import Receipt
from anamnesis_memory.erasure.truncate_session import Truncation
from anamnesis_memory.model.memory import Caller, Kind, Work
from anamnesis_memory.model.session import Session
from anamnesis_memory.ports.life import ErasureSubject
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.snapshots import Snapshots


class Eraser:
    """Erases subjects and namespaces with every trace of them."""

    def __init__(
        self,
        calls: Calls,
        snapshots: Snapshots,
        queries: CachedQueries,
    ) -> None:
        self._calls = calls
        self._snapshots = snapshots
        self._queries = queries

    async def subject(
        self,
        opened: OpenNamespace,
        subject: ErasureSubject,
        timeout_s: float,
        caller: Caller | None = None,
    ) -> Receipt:
        """Erase everything of a user, an agent or a session that is open; see `settle`.

        For a `caller` only what that caller may see; see `SubjectErasure`.

        Raises:
            DeadlineExceeded: the index did not follow in time; the records are gone.
        """
        erasure = SubjectErasure(opened.store, subject, caller)
        try:
            async with self._calls.work_due(opened, self._calls.lessons_due((Kind.LEARNING,))):
                await erasure.run()
        finally:
            self._calls.changed(opened)
        return await self._settled(opened, erasure.erasing.receipt, timeout_s)

    async def end_of_session(
        self,
        opened: OpenNamespace,
        truncation: Truncation,
        session: Session,
        first_index: int,
        timeout_s: float,
    ) -> tuple[Session, Receipt]:
        """Take back a session's events from an index on; see `Truncation` and `settle`.

        Raises:
            DeadlineExceeded: the index did not follow in time; the records are gone.
        """
        try:
            due = ((Work.SEGMENT, self._calls.now_us()), *self._calls.lessons_due((Kind.LEARNING,)))
            async with self._calls.work_due(opened, due):
                after = await truncation.run(session, first_index)
        finally:
            self._calls.changed(opened)
        return after, await self._settled(opened, truncation.erasing.receipt, timeout_s)

    async def _settled(self, opened: OpenNamespace, receipt: Receipt, timeout_s: float) -> Receipt:
        receipt.revision = receipt.revision or opened.store.revision
        await self.settle(opened, receipt, timeout_s)
        return receipt

    async def settle(self, opened: OpenNamespace, receipt: Receipt, timeout_s: float) -> None:
        """Take out of index, snapshots, caches and files what is gone from the records.

        Also where nothing was erased now: who broke off before may not have come so far.

        Raises:
            DeadlineExceeded: the index did not follow in time.
        """
        self._queries.clear()
        await opened.follower.wait_for_text(opened.store.revision, timeout_s)
        files = await opened.save_anew(self._snapshots, moved=not receipt.empty)
        files += await opened.store.scrub()
        receipt.files += 0 if receipt.empty else files

    async def _count(self, name: str, receipt: Receipt) -> None:
        """Note what a namespace holds."""
        async with self._calls.reading(name) as opened:
            counts = await opened.store.counts()
            receipt.index_entries = opened.index.size + opened.index.vector_count
            receipt.revision = opened.store.revision
        receipt.count(
            memories=sum(counts.by_kind.values()),
            events=counts.events,
            sessions=counts.sessions,
            topics=counts.topics,
        )

    async def namespace(self, name: str, incarnation: str) -> Receipt:
        """Take away a namespace with all its files; of a damaged one nothing can be counted.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
            FailedPrecondition: the namespace has another incarnation.
        """
        receipt = Receipt()
        with suppress(StoreDamaged):
            await self._count(name, receipt)
        receipt.files = await self._calls.namespaces.remove(name, incarnation)
        self._queries.clear()
        return receipt
