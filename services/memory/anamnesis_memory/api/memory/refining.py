"""The part of MemoryService that refining works with: what is wanted of a model, and its words."""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from grpc import aio

from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis_libs.errors import RedactionBlocked, invalid_field
from anamnesis_libs.participants import only_user, several
from anamnesis_memory.api.convert.enums import VISIBILITY
from anamnesis_memory.api.convert.work import lease_us, to_lease
from anamnesis_memory.dedup.merged_text import fault_of_remark, fault_of_summary
from anamnesis_memory.dedup.semantic_diff import CHARS_MAX
from anamnesis_memory.memories.refining.finding import Unrefined, find_unrefined
from anamnesis_memory.memories.refining.recording import NewRefinement, RecordRefinements
from anamnesis_memory.model.memory import Memory, Work
from anamnesis_memory.model.memory_details import Episode
from anamnesis_memory.model.refining import PLACE_KEY, RefiningPlace, place_of
from anamnesis_memory.preparation.levels import OVERVIEW_TOKENS_MAX, SUMMARY_TOKENS_MAX
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.revisions import revision_token

LIMIT_DEFAULT = 50
_PLACE = re.compile(r"([0-9]{1,18})/(.{1,128})")


@dataclass(frozen=True, slots=True)
class _Compared:
    """The words of a model that are left, and how many levels were refused."""

    left: Sequence[NewRefinement]
    refused: int


class RefiningRpcs:
    """Serves refining; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, prepare: Preparer) -> None:
        self._calls = calls
        self._prepare = prepare

    async def ListUnrefined(
        self,
        request: pb.ListUnrefinedRequest,
        context: aio.ServicerContext[pb.ListUnrefinedRequest, pb.ListUnrefinedResponse],
    ) -> pb.ListUnrefinedResponse:
        """List the next memories that a model can improve."""
        async with self._calls.reading(request.namespace) as opened:
            place = place_of(await opened.store.document(PLACE_KEY))
            limit = request.limit or LIMIT_DEFAULT
            page = await find_unrefined(opened.store, place, opened.policy.unmined, limit)
            moved = page.through > place
            return pb.ListUnrefinedResponse(
                memories=map(_from_unrefined, page.found),
                through=f"{page.through.revision}/{page.through.memory_id}" if moved else "",
                more=page.more,
            )

    async def RecordRefinements(
        self,
        request: pb.RecordRefinementsRequest,
        context: aio.ServicerContext[pb.RecordRefinementsRequest, pb.RecordRefinementsResponse],
    ) -> pb.RecordRefinementsResponse:
        """Write what a model said of memories, once its words were compared with theirs."""
        lease = to_lease(request.lease, kind=Work.REFINE)
        through = _to_place(request.through)
        said = [_to_refinement(one) for one in request.refinements]
        if len({one.memory_id for one in said}) < len(said):
            raise invalid_field("refinements", "names a memory twice")
        async with self._calls.changing(request.namespace) as opened:
            prepare = self._prepare.under(opened.policy.redaction)
            ids = [one.memory_id for one in said]
            memories = {one.memory_id: one for one in await opened.store.memories(ids, None)}
            compared = await asyncio.to_thread(_compared, said, memories, prepare)
            held_us = lease_us(request.lease_seconds)
            write = RecordRefinements(lease, held_us, request.model, compared.left, through)
            recorded, revision = await self._calls.apply(opened, write)
            return pb.RecordRefinementsResponse(
                weighed=recorded.weighed,
                worded=recorded.worded,
                refused=compared.refused,
                changed=recorded.changed,
                revision=revision_token(opened.namespace, revision),
            )


def _from_unrefined(one: Unrefined) -> pb.UnrefinedMemory:
    memory = one.memory
    return pb.UnrefinedMemory(
        memory_id=memory.memory_id,
        etag=memory.etag,
        agent_id=memory.agent_id,
        user_id=only_user(memory.user_id),
        participants=several(memory.user_id),
        speaker=_speaker(memory),
        text=memory.content[:CHARS_MAX],
        importance=one.wanted.importance,
        levels=one.wanted.levels,
        visibility=VISIBILITY.to_pb(memory.visibility),
    )


def _speaker(memory: Memory) -> str:
    part = memory.part
    return part.name or part.role.value if isinstance(part, Episode) else ""


def _to_place(token: str) -> RefiningPlace | None:
    """The place that a token of ListUnrefined names; none where it is empty.

    Raises:
        InvalidArgument: it is no such token.
    """
    if not token:
        return None
    found = _PLACE.fullmatch(token)
    if found is None:
        raise invalid_field("through", "is not a place of ListUnrefined")
    return RefiningPlace(int(found[1]), found[2])


def _to_refinement(new: pb.NewRefinement) -> NewRefinement:
    return NewRefinement(
        new.memory_id,
        new.etag,
        new.importance if new.HasField("importance") else None,
        new.reason,
        new.summary,
        new.overview,
    )


def _compared(
    said: Iterable[NewRefinement], memories: Mapping[str, Memory], prepare: Preparer
) -> _Compared:
    """The words of a model, cleaned, without the levels that their text does not bear.

    What nothing is left of is left out; a memory that is gone or has changed is for the write to
    tell.
    """
    left, refused = [], 0
    for one in said:
        memory = memories.get(one.memory_id)
        if memory is None or memory.etag != one.etag:
            left.append(one)
            continue
        summary = _level(one.summary, memory, SUMMARY_TOKENS_MAX, prepare)
        overview = _level(one.overview, memory, OVERVIEW_TOKENS_MAX, prepare)
        refused += bool(one.summary and not summary) + bool(one.overview and not overview)
        reason = _reason(one.reason, memory, prepare)
        if one.importance is not None or summary or overview:
            left.append(replace(one, reason=reason, summary=summary, overview=overview))
    return _Compared(left, refused)


def _reason(told: str, memory: Memory, prepare: Preparer) -> str:
    """The reason as it will be kept; empty where it names what the text of the memory does not.

    What else the model was shown beside the text is not to be told with it.
    """
    reason = prepare.asking(prepare.policy).clean(told)
    return "" if fault_of_remark(reason, _evidence(memory)) else reason


def _evidence(memory: Memory) -> str:
    """The text as a model is shown it, with who says it."""
    return f"{_speaker(memory)}: {memory.content}"[:CHARS_MAX]


def _level(told: str, memory: Memory, tokens_max: int, prepare: Preparer) -> str:
    """One level as it will be kept; empty where the text of the memory does not bear it."""
    if not told:
        return ""
    try:
        level = prepare.tokens.truncate(prepare.clean(told), tokens_max)
    except RedactionBlocked:
        return ""
    return "" if fault_of_summary(level, _evidence(memory)) else level
