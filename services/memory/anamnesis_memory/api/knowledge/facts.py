"""KnowledgeService: facts over time."""

from collections.abc import Sequence
from dataclasses import replace

from grpc import aio

from anamnesis.memory.v1 import knowledge_service_pb2 as pb
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.errors.not_found import MemoryNotFound
from anamnesis_libs.paging import Page
from anamnesis_memory.api.convert.entity import from_group, to_named
from anamnesis_memory.api.convert.knowledge import (
    FACT_PLACE_FORM,
    from_asserted,
    from_known,
    from_place,
    from_retracted,
    to_asserted,
    to_place,
    to_visible,
)
from anamnesis_memory.api.convert.values import optional_micros, to_caller
from anamnesis_memory.api.creating import Creator
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.facts.key import folded
from anamnesis_memory.knowledge.assert_fact import lines_wanted
from anamnesis_memory.knowledge.finding import find_entity
from anamnesis_memory.knowledge.listing import KnownFact, list_known, subjects_named
from anamnesis_memory.knowledge.retracting import RetractFact
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.scopes import scopes_of
from anamnesis_memory.ports.knowledge import FactWhere
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token


class FactRpcs:
    """Serves facts; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, creator: Creator) -> None:
        self._calls = calls
        self._creator = creator

    async def AssertFact(
        self,
        request: pb.AssertFactRequest,
        context: aio.ServicerContext[pb.AssertFactRequest, pb.AssertFactResponse],
    ) -> pb.AssertFactResponse:
        """State a fact."""
        stated = to_asserted(request)
        async with self._calls.writing(request.namespace) as opened:
            memory = replace(
                stated,
                memory_id=new_id(self._calls.now_us()),
                visibility=to_visible(request, opened.policy),
            )
            said = {memory.memory_id: to_named(request.entities)}
            write = await self._creator.written(opened, [(memory, None)], said)
            return await self._calls.commit(
                opened,
                request,
                write,
                lambda made, revision: from_asserted(made[0], opened.namespace, revision),
                pb.AssertFactResponse,
            )

    async def RetractFact(
        self,
        request: pb.RetractFactRequest,
        context: aio.ServicerContext[pb.RetractFactRequest, pb.RetractFactResponse],
    ) -> pb.RetractFactResponse:
        """Take a fact back."""
        async with self._calls.changing(request.namespace) as opened:
            write = await _retraction(opened, request)
            return await self._calls.commit(
                opened,
                request,
                write,
                lambda done, revision: from_retracted(done, opened.namespace, revision),
                pb.RetractFactResponse,
            )

    async def ListFacts(
        self,
        request: pb.ListFactsRequest,
        context: aio.ServicerContext[pb.ListFactsRequest, pb.ListFactsResponse],
    ) -> pb.ListFactsResponse:
        """List facts, those of a time and as known at a time."""
        page = page_of(request, FACT_PLACE_FORM)
        as_of_us = optional_micros(request, "as_of")
        known_at_us = optional_micros(request, "known_at")
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            caller, asked = to_caller(request.caller), self._creator.asked
            revision = opened.store.revision
            where = FactWhere(
                subjects=await subjects_named(
                    opened.store,
                    (request.subject, await asked(opened, request.subject)),
                    scopes_of(caller),
                ),
                predicates=_predicates(request),
                object=folded(await asked(opened, request.object)),
                as_of_us=as_of_us,
                known_at_us=known_at_us,
            )
            facts, token = await _page(opened, where, caller, page)
            now_us = self._calls.now_us()
            return pb.ListFactsResponse(
                facts=[from_known(one, opened.namespace, now_us) for one in facts],
                next_page_token=token,
                revision=revision_token(opened.namespace, revision),
            )

    async def GetTimeline(
        self,
        request: pb.GetTimelineRequest,
        context: aio.ServicerContext[pb.GetTimelineRequest, pb.GetTimelineResponse],
    ) -> pb.GetTimelineResponse:
        """List the facts about an entity."""
        page = page_of(request, FACT_PLACE_FORM)
        known_at_us = optional_micros(request, "known_at")
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            caller = to_caller(request.caller)
            revision = opened.store.revision
            entity = await find_entity(
                opened.store,
                request.entity_id,
                await self._creator.asked(opened, request.name),
                EntityKind.UNKNOWN,
                scopes_of(caller),
            )
            where = FactWhere(entity_ids=entity.ids, known_at_us=known_at_us)
            facts, token = await _page(opened, where, caller, page)
            now_us = self._calls.now_us()
            return pb.GetTimelineResponse(
                entity=from_group(entity),
                facts=[from_known(one, opened.namespace, now_us) for one in facts],
                next_page_token=token,
                revision=revision_token(opened.namespace, revision),
            )


async def _retraction(opened: OpenNamespace, request: pb.RetractFactRequest) -> RetractFact:
    """The write that a request asks for: the line is that of the memory as it is now."""
    caller = to_caller(request.caller)
    found = await opened.store.memories([request.memory_id], caller)
    if not found:
        raise MemoryNotFound(request.memory_id)
    lines = lines_wanted(found, opened.policy.predicates)
    if not lines:
        raise invalid_field("memory_id", "is no fact with subject, predicate and object")
    return RetractFact(request.memory_id, caller, request.etag, lines[0], opened.policy.predicates)


def _predicates(request: pb.ListFactsRequest) -> tuple[str, ...]:
    named = filter(None, (request.predicate, *request.predicates))
    return tuple(folded(one) for one in named)


async def _page(
    opened: OpenNamespace, where: FactWhere, caller: Caller, page: Page
) -> tuple[Sequence[KnownFact], str]:
    """A page of facts, and the token of the next."""
    found = await list_known(
        opened.store, where, scopes_of(caller), to_place(page.after), page.size + 1
    )
    return page.take(found, from_place)
