"""RetrievalService: questions in, results and contexts out."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, tzinfo
from typing import TypeVar

from grpc import aio

from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis.retrieval.v1 import retrieval_pb2, retrieval_service_pb2_grpc
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import NotFound
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import remaining_s
from anamnesis_libs.settings import Retrieval
from anamnesis_libs.tokens import TokenCounter
from anamnesis_libs.zones import in_zone
from anamnesis_retrieval.context.already import ShownAlready
from anamnesis_retrieval.context.brief import build_brief
from anamnesis_retrieval.context.build import build_context
from anamnesis_retrieval.context.voices import candidates_factor
from anamnesis_retrieval.convert.context import from_built, to_wanted
from anamnesis_retrieval.convert.narrowing import narrowed
from anamnesis_retrieval.convert.routes import from_route
from anamnesis_retrieval.convert.search import (
    MODE,
    check_moment,
    from_ranked,
    next_token,
    pairs_by_memory,
    to_page,
    to_search,
)
from anamnesis_retrieval.convert.times import Asked, Times, asked_at, times_of, zone_stated
from anamnesis_retrieval.model import Mode, Part
from anamnesis_retrieval.peers import ScopedMemories
from anamnesis_retrieval.ranking.named_time import names_time
from anamnesis_retrieval.reranking.configured import ConfiguredReranker
from anamnesis_retrieval.reranking.rerank import Reranking
from anamnesis_retrieval.routing import routes_of
from anamnesis_retrieval.search import SearchPage, search

Request = TypeVar("Request")
Response = TypeVar("Response")


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
        self._already = ShownAlready(clock)

    async def Search(
        self,
        request: pb.SearchRequest,
        context: aio.ServicerContext[pb.SearchRequest, pb.SearchResponse],
    ) -> pb.SearchResponse:
        """Rank a scope and show a page of it."""
        page = to_page(request)
        question = to_search(request, page, self._settings.results_max, self._clock)
        memories, degraded = await self._memories(request, question.mode, context)
        answer = await search(memories, question, await self._reranking(request, context))
        return pb.SearchResponse(
            results=await _results(request, answer, memories),
            next_page_token=next_token(page, answer),
            revision=answer.found.revision,
            degraded=(*answer.found.degraded, *degraded),
            profile=answer.profile,
        )

    async def BuildContext(
        self,
        request: pb.BuildContextRequest,
        context: aio.ServicerContext[pb.BuildContextRequest, pb.BuildContextResponse],
    ) -> pb.BuildContextResponse:
        """Write what a prompt should know into one block; without a prompt a brief."""
        wanted = to_wanted(request, self._settings.results_max, self._clock)
        if not wanted.query:
            memories, _ = await self._memories(request, Mode.AUTO, context)
            return from_built(await build_brief(memories, wanted, self._tokens, self._already))
        factor = candidates_factor(wanted.query)
        memories, degraded = await self._memories(request, wanted.mode, context, factor)
        reranking = await self._reranking(request, context)
        built = await build_context(memories, wanted, self._tokens, self._already, reranking)
        answer = from_built(built)
        answer.degraded.extend(degraded)
        return answer

    async def RouteQuery(
        self,
        request: pb.RouteQueryRequest,
        context: aio.ServicerContext[pb.RouteQueryRequest, pb.RouteQueryResponse],
    ) -> pb.RouteQueryResponse:
        """Tell the ways that a query takes; asks memory for the zone of times, if for anything."""
        check_moment(request.now, "now")
        mode, zone = MODE.from_pb(request.mode), zone_stated(request)
        if zone is None and names_time(request.query):
            zone = await self._zone_of_namespace(request, context)
        moment = in_zone(asked_at(request, self._clock), zone or UTC)
        routes = routes_of(request.query, mode, moment)
        return pb.RouteQueryResponse(routes=map(from_route, routes))

    async def _reranking(
        self,
        request: pb.SearchRequest | pb.BuildContextRequest,
        context: aio.ServicerContext[Request, Response],
    ) -> Reranking | None:
        """The reranker that a request asks for; half of its time stays for the rest."""
        if not request.rerank:
            return None
        left_s = remaining_s(context, self._settings.timeout_s)
        timeout_s = min(self._settings.rerank_timeout_s, left_s / 2)
        return Reranking(await self._reranker.of(request.namespace), timeout_s)

    async def _memories(
        self,
        request: pb.SearchRequest | pb.BuildContextRequest,
        mode: Mode,
        context: aio.ServicerContext[Request, Response],
        candidates_factor: int = 1,
    ) -> tuple[ScopedMemories, Sequence[str]]:
        """The part of the scope that a mode looks at, and what could not be done of the mode."""
        zone = zone_stated(request)
        usual = zone
        if zone is None and mode is Mode.TEMPORAL:
            usual = await self._zone_of_namespace(request, context)
        moment = in_zone(asked_at(request, self._clock), usual or UTC)
        narrow, degraded = narrowed(request.filter, mode, request.query, moment)
        memories = ScopedMemories(
            self._channels,
            request.namespace,
            request.caller,
            narrow,
            times_of(request, self._clock),
            zone=zone,
            candidates_max=self._settings.candidates_max * candidates_factor,
            timeout_s=remaining_s(context, self._settings.timeout_s),
        )
        return memories, degraded

    async def _zone_of_namespace(
        self,
        request: Asked,
        context: aio.ServicerContext[Request, Response],
    ) -> tzinfo | None:
        """The zone that the policy of a namespace names; None of one that is not there."""
        memories = ScopedMemories(
            self._channels,
            request.namespace,
            request.caller,
            MemoryFilter(),
            Times(),
            zone=None,
            candidates_max=1,
            timeout_s=remaining_s(context, self._settings.timeout_s),
        )
        with suppress(NotFound):
            return (await memories.newest(Part.SAID, 1, "")).zone
        return None


async def _results(
    request: pb.SearchRequest, answer: SearchPage, memories: ScopedMemories
) -> list[retrieval_pb2.SearchResult]:
    """The page with its memories; what was deleted in between is left out."""
    ids = [ranked.candidate.memory_id for ranked in answer.page]
    fetched = await memories.messages(ids, answer.found.revision)
    by_id = {memory.memory_id: memory for part in fetched for memory in part.memories}
    alike = pairs_by_memory(part.similar for part in fetched)
    return [
        from_ranked(
            ranked,
            by_id[memory_id],
            alike.get(memory_id, ()),
            request,
            answer.distances.get(memory_id, 0),
        )
        for ranked in answer.page
        if (memory_id := ranked.candidate.memory_id) in by_id
    ]
