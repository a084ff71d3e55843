"""RetrievalService: questions in, results and contexts out."""

from grpc import aio

from anamnesis.retrieval.v1 import retrieval_pb2, retrieval_service_pb2_grpc
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from anamnesis_libs.clock import Clock
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import remaining_s
from anamnesis_libs.settings import Retrieval
from anamnesis_libs.tokens import TokenCounter
from anamnesis_retrieval.context.build import build_context
from anamnesis_retrieval.context.voices import candidates_factor
from anamnesis_retrieval.convert.context import from_built, to_wanted
from anamnesis_retrieval.convert.search import (
    from_ranked,
    next_token,
    pairs_by_memory,
    to_page,
    to_search,
)
from anamnesis_retrieval.convert.times import times_of
from anamnesis_retrieval.peers import ScopedMemories
from anamnesis_retrieval.reranking.configured import ConfiguredReranker
from anamnesis_retrieval.reranking.rerank import Reranking
from anamnesis_retrieval.search import SearchPage, search


class RetrievalServicer(retrieval_service_pb2_grpc.RetrievalServiceServicer):
    """Serves searches; see the proto for what each rpc promises."""

    def __init__(
        self,
        channels: Channels,
        settings: Retrieval,
        tokens: TokenCounter,
        clock: Clock,
        reranker: ConfiguredReranker,
    ) -> None:
        self._channels = channels
        self._reranker = reranker
        self._clock = clock
        self._settings = settings
        self._tokens = tokens

    async def Search(
        self,
        request: pb.SearchRequest,
        context: aio.ServicerContext[pb.SearchRequest, pb.SearchResponse],
    ) -> pb.SearchResponse:
        """Rank a scope and show a page of it."""
        page = to_page(request)
        question = to_search(request, page, self._settings.results_max, self._clock)
        left_s = remaining_s(context, self._settings.timeout_s)
        memories = self._memories(request, left_s)
        answer = await search(memories, question, await self._reranking(request, left_s))
        return pb.SearchResponse(
            results=await _results(request, answer, memories),
            next_page_token=next_token(page, answer),
            revision=answer.found.revision,
            degraded=answer.found.degraded,
            profile=answer.profile,
        )

    async def BuildContext(
        self,
        request: pb.BuildContextRequest,
        context: aio.ServicerContext[pb.BuildContextRequest, pb.BuildContextResponse],
    ) -> pb.BuildContextResponse:
        """Write what a prompt should know into one block."""
        wanted = to_wanted(request, self._settings.results_max, self._clock)
        left_s = remaining_s(context, self._settings.timeout_s)
        memories = self._memories(request, left_s, candidates_factor(wanted.query))
        reranking = await self._reranking(request, left_s)
        return from_built(await build_context(memories, wanted, self._tokens, reranking))

    async def _reranking(
        self, request: pb.SearchRequest | pb.BuildContextRequest, left_s: float
    ) -> Reranking | None:
        """The reranker that a request asks for; half of its time stays for the rest."""
        if not request.rerank:
            return None
        timeout_s = min(self._settings.rerank_timeout_s, left_s / 2)
        return Reranking(await self._reranker.of(request.namespace), timeout_s)

    def _memories(
        self,
        request: pb.SearchRequest | pb.BuildContextRequest,
        timeout_s: float,
        candidates_factor: int = 1,
    ) -> ScopedMemories:
        return ScopedMemories(
            self._channels,
            request.namespace,
            request.caller,
            request.filter,
            times_of(request, self._clock),
            candidates_max=self._settings.candidates_max * candidates_factor,
            timeout_s=timeout_s,
        )


async def _results(
    request: pb.SearchRequest, answer: SearchPage, memories: ScopedMemories
) -> list[retrieval_pb2.SearchResult]:
    """The page with its memories; what was deleted in between is left out."""
    ids = [ranked.candidate.memory_id for ranked in answer.page]
    fetched = await memories.messages(ids, answer.found.revision)
    by_id = {memory.memory_id: memory for part in fetched for memory in part.memories}
    alike = pairs_by_memory(part.similar for part in fetched)
    return [
        from_ranked(ranked, by_id[memory_id], alike.get(memory_id, ()), request)
        for ranked in answer.page
        if (memory_id := ranked.candidate.memory_id) in by_id
    ]
