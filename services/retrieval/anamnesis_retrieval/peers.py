"""The memory service as retrieval sees it, for one request: its scope, caller and deadline."""

import asyncio
from collections.abc import Sequence
from datetime import tzinfo

from anamnesis.common.v1 import caller_pb2
from anamnesis.memory.v1 import filter_pb2, memory_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_libs.own_name import spelled_name
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.parts import in_parts
from anamnesis_libs.rpc.peers import call
from anamnesis_retrieval.convert.narrowing import part_of
from anamnesis_retrieval.convert.search import from_weights, to_found, to_known_fact, to_remembered
from anamnesis_retrieval.convert.times import Times
from anamnesis_retrieval.model import (
    NOTHING_BEHIND,
    Behind,
    Candidate,
    CandidateSet,
    Joined,
    KnownFact,
    Part,
    Remembered,
    Weights,
)
from anamnesis_retrieval.ranking.named_time import without_dates
from anamnesis_retrieval.ranking.relevance import undated

HAPPENED_MAX = 200
"""Memories of a time that a question names which are candidates whatever they say."""
IS_NAMED = "is_named"
"""The predicate of a fact that says somebody's name."""
# FindCandidates gives no more.
CANDIDATES_MAX = 2000
HOPS_MAX = 3
"""From a memory over an entity to another one's fact, and to the turn that it was taken from."""
JOINED_MAX = 500
NAMED_LINES_MAX = 100
"""The latest lines that are asked for the name of who asks."""
FACTS_MAX = 100
"""Facts of one relation of a life that are read."""


class ScopedMemories:
    """Memories of one namespace, as one caller sees them through one filter."""

    def __init__(
        self,
        channels: Channels,
        namespace: str,
        caller: caller_pb2.Caller,
        scope: filter_pb2.MemoryFilter,
        times: Times,
        *,
        zone: tzinfo | None,
        candidates_max: int,
        timeout_s: float,
    ) -> None:
        """All calls together may take `timeout_s`, counted from now.

        Facts take part that are of the `times`. `zone` is where the request says that who asks is.
        """
        self._stub = MemoryServiceStub(channels.to("memory"))
        self._graph = KnowledgeServiceStub(channels.to("memory"))
        self._namespace = namespace
        self._caller = caller
        self._scope = scope
        self._times = times
        self._zone = zone
        self._candidates_max = min(candidates_max, CANDIDATES_MAX)
        self._deadline_s = asyncio.get_running_loop().time() + timeout_s
        self._page_ids: frozenset[str] = frozenset()
        self._page: Sequence[pb.BatchGetMemoriesResponse] = ()

    async def find(
        self,
        query: str,
        weights: Weights,
        at_least_revision: str,
        related_words: str = "",
        behind: Behind = NOTHING_BEHIND,
        memory_ids: Sequence[str] = (),
    ) -> CandidateSet:
        """The best candidates by the weighted sum of their features; see `Memories.find`."""
        request = pb.FindCandidatesRequest(
            namespace=self._namespace,
            caller=self._caller,
            query=query,
            filter=self._scope,
            limit=self._candidates_max,
            weights=from_weights(weights),
            at_least_revision=at_least_revision,
            as_of=self._times.as_of,
            open_at=self._times.open_at,
            ended_max=behind.ended_max,
            related_words=related_words,
            standing_max=behind.standing_max,
            likings_max=behind.likings_max,
            memory_ids=memory_ids,
            in_columns=True,
            meaning=without_dates(query),
        )
        if behind.happened is not None:
            request.happened_from.FromDatetime(behind.happened[0])
            request.happened_before.FromDatetime(behind.happened[1])
            request.happened_max = HAPPENED_MAX
        answer = await call(self._stub.FindCandidates, request, timeout_s=self._left_s())
        return undated(to_found(answer, self._zone), query)

    async def newest(self, part: Part, count: int, at_least_revision: str) -> CandidateSet:
        """The newest candidates of a part, the newest first; see `Memories.newest`."""
        scope = part_of(self._scope, part)
        if scope is None:
            return CandidateSet()
        request = pb.FindCandidatesRequest(
            namespace=self._namespace,
            caller=self._caller,
            filter=scope,
            limit=count,
            at_least_revision=at_least_revision,
            as_of=self._times.as_of,
            open_at=self._times.open_at,
            in_columns=True,
        )
        answer = await call(self._stub.FindCandidates, request, timeout_s=self._left_s())
        return to_found(answer, self._zone)

    async def joined(self, memory_ids: Sequence[str], revision: str) -> Joined:
        """The memories that the graph joins to some, with the edges between; see `Memories`."""
        request = knowledge_pb.TraverseRequest(
            namespace=self._namespace,
            caller=self._caller,
            start_ids=memory_ids,
            hops_max=HOPS_MAX,
            nodes_max=JOINED_MAX,
            at_least_revision=revision,
        )
        walked, there = await asyncio.gather(
            call(self._graph.Traverse, request, timeout_s=self._left_s()),
            self._messages(memory_ids, revision, pb.READ_PURPOSE_INTERNAL),
        )
        hops = {memory.memory_id: 0 for part in there for memory in part.memories}
        reached = {node.node_id: node.hops for node in walked.nodes if node.HasField("memory")}
        # that it ends after so many edges is what was asked for
        truncated = walked.truncated if walked.truncated != "hops" else ""
        return Joined(reached | hops, truncated)

    async def known_facts(
        self, subjects: Sequence[str], predicates: Sequence[str], at_least_revision: str
    ) -> Sequence[KnownFact]:
        """Facts about subjects with one of these predicates; see `Memories.known_facts`."""
        if not predicates or self._scope != filter_pb2.MemoryFilter():
            return []
        named = dict.fromkeys(one or self._caller.user_id for one in subjects)
        each = (self._facts_of(one, predicates, at_least_revision) for one in named if one)
        return [fact for answer in await asyncio.gather(*each) for fact in answer]

    async def _facts_of(
        self, subject: str, predicates: Sequence[str], at_least_revision: str
    ) -> Sequence[KnownFact]:
        request = knowledge_pb.ListFactsRequest(
            namespace=self._namespace,
            caller=self._caller,
            subject=subject,
            predicates=predicates,
            as_of=self._times.as_of,
            page_size=FACTS_MAX,
            at_least_revision=at_least_revision,
        )
        answer = await call(self._graph.ListFacts, request, timeout_s=self._left_s())
        return [to_known_fact(one.memory) for one in answer.facts]

    async def own_names(self, at_least_revision: str) -> Sequence[str]:
        """The names of who asks, as their lines have and tell them; see `Memories.own_names`."""
        if not self._caller.user_id:
            return ()
        request = pb.FindCandidatesRequest(
            namespace=self._namespace,
            caller=self._caller,
            filter=filter_pb2.MemoryFilter(
                kinds=[memory_pb2.MEMORY_KIND_EPISODIC], user_id=self._caller.user_id
            ),
            limit=NAMED_LINES_MAX,
            at_least_revision=at_least_revision,
            in_columns=True,
        )
        answer, told = await asyncio.gather(
            call(self._stub.FindCandidates, request, timeout_s=self._left_s()),
            self._facts_of(self._caller.user_id, [IS_NAMED], at_least_revision),
        )
        lines = to_found(answer, self._zone).candidates
        spoken = await self._name_on(lines, answer.revision)
        names = [spoken, *(one.value for one in told)]
        if self._caller.user_id.isalpha():
            names.append(self._caller.user_id)
        return list(dict.fromkeys(filter(None, names)))

    async def _name_on(self, lines: Sequence[Candidate], revision: str) -> str:
        """The name of who asks on lines of theirs; "" where nobody knows it."""
        named = {one.name: one.memory_id for one in lines if one.role == "user"}
        if spelled := spelled_name(self._caller.user_id, named):
            return spelled
        if len(named) != 1:
            return ""
        ((name, memory_id),) = named.items()
        read = await self._messages([memory_id], revision, pb.READ_PURPOSE_INTERNAL)
        together = any(memory.participants for part in read for memory in part.memories)
        return "" if together else name

    async def fetch(self, memory_ids: Sequence[str], revision: str) -> Sequence[Remembered]:
        """Memories in the order asked for, at least as of a revision; those gone are left out."""
        answers = await self._messages(memory_ids, revision, pb.READ_PURPOSE_INTERNAL)
        return [to_remembered(memory) for answer in answers for memory in answer.memories]

    async def fetch_of_page(
        self, memory_ids: Sequence[str], page: Sequence[str], revision: str
    ) -> Sequence[Remembered]:
        """See `Memories.fetch_of_page`; the page stays at hand for `messages`."""
        self._page = await self.messages(page, revision)
        self._page_ids = frozenset(page)
        read = {one.memory_id: one for answer in self._page for one in answer.memories}
        return [to_remembered(read[one]) for one in memory_ids if one in read]

    async def messages(
        self, memory_ids: Sequence[str], revision: str
    ) -> Sequence[pb.BatchGetMemoriesResponse]:
        """The memories as messages of the wire, to be handed on; no call where no id is given.

        Each message names near duplicates of its memory, and the reading counts as shown. Those of
        a page that was fetched before, in whatever order, are at hand.
        """
        if self._page_ids == frozenset(memory_ids):
            return self._page
        return await self._messages(memory_ids, revision, pb.READ_PURPOSE_SEARCH)

    async def report_shown(self, memory_ids: Sequence[str]) -> None:
        """Count memories as shown to the caller; no call where no id is given."""

        async def batch(ids: Sequence[str]) -> Sequence[pb.ReportUseResponse]:
            request = pb.ReportUseRequest(
                namespace=self._namespace,
                caller=self._caller,
                memory_ids=ids,
                kind=pb.USE_KIND_SHOWN,
            )
            return [await call(self._stub.ReportUse, request, timeout_s=self._left_s())]

        if memory_ids:
            await in_parts(batch, memory_ids)

    async def _messages(
        self, memory_ids: Sequence[str], revision: str, purpose: pb.ReadPurpose.ValueType
    ) -> Sequence[pb.BatchGetMemoriesResponse]:
        async def batch(ids: Sequence[str]) -> Sequence[pb.BatchGetMemoriesResponse]:
            request = pb.BatchGetMemoriesRequest(
                namespace=self._namespace,
                memory_ids=ids,
                caller=self._caller,
                at_least_revision=revision,
                purpose=purpose,
                include_similar=purpose == pb.READ_PURPOSE_SEARCH,
            )
            return [await call(self._stub.BatchGetMemories, request, timeout_s=self._left_s())]

        return await in_parts(batch, memory_ids) if memory_ids else []

    def _left_s(self) -> float:
        return max(0.0, self._deadline_s - asyncio.get_running_loop().time())
