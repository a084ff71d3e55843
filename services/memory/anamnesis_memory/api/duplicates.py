"""The part of LessonService that consolidation works with: what may be one, and what is decided."""

import asyncio
from dataclasses import dataclass

from grpc import aio

from anamnesis.memory.v1 import duplicate_pb2
from anamnesis.memory.v1 import lesson_service_pb2 as pb
from anamnesis_libs.errors import Conflict, RedactionBlocked, invalid_field
from anamnesis_libs.errors.not_found import CopyNotFound, MemoryNotFound
from anamnesis_memory.api.convert.enums import DUPLICATE_OUTCOME
from anamnesis_memory.api.convert.memory import from_memory
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.api.convert.work import lease_us, to_lease
from anamnesis_memory.dedup.merged_text import fault_of
from anamnesis_memory.memories.consolidation.finding import Duplicate, assessed, find_duplicates
from anamnesis_memory.memories.consolidation.settling import (
    DuplicateOutcome,
    Settled,
    SettleDuplicate,
)
from anamnesis_memory.memories.editing.update import Text
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Kind, Memory, Work
from anamnesis_memory.model.work import Lease
from anamnesis_memory.preparation.levels import summarise
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token


@dataclass(frozen=True, slots=True)
class _Asked:
    """A decision as it will be written: its outcome after the text was compared."""

    outcome: DuplicateOutcome
    reason: str
    text: Text | None


class DuplicateRpcs:
    """Serves consolidation; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, prepare: Preparer) -> None:
        self._calls = calls
        self._prepare = prepare

    async def ListDuplicates(
        self,
        request: pb.ListDuplicatesRequest,
        context: aio.ServicerContext[pb.ListDuplicatesRequest, pb.ListDuplicatesResponse],
    ) -> pb.ListDuplicatesResponse:
        """List what may be one at a page of lessons."""
        page = page_of(request, (int,))
        caller = None if request.all_visibilities else to_caller(request.caller)
        async with self._calls.reading(request.namespace) as opened:
            after = int(page.after[0]) if page.after else 0
            thresholds = opened.lessons.thresholds
            found = await find_duplicates(opened.store, thresholds, caller, after, page.size)
            last = found.next_after
            return pb.ListDuplicatesResponse(
                duplicates=[_from_duplicate(one, opened) for one in found.found],
                next_page_token="" if last is None else page.next_token((last,)),
                lessons=found.lessons,
            )

    async def SettleDuplicate(
        self,
        request: pb.SettleDuplicateRequest,
        context: aio.ServicerContext[pb.SettleDuplicateRequest, pb.SettleDuplicateResponse],
    ) -> pb.SettleDuplicateResponse:
        """Write what was decided of two lessons, once the text for both was compared."""
        lease = _lease(request)
        async with self._calls.changing(request.namespace) as opened:
            known, other = await _parts(opened, request)
            pair = Duplicate(known, other, 1.0, contribution=not request.other_etag)
            vectors = await opened.store.embeddings([known.memory_id, other.memory_id])
            pair = await asyncio.to_thread(assessed, pair, vectors, opened.lessons.thresholds)
            prepare = self._prepare.under(opened.policy.redaction)
            asked = await asyncio.to_thread(_asked, request, pair, prepare)
            if lease is None:
                return _answer(opened, Settled(pair.known, asked.outcome, asked.reason), 0)
            now_us = self._calls.now_us()
            write = SettleDuplicate(
                lease,
                lease_us(request.lease_seconds),
                request.known_id,
                request.known_etag,
                request.other_id,
                request.other_etag,
                asked.outcome,
                asked.reason,
                asked.text,
                new_id(now_us),
                request.model,
            )
            due = self._calls.lessons_due((Kind.LEARNING,) if asked.text else ())
            async with self._calls.work_due(opened, due):
                settled, revision = await self._calls.apply(opened, write)
            return _answer(opened, settled, revision)


def _lease(request: pb.SettleDuplicateRequest) -> Lease | None:
    """The claim that the decision is written under; None where nothing is written.

    Raises:
        InvalidArgument: there is none.
    """
    if request.validate_only:
        return None
    if not request.HasField("lease"):
        raise invalid_field("lease", "is required, unless validate_only is set")
    return to_lease(request.lease, kind=Work.MERGE)


async def _parts(
    opened: OpenNamespace, request: pb.SettleDuplicateRequest
) -> tuple[Memory, Memory]:
    """The two lessons, or the lesson and its contribution, as they were when it was decided.

    Raises:
        MemoryNotFound, CopyNotFound: one of the two is gone.
        Conflict: one of the two has another etag by now.
    """
    ids = [request.known_id, *([request.other_id] if request.other_etag else [])]
    found = {one.memory_id: one for one in await opened.store.memories(ids, None)}
    etags = {request.known_id: request.known_etag, request.other_id: request.other_etag}
    for memory_id in ids:
        if memory_id not in found:
            raise MemoryNotFound(memory_id)
        if found[memory_id].etag != etags[memory_id]:
            raise Conflict(
                f"memory {memory_id} has changed since it was decided; list duplicates again",
                metadata={"resource": "memory"},
            )
    known = found[request.known_id]
    if request.other_etag:
        return known, found[request.other_id]
    copies = await opened.store.copies_of(request.known_id)
    copy = next((one for one in copies if one.copy_id == request.other_id), None)
    if copy is None:
        raise CopyNotFound(request.other_id)
    return known, copy.memory


def _asked(request: pb.SettleDuplicateRequest, pair: Duplicate, prepare: Preparer) -> _Asked:
    """The decision, and what is wrong with its text: then it is a refusal.

    Without a text the known one's stands for both: they are merged as a write would have merged
    them, or it says all that the other does.
    """
    outcome = DUPLICATE_OUTCOME.from_pb(request.outcome)
    if outcome is not DuplicateOutcome.MERGED:
        return _Asked(outcome, prepare.asking(prepare.policy).clean(request.reason), None)
    parts = (pair.known.content, pair.other.content)
    try:
        content = prepare.clean(request.content) if request.content else ""
    except RedactionBlocked:
        return _Asked(DuplicateOutcome.REFUSED, "the policy refuses to keep the text", None)
    if content in ("", pair.known.content):
        fault = "" if pair.certain else fault_of(pair.known.content, *parts)
        text = None
    else:
        fault = fault_of(content, *parts)
        text = Text(content, *summarise(content, prepare.tokens))
    if fault:
        return _Asked(DuplicateOutcome.REFUSED, fault, None)
    return _Asked(outcome, "", text)


def _answer(opened: OpenNamespace, settled: Settled, revision: int) -> pb.SettleDuplicateResponse:
    return pb.SettleDuplicateResponse(
        outcome=DUPLICATE_OUTCOME.to_pb(settled.outcome),
        reason=settled.reason,
        memory=from_memory(settled.memory, opened.namespace),
        revision=revision_token(opened.namespace, revision) if revision else "",
    )


def _from_duplicate(one: Duplicate, opened: OpenNamespace) -> duplicate_pb2.Duplicate:
    return duplicate_pb2.Duplicate(
        known=from_memory(one.known, opened.namespace),
        other=from_memory(one.other, opened.namespace),
        contribution=one.contribution,
        similarity=one.similarity,
        certain=one.certain,
        tries=one.tries,
        reason=one.reason,
        blocked=one.blocked,
    )
