"""The retrieval service under test, and a memory service that is scripted for it."""

from dataclasses import dataclass

from grpc import aio

from anamnesis.memory.v1 import candidate_pb2, event_pb2, memory_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from tests.support.memory_server import MemoryServer
from tests.support.memory_spaces import token

TIMEOUT_S = 10
QUERY = "Where does Caroline live?"


@dataclass
class Suite:
    """The service under test and the memory behind it."""

    memory: MemoryServer
    channel: aio.Channel

    async def ask(self, request: pb.SearchRequest) -> pb.SearchResponse:
        return await RetrievalServiceStub(self.channel).Search(request, timeout=TIMEOUT_S)

    async def search(
        self, query: str = QUERY, *, explain: bool = False, **fields: object
    ) -> pb.SearchResponse:
        request = pb.SearchRequest(namespace="n", query=query, explain=explain)
        request.MergeFrom(pb.SearchRequest(**fields))  # type: ignore[arg-type]
        return await self.ask(request)

    async def context(self, query: str = QUERY, **fields: object) -> pb.BuildContextResponse:
        request = pb.BuildContextRequest(namespace="n", query=query)
        request.MergeFrom(pb.BuildContextRequest(**fields))  # type: ignore[arg-type]
        return await RetrievalServiceStub(self.channel).BuildContext(request, timeout=TIMEOUT_S)

    def calls(self) -> list[str]:
        return [type(request).__name__ for request in self.memory.requests]


def script(memory: MemoryServer, count: int) -> None:
    """So many candidates, the first the best, and their memories."""
    memory.found = memory_pb.FindCandidatesResponse(
        revision=token(7),
        scope=candidate_pb2.ScopeStatistics(
            size=count,
            kind=candidate_pb2.CONVERSATION_KIND_PEOPLE,
            names=["Caroline", "Mel"],
            window_radius=2,
            term_weights=[2.0],
        ),
    )
    for number in range(count):
        memory_id = f"m{number:03}"
        memory.found.candidates.add(
            memory_id=memory_id,
            text=float(count - number),
            dense=0.5,
            cosine=0.6,
            matched_terms=[0],
            name="Mel",
        )
        memory.memories[memory_id] = memory_pb2.Memory(
            memory_id=memory_id,
            kind=memory_pb2.MEMORY_KIND_EPISODIC,
            content=f"Number {number}. It lives in the valley.",
            summary=f"Number {number}.",
            overview=f"Number {number}. It lives.",
            pointer=f"§ W-001/R-001/D-{number:03}",
            episode=memory_pb2.Episode(role=event_pb2.ROLE_USER, name="Mel"),
        )


def ids(answer: pb.SearchResponse) -> list[str]:
    return [result.memory.memory_id for result in answer.results]
