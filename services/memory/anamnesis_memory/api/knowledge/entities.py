"""KnowledgeService: entities, and which of them are one."""

from grpc import aio

from anamnesis.memory.v1 import entity_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as pb
from anamnesis_memory.api.convert.entity import from_group
from anamnesis_memory.api.convert.enums import ENTITY_KIND
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.api.creating import Creator
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.knowledge.finding import find_entity, groups_of, list_groups
from anamnesis_memory.knowledge.merging_entities import MergeEntities, SplitEntity
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.scopes import scopes_of
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token


class EntityRpcs:
    """Serves entities; see the proto for what each rpc promises.

    Answers that are kept for a request that is sent again name entities by their ids alone, and get
    their names when they are given: so no name outlives the memories that it comes from.
    """

    def __init__(self, calls: Calls, creator: Creator) -> None:
        self._calls = calls
        self._creator = creator

    async def GetEntity(
        self,
        request: pb.GetEntityRequest,
        context: aio.ServicerContext[pb.GetEntityRequest, pb.GetEntityResponse],
    ) -> pb.GetEntityResponse:
        """Read one entity."""
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            revision = opened.store.revision
            found = await find_entity(
                opened.store,
                request.entity_id,
                await self._creator.asked(opened, request.name),
                ENTITY_KIND.from_pb(request.kind),
                scopes_of(to_caller(request.caller)),
            )
            return pb.GetEntityResponse(
                entity=from_group(found), revision=revision_token(opened.namespace, revision)
            )

    async def ListEntities(
        self,
        request: pb.ListEntitiesRequest,
        context: aio.ServicerContext[pb.ListEntitiesRequest, pb.ListEntitiesResponse],
    ) -> pb.ListEntitiesResponse:
        """List entities by id."""
        page = page_of(request, (str,))
        after = str(page.after[0]) if page.after else ""
        kind = ENTITY_KIND.from_pb(request.kind)
        scopes = scopes_of(to_caller(request.caller))
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            revision = opened.store.revision
            wanted = None if kind is EntityKind.UNKNOWN else kind
            found = await list_groups(opened.store, wanted, scopes, after, page.size + 1)
            listed, token = page.take(found, lambda one: (one[0],))
            return pb.ListEntitiesResponse(
                entities=[from_group(group) for _, group in listed],
                next_page_token=token,
                revision=revision_token(opened.namespace, revision),
            )

    async def MergeEntities(
        self,
        request: pb.MergeEntitiesRequest,
        context: aio.ServicerContext[pb.MergeEntitiesRequest, pb.MergeEntitiesResponse],
    ) -> pb.MergeEntitiesResponse:
        """Make several entities one."""
        caller = to_caller(request.caller)
        async with self._calls.changing(request.namespace) as opened:
            answer = await self._calls.commit(
                opened,
                request,
                MergeEntities(request.entity_id, tuple(request.merged_ids), caller),
                lambda whole_id, revision: pb.MergeEntitiesResponse(
                    entity=entity_pb2.Entity(entity_id=whole_id),
                    revision=revision_token(opened.namespace, revision),
                ),
                pb.MergeEntitiesResponse,
            )
            await _fill(opened, caller, answer.entity)
            return answer

    async def SplitEntity(
        self,
        request: pb.SplitEntityRequest,
        context: aio.ServicerContext[pb.SplitEntityRequest, pb.SplitEntityResponse],
    ) -> pb.SplitEntityResponse:
        """Undo a merge."""
        caller = to_caller(request.caller)
        async with self._calls.changing(request.namespace) as opened:
            answer = await self._calls.commit(
                opened,
                request,
                SplitEntity(request.entity_id, caller),
                lambda whole_id, revision: pb.SplitEntityResponse(
                    entity=entity_pb2.Entity(entity_id=request.entity_id),
                    remaining=entity_pb2.Entity(entity_id=whole_id),
                    revision=revision_token(opened.namespace, revision),
                ),
                pb.SplitEntityResponse,
            )
            await _fill(opened, caller, answer.entity)
            await _fill(opened, caller, answer.remaining)
            return answer


async def _fill(opened: OpenNamespace, caller: Caller, entity: entity_pb2.Entity) -> None:
    """Say of an entity what the caller may know now; where it is gone, its id stays alone."""
    for group in await groups_of(opened.store, [entity.entity_id], scopes_of(caller)):
        entity.CopyFrom(from_group(group))
