"""KnowledgeService: the graph of memories and entities, on top of facts and entities."""

from grpc import aio

from anamnesis.memory.v1 import knowledge_service_pb2 as pb
from anamnesis_memory.api.convert.graph import (
    from_edge,
    from_neighbourhood,
    to_bounds,
    to_edge_type,
    to_way,
)
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.knowledge.graph.around import around
from anamnesis_memory.knowledge.graph.linking import CreateEdge, DeleteEdge
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.revisions import revision_token


class GraphRpcs:
    """Serves knowledge; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def Traverse(
        self,
        request: pb.TraverseRequest,
        context: aio.ServicerContext[pb.TraverseRequest, pb.TraverseResponse],
    ) -> pb.TraverseResponse:
        """Walk the graph, best path first."""
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            token = revision_token(opened.namespace, opened.store.revision)
            found = await around(
                opened.store,
                request.start_ids,
                to_caller(request.caller),
                to_way(request),
                to_bounds(request),
                self._calls.clock,
            )
            return from_neighbourhood(found, opened.namespace, token, self._calls.now_us())

    async def CreateEdge(
        self,
        request: pb.CreateEdgeRequest,
        context: aio.ServicerContext[pb.CreateEdgeRequest, pb.CreateEdgeResponse],
    ) -> pb.CreateEdgeResponse:
        """Put an edge between two memories."""
        async with self._calls.changing(request.namespace) as opened:
            write = CreateEdge(
                request.source_id,
                request.target_id,
                to_edge_type(request.type),
                to_caller(request.caller),
                request.weight if request.HasField("weight") else 1.0,
            )
            return await self._calls.commit(
                opened,
                request,
                write,
                lambda edge, revision: pb.CreateEdgeResponse(
                    edge=from_edge(edge), revision=revision_token(opened.namespace, revision)
                ),
                pb.CreateEdgeResponse,
            )

    async def DeleteEdge(
        self,
        request: pb.DeleteEdgeRequest,
        context: aio.ServicerContext[pb.DeleteEdgeRequest, pb.DeleteEdgeResponse],
    ) -> pb.DeleteEdgeResponse:
        """Remove an edge."""
        async with self._calls.changing(request.namespace) as opened:
            write = DeleteEdge(
                request.source_id,
                request.target_id,
                to_edge_type(request.type),
                to_caller(request.caller),
            )
            return await self._calls.commit(
                opened,
                request,
                write,
                lambda _, revision: pb.DeleteEdgeResponse(
                    revision=revision_token(opened.namespace, revision)
                ),
                pb.DeleteEdgeResponse,
            )
