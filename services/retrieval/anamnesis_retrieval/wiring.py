"""Puts the retrieval service together."""

from collections.abc import Sequence

from grpc import aio

from anamnesis.retrieval.v1 import retrieval_service_pb2, retrieval_service_pb2_grpc
from anamnesis_libs.rpc.accounts import MemoryAccounts
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.run.module import ServiceContext
from anamnesis_retrieval.reranking.configured import ConfiguredReranker
from anamnesis_retrieval.servicer import RetrievalServicer

SERVICE = retrieval_service_pb2.DESCRIPTOR.services_by_name["RetrievalService"].full_name


class RetrievalModule:
    """The retrieval service as a process sees it: no stores but a reranker, no loops."""

    name = "retrieval"
    service_names: Sequence[str] = (SERVICE,)
    loops: Sequence[Loop] = ()

    def __init__(self, context: ServiceContext) -> None:
        settings = context.settings
        accounts = MemoryAccounts(context.channels, settings.peers.timeout_s)
        self._reranker = ConfiguredReranker(settings, accounts, context.tokens)
        self._servicer = RetrievalServicer(
            context.channels, settings.retrieval, context.tokens, context.clock, self._reranker
        )

    def register(self, server: aio.Server) -> None:
        """Add the servicer to a server."""
        retrieval_service_pb2_grpc.add_RetrievalServiceServicer_to_server(self._servicer, server)

    async def start(self) -> None:
        """Load the reranker, if there is one; channels connect at their first call."""
        await self._reranker.start()

    async def stop(self) -> None:
        """End the reranker; what a model has cost is reported by then."""
        await self._reranker.close()


def build(context: ServiceContext) -> RetrievalModule:
    """The retrieval service, not started."""
    return RetrievalModule(context)
