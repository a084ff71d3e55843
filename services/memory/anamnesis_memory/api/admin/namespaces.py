"""AdminService: namespaces and their counts."""

from grpc import aio

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1 import namespace_pb2
from anamnesis_memory.api.convert.operator import from_namespace
from anamnesis_memory.api.convert.policy import PolicyChange, from_policy, to_policy_change
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.memories.policy import ChangePolicy
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.ports import Listing
from anamnesis_memory.ports.catalogue import Catalogue
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token

_WORK = {pb.WORK_CLUSTER: Work.CLUSTER}
DUE_MAX = 10_000


class NamespaceRpcs:
    """Serves namespaces; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, catalogue: Catalogue) -> None:
        self._calls = calls
        self._catalogue = catalogue

    async def CreateNamespace(
        self,
        request: pb.CreateNamespaceRequest,
        context: aio.ServicerContext[pb.CreateNamespaceRequest, pb.CreateNamespaceResponse],
    ) -> pb.CreateNamespaceResponse:
        """Make a namespace, with its policy where one is given."""
        change = to_policy_change(request.policy, [])
        namespace = await self._calls.namespaces.create(request.namespace)
        async with self._calls.reading(request.namespace) as opened:
            if request.HasField("policy"):
                await self._change_policy(opened, change)
            return pb.CreateNamespaceResponse(
                namespace=from_namespace(namespace, opened.store.revision, opened.policy)
            )

    async def UpdateNamespacePolicy(
        self,
        request: pb.UpdateNamespacePolicyRequest,
        context: aio.ServicerContext[
            pb.UpdateNamespacePolicyRequest, pb.UpdateNamespacePolicyResponse
        ],
    ) -> pb.UpdateNamespacePolicyResponse:
        """Change what the mask names."""
        change = to_policy_change(request.policy, list(request.update_mask.paths))
        async with self._calls.changing(request.namespace) as opened:
            await self._change_policy(opened, change)
            return pb.UpdateNamespacePolicyResponse(policy=from_policy(opened.policy))

    async def _change_policy(self, opened: OpenNamespace, change: PolicyChange) -> None:
        """Change the policy, and apply the new one at once to the namespace that is open here."""
        opened.policy, _ = await self._calls.apply(opened, ChangePolicy(change))

    async def GetNamespace(
        self,
        request: pb.GetNamespaceRequest,
        context: aio.ServicerContext[pb.GetNamespaceRequest, pb.GetNamespaceResponse],
    ) -> pb.GetNamespaceResponse:
        """Read one namespace."""
        async with self._calls.reading(request.namespace) as opened:
            return pb.GetNamespaceResponse(
                namespace=from_namespace(
                    opened.namespace, await opened.store.refresh(), opened.policy
                )
            )

    async def ListNamespaces(
        self,
        request: pb.ListNamespacesRequest,
        context: aio.ServicerContext[pb.ListNamespacesRequest, pb.ListNamespacesResponse],
    ) -> pb.ListNamespacesResponse:
        """List namespaces by name, opening none."""
        page = page_of(request, (str,))
        after = str(page.after[0]) if page.after else ""
        if request.due:
            listing = await self._due(_WORK[request.due], after, page.size)
        else:
            listing = await self._catalogue.list(after, page.size)
        last = listing.next_after
        return pb.ListNamespacesResponse(
            namespaces=[
                namespace_pb2.Namespace(
                    namespace=one.name,
                    incarnation=one.incarnation,
                    create_time=to_timestamp(one.create_time_us),
                )
                for one in listing.items
            ],
            next_page_token="" if last is None else page.next_token((last,)),
        )

    async def _due(self, work: Work, after: str, limit: int) -> Listing[Namespace]:
        """Namespaces where work may be ready now, by name."""
        due = await self._catalogue.due((work,), self._calls.now_us(), DUE_MAX)
        names = sorted(one.name for one in due if one.name > after)
        found = [await self._catalogue.get(name) for name in names[:limit]]
        next_after = names[limit - 1] if len(names) > limit else None
        return Listing([one for one in found if one is not None], next_after)

    async def GetStats(
        self,
        request: pb.GetStatsRequest,
        context: aio.ServicerContext[pb.GetStatsRequest, pb.GetStatsResponse],
    ) -> pb.GetStatsResponse:
        """Count what a namespace holds."""
        async with self._calls.reading(request.namespace) as opened:
            counts = await opened.store.counts()
            stats = namespace_pb2.NamespaceStats(
                memories_by_kind=counts.by_kind,
                memories_by_status=counts.by_status,
                memories_by_tier=counts.by_tier,
                memories=sum(counts.by_kind.values()),
                sessions=counts.sessions,
                events=counts.events,
                clusters=counts.topics,
                indexed_revision=revision_token(opened.namespace, opened.follower.watermark),
                indexed_memories=opened.index.size,
                vectors=opened.index.vector_count,
                pending_embeddings=counts.pending_embeddings,
                store_bytes=counts.store_bytes,
                index_bytes=opened.index.memory_bytes,
            )
            return pb.GetStatsResponse(stats=stats)
