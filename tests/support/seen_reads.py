"""Every rpc that reads for a caller: how to ask it something at random, and what it answers."""

import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.cluster.v1 import cluster_service_pb2 as cluster_pb
from anamnesis.cluster.v1 import projection_pb2
from anamnesis.cluster.v1 import projection_service_pb2 as projection_pb
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import document_service_pb2 as documents_pb
from anamnesis.memory.v1 import entity_pb2, event_pb2, filter_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.memory.v1 import lesson_service_pb2 as lessons_pb
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.memory.v1 import palace_service_pb2 as palace_pb
from anamnesis.memory.v1 import procedure_service_pb2 as procedures_pb
from anamnesis.memory.v1 import topic_service_pb2 as topics_pb
from anamnesis.memory.v1 import working_memory_service_pb2 as working_pb
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval_pb
from tests.support.seen_world import DOCUMENT, KEEPER, SHARED, TOLD_AT, Owned, World

ABSENT = "absent-0000"
NOWHERE = "§ W-900/R-90/D-900"
NOBODY = "agent-of-nothing"

Named = TypeVar(
    "Named",
    knowledge_pb.GetEntityRequest,
    knowledge_pb.GetTimelineRequest,
    projection_pb.GetKnowledgePageRequest,
)


@dataclass(frozen=True, slots=True)
class Ask:
    """Who asks, where, and the dice."""

    world: World
    namespace: str
    caller: Caller

    @property
    def rng(self) -> random.Random:
        """The world's dice."""
        return self.world.rng

    def any_of(self, kind: Mapping[str, Owned]) -> str:
        """A name of this namespace or another, that the caller may see or not."""
        return self.rng.choice([*kind, ABSENT])

    def maybe(self, kind: Mapping[str, Owned]) -> str:
        """The same, or none."""
        return self.rng.choice(["", self.any_of(kind)])

    def own(self, kind: Mapping[str, Owned]) -> str:
        """A name as above, or as likely each that the caller may see."""
        seen = [one for one, owned in kind.items() if owned.seen_by(self.namespace, self.caller)]
        return self.rng.choice([self.any_of(kind), *seen])

    @property
    def query(self) -> str:
        """A question after somebody's words."""
        return f"where is {self.any_of(self.world.words)} and the gateway"

    @property
    def query_or_none(self) -> str:
        """The same, or none: what is newest is asked for then."""
        return self.rng.choice(["", self.query])

    @property
    def filter(self) -> filter_pb2.MemoryFilter:
        """None, or one after a session, an owner, a tag or an entity."""
        word = self.any_of(self.world.words)
        return self.rng.choice(
            [
                filter_pb2.MemoryFilter(include_archived=True),
                filter_pb2.MemoryFilter(session_ids=[self.any_of(self.world.sessions)]),
                filter_pb2.MemoryFilter(agent_id=f"agent-{self.rng.randint(1, 5)}"),
                filter_pb2.MemoryFilter(user_id=f"user-{self.rng.randint(1, 3)}"),
                filter_pb2.MemoryFilter(tags=[word]),
                filter_pb2.MemoryFilter(entities=[word]),
            ]
        )

    @property
    def tags(self) -> list[str]:
        """What tasks are about, and somebody's word."""
        return self.rng.sample(["gateway", "deploy", self.any_of(self.world.words)], 2)

    @property
    def some_time(self) -> Timestamp:
        """A time at which something held, or nothing did."""
        return Timestamp(seconds=TOLD_AT.seconds + self.rng.randrange(-1_000_000, 2_000_000))

    def of_entity(self, request: Named) -> Named:
        """The same of an entity, by its id or by a name, that the caller may see or not."""
        if self.rng.random() < 0.5:
            request.entity_id = self.rng.choice([*sorted(self.world.entities), ABSENT])
        else:
            request.name = self.rng.choice([KEEPER, self.own(self.world.named)])
        return request

    @property
    def wing(self) -> str:
        """Somebody's home, or what is known of an entity."""
        home = self.pointer.partition("/")[0]
        return self.rng.choice([home, f"E-{self.rng.choice(sorted(self.world.entities))}"])

    @property
    def pointer(self) -> str:
        """One that was given, to whomever, or none that was."""
        given = self.own(self.world.pointers)
        return NOWHERE if given == ABSENT else given

    @property
    def scope(self) -> "event_pb2.Visibility.ValueType":
        """What all share, or what the policy says."""
        return self.rng.choice([SHARED, event_pb2.VISIBILITY_UNSPECIFIED])

    @property
    def page_size(self) -> int:
        """Small pages and large ones."""
        return self.rng.choice([0, 1, 3, 500])


READS: Mapping[str, Callable[[Ask], Message]] = {
    "memory.v1.MemoryService/GetMemory": lambda ask: memory_pb.GetMemoryRequest(
        memory_id=ask.any_of(ask.world.memories), include_history=ask.rng.random() < 0.8
    ),
    "memory.v1.MemoryService/BatchGetMemories": lambda ask: memory_pb.BatchGetMemoriesRequest(
        memory_ids=[ask.any_of(ask.world.memories) for _ in range(20)],
        include_embeddings=True,
        include_similar=True,
    ),
    "memory.v1.MemoryService/ListMemories": lambda ask: memory_pb.ListMemoriesRequest(
        filter=ask.filter, page_size=ask.page_size
    ),
    "memory.v1.MemoryService/ListActivity": lambda ask: memory_pb.ListActivityRequest(
        session_id=ask.maybe(ask.world.sessions), page_size=ask.page_size
    ),
    "memory.v1.MemoryService/FindCandidates": lambda ask: memory_pb.FindCandidatesRequest(
        query=ask.query_or_none, filter=ask.filter
    ),
    "memory.v1.MemoryService/WatchMemories": lambda _: memory_pb.WatchMemoriesRequest(),
    "memory.v1.LedgerService/GetSession": lambda ask: ledger_pb.GetSessionRequest(
        session_id=ask.any_of(ask.world.sessions)
    ),
    "memory.v1.LedgerService/ListSessions": lambda ask: ledger_pb.ListSessionsRequest(
        agent_id=ask.rng.choice(["", "agent-2"]), page_size=ask.page_size
    ),
    "memory.v1.LedgerService/ListEvents": lambda ask: ledger_pb.ListEventsRequest(
        session_id=ask.any_of(ask.world.sessions), page_size=ask.page_size
    ),
    "memory.v1.LedgerService/ListSegments": lambda ask: ledger_pb.ListSegmentsRequest(
        session_id=ask.maybe(ask.world.sessions), page_size=ask.page_size
    ),
    "memory.v1.LedgerService/GetTrajectoryStats": lambda _: ledger_pb.GetTrajectoryStatsRequest(),
    "memory.v1.LedgerService/ListUploads": lambda ask: ledger_pb.ListUploadsRequest(
        session_id=ask.maybe(ask.world.sessions), page_size=ask.page_size
    ),
    "memory.v1.LedgerService/GetUpload": lambda ask: ledger_pb.GetUploadRequest(
        upload_id=ask.any_of(ask.world.uploads)
    ),
    "memory.v1.TopicService/ListTopics": lambda ask: topics_pb.ListTopicsRequest(
        topic_id=ask.maybe(ask.world.topics), page_size=ask.page_size
    ),
    "memory.v1.TopicService/ListTopicMembers": lambda ask: topics_pb.ListTopicMembersRequest(
        topic_id=ask.any_of(ask.world.topics), page_size=ask.page_size
    ),
    "memory.v1.ProcedureService/MatchProcedures": lambda ask: procedures_pb.MatchProceduresRequest(
        tags=ask.tags, limit=100
    ),
    "memory.v1.LessonService/ListDuplicates": lambda ask: lessons_pb.ListDuplicatesRequest(
        page_size=ask.page_size
    ),
    "memory.v1.LessonService/ListSeeds": lambda ask: lessons_pb.ListSeedsRequest(
        page_size=ask.page_size
    ),
    "memory.v1.LessonService/MatchLessons": lambda ask: lessons_pb.MatchLessonsRequest(
        tags=ask.tags, limit=100
    ),
    "memory.v1.WorkingMemoryService/GetItem": lambda ask: working_pb.GetItemRequest(
        item_id=ask.own(ask.world.items)
    ),
    "memory.v1.WorkingMemoryService/RenderContext": lambda ask: working_pb.RenderContextRequest(
        query=ask.rng.choice(["", ask.query])
    ),
    "memory.v1.KnowledgeService/ListFacts": lambda ask: knowledge_pb.ListFactsRequest(
        subject=ask.rng.choice(["", KEEPER, ask.any_of(ask.world.words)]),
        object=ask.rng.choice(["", "", ask.any_of(ask.world.named)]),
        as_of=ask.rng.choice([None, ask.some_time]),
        known_at=ask.rng.choice([None, Timestamp(seconds=int(time.time()))]),
        page_size=ask.page_size,
    ),
    "memory.v1.KnowledgeService/GetEntity": lambda ask: ask.of_entity(
        knowledge_pb.GetEntityRequest()
    ),
    "memory.v1.KnowledgeService/ListEntities": lambda ask: knowledge_pb.ListEntitiesRequest(
        kind=ask.rng.choice([entity_pb2.ENTITY_KIND_UNSPECIFIED, entity_pb2.ENTITY_KIND_PLACE]),
        page_size=ask.page_size,
    ),
    "memory.v1.KnowledgeService/GetTimeline": lambda ask: ask.of_entity(
        knowledge_pb.GetTimelineRequest(page_size=ask.page_size)
    ),
    "memory.v1.KnowledgeService/Traverse": lambda ask: knowledge_pb.TraverseRequest(
        start_ids=[ask.own(ask.world.memories), ask.rng.choice([*ask.world.entities, ABSENT])],
        hops_max=4,
        nodes_max=500,
    ),
    "memory.v1.PalaceService/ListWings": lambda ask: palace_pb.ListWingsRequest(
        page_size=ask.page_size
    ),
    "memory.v1.PalaceService/ListRooms": lambda ask: palace_pb.ListRoomsRequest(
        wing_id=ask.wing, page_size=ask.page_size
    ),
    "memory.v1.PalaceService/ListClosets": lambda ask: palace_pb.ListClosetsRequest(
        session_id=ask.own(ask.world.sessions), page_size=ask.page_size
    ),
    "memory.v1.PalaceService/ListDrawers": lambda ask: palace_pb.ListDrawersRequest(
        session_id=ask.own(ask.world.sessions), page_size=ask.page_size
    ),
    "memory.v1.PalaceService/ResolvePointer": lambda ask: palace_pb.ResolvePointerRequest(
        pointer=ask.pointer
    ),
    "ingestion.v1.IngestionService/GetPipelineStatus": lambda ask: (
        ingestion_pb.GetPipelineStatusRequest(session_id=ask.any_of(ask.world.sessions))
    ),
    "ingestion.v1.IngestionService/ExportSft": lambda _: ingestion_pb.ExportSftRequest(
        min_score=0.0
    ),
    "memory.v1.DocumentService/BatchGetDocuments": lambda ask: (
        documents_pb.BatchGetDocumentsRequest(names=[DOCUMENT], visibility=ask.scope)
    ),
    "memory.v1.DocumentService/ListDocuments": lambda ask: documents_pb.ListDocumentsRequest(
        visibility=ask.scope, page_size=ask.page_size
    ),
    "memory.v1.DocumentService/ListDocumentPaths": lambda ask: (
        documents_pb.ListDocumentPathsRequest(visibility=ask.scope, page_size=ask.page_size)
    ),
    "memory.v1.DocumentService/SearchDocuments": lambda ask: documents_pb.SearchDocumentsRequest(
        query=ask.query, visibility=ask.scope
    ),
    "cluster.v1.ProjectionService/GetUserProfile": lambda ask: projection_pb.GetUserProfileRequest(
        subject=ask.rng.choice(["", KEEPER, ask.any_of(ask.world.words)]),
        token_budget=ask.rng.choice([0, 50]),
    ),
    "cluster.v1.ProjectionService/ListEpisodes": lambda ask: projection_pb.ListEpisodesRequest(
        subject=ask.rng.choice(["", KEEPER, ask.any_of(ask.world.words)]),
        page_size=ask.page_size,
    ),
    "cluster.v1.ProjectionService/ListTaskPatterns": lambda _: (
        projection_pb.ListTaskPatternsRequest()
    ),
    "cluster.v1.ProjectionService/ListToolFailures": lambda _: (
        projection_pb.ListToolFailuresRequest()
    ),
    "cluster.v1.ProjectionService/GetKnowledgePage": lambda ask: ask.of_entity(
        projection_pb.GetKnowledgePageRequest()
    ),
    "cluster.v1.ProjectionService/ListProjections": lambda ask: (
        projection_pb.ListProjectionsRequest(
            type=ask.rng.choice(
                [
                    projection_pb2.PROJECTION_TYPE_UNSPECIFIED,
                    projection_pb2.PROJECTION_TYPE_KNOWLEDGE_PAGE,
                ]
            ),
            page_size=ask.page_size,
        )
    ),
    "cluster.v1.ClusterService/ListClusters": lambda ask: cluster_pb.ListClustersRequest(
        page_size=ask.page_size
    ),
    "cluster.v1.ClusterService/ListClusterMemories": lambda ask: (
        cluster_pb.ListClusterMemoriesRequest(
            cluster_id=ask.any_of(ask.world.topics), page_size=ask.page_size
        )
    ),
    "cluster.v1.ClusterService/ListCrystallizations": lambda ask: (
        cluster_pb.ListCrystallizationsRequest(
            cluster_id=ask.own(ask.world.topics), page_size=ask.page_size
        )
    ),
    "cluster.v1.ClusterService/CrystallizeCluster": lambda ask: (
        cluster_pb.CrystallizeClusterRequest(
            cluster_id=ask.own(ask.world.topics), dry_run=True, force=True
        )
    ),
    "cluster.v1.ProjectionService/ListSkills": lambda ask: projection_pb.ListSkillsRequest(
        page_size=ask.page_size
    ),
    "cluster.v1.ClusterService/GetCluster": lambda ask: ask.rng.choice(
        [
            cluster_pb.GetClusterRequest(cluster_id=ask.any_of(ask.world.topics)),
            cluster_pb.GetClusterRequest(memory_id=ask.any_of(ask.world.memories)),
        ]
    ),
    "retrieval.v1.RetrievalService/Search": lambda ask: retrieval_pb.SearchRequest(
        query=ask.query, filter=ask.filter, explain=True, limit=100
    ),
    "retrieval.v1.RetrievalService/BuildContext": lambda ask: retrieval_pb.BuildContextRequest(
        query=ask.query_or_none, filter=ask.filter, limit=100, token_budget=100_000
    ),
}
"""Every rpc that reads for a caller, with a request that lacks who asks, and where."""

WRITES = frozenset(
    [f"memory.v1.MemoryService/{name}Memory" for name in ("Create", "Delete", "Update")]
    + [f"memory.v1.MemoryService/{name}Memories" for name in ("BatchCreate", "Delete")]
    + [f"memory.v1.MemoryService/{name}" for name in ("Embed", "ReportUse", "UndoMerge")]
    + [f"memory.v1.LedgerService/{name}" for name in ("AppendEvents", "PutUpload")]
    + [f"memory.v1.LedgerService/{name}Session" for name in ("Delete", "Truncate")]
    + [f"memory.v1.ProcedureService/{name}" for name in ("CreateProcedure", "RecordRun")]
    + ["memory.v1.ProcedureService/ReviewProcedure", "cluster.v1.ProjectionService/ReviewSkill"]
    + ["memory.v1.LessonService/SeedNamespace", "memory.v1.LessonService/WithdrawSeed"]
    + [f"memory.v1.DocumentService/{name}Documents" for name in ("BatchPut", "Touch")]
    + [f"memory.v1.LessonService/{name}Lesson" for name in ("Create", "Validate", "Apply")]
    + [f"memory.v1.WorkingMemoryService/{name}" for name in ("StartSession", "PutItem")]
    + ["memory.v1.WorkingMemoryService/ClearZone"]
    + [f"memory.v1.KnowledgeService/{name}Fact" for name in ("Assert", "Retract")]
    + [f"memory.v1.KnowledgeService/{name}Edge" for name in ("Create", "Delete")]
    + [f"memory.v1.KnowledgeService/{name}" for name in ("MergeEntities", "SplitEntity")]
    + ["memory.v1.PalaceService/SaveNote", "retrieval.v1.RetrievalService/RouteQuery"]
    + ["cluster.v1.ClusterService/AssignMemory"]
    + [f"ingestion.v1.IngestionService/{name}" for name in ("Observe", "ObserveStream")]
    + [f"ingestion.v1.IngestionService/{name}" for name in ("AppendEvents", "EndSession")]
    + [f"ingestion.v1.IngestionService/{name}" for name in ("IngestFile", "IngestText")]
)
"""What agents may call that reads nothing of others: it answers what was sent, or was one's own."""


@dataclass(frozen=True, slots=True)
class Told:
    """What was asked, and what came: all of it, or how it was refused."""

    request: Message
    answers: tuple[Message, ...]
    refused: aio.AioRpcError | None = None

    @property
    def text(self) -> bytes:
        """Everything that came over the wire, in lower case."""
        parts = [answer.SerializeToString() for answer in self.answers]
        if self.refused is not None:
            metadata = self.refused.trailing_metadata() or ()
            parts += [str(self.refused.details()).encode(), repr(tuple(metadata)).encode()]
        return b"\n".join(parts).lower()

    @property
    def outcome(self) -> str:
        """How it was refused, or what was answered."""
        if self.refused is not None:
            return f"{self.refused.code()} {self.refused.details()}"
        return "\n".join(map(str, self.answers))

    def pages(self, field: str, name: str) -> list[list[str]]:
        """The ids on each page."""
        return [[getattr(one, name) for one in getattr(page, field)] for page in self.answers]

    def leaks(self, secrets: list[str]) -> list[str]:
        """The secrets that came and were not asked for by name."""
        asked = self.request.SerializeToString().lower()
        text = self.text
        names = [secret.lower().encode() for secret in secrets]
        return [name.decode() for name in names if name in text and name not in asked]


async def read(ask: Ask, rpc: str) -> Told:
    """Ask something at random, and all further pages."""
    request = READS[rpc](ask)
    address_to(request, ask.namespace, ask.caller)
    return await tell(ask.world, rpc, request)


def address_to(request: Message, namespace: str, caller: Caller) -> None:
    """Say where and for whom; a working memory is an agent's, and nobody has none."""
    if "key" in request.DESCRIPTOR.fields_by_name:
        agent = caller.agent_id or NOBODY
        key = working_pb.WorkingMemoryKey(
            namespace=namespace, agent_id=agent, user_id=caller.user_id
        )
        request.key.CopyFrom(key)  # type: ignore[attr-defined]  # looked for above
        return
    request.namespace = namespace  # type: ignore[attr-defined]  # every other has it
    request.caller.CopyFrom(caller)  # type: ignore[attr-defined]  # and this too


async def tell(world: World, rpc: str, request: Message) -> Told:
    """Send a request as it is, then once more for each further page."""
    answers: list[Message] = []
    asked = request
    try:
        while True:
            answers += await _answers(_stub(world, rpc)(asked, timeout=20))
            token = str(getattr(answers[-1], "next_page_token", "")) if answers else ""
            if not token:
                return Told(request, tuple(answers))
            asked = type(request)()
            asked.CopyFrom(request)
            asked.page_token = token  # type: ignore[attr-defined]  # it gave pages
    except aio.AioRpcError as refused:
        return Told(request, tuple(answers), refused)


def _stub(world: World, rpc: str) -> Callable[..., object]:
    service, _, name = rpc.partition("/")
    clients = world.clients
    stubs: Mapping[str, object] = {
        "memory.v1.MemoryService": clients.memory,
        "memory.v1.LedgerService": clients.ledger,
        "memory.v1.TopicService": clients.topics,
        "memory.v1.ProcedureService": clients.procedures,
        "memory.v1.LessonService": clients.lessons,
        "memory.v1.WorkingMemoryService": clients.working,
        "memory.v1.KnowledgeService": clients.knowledge,
        "memory.v1.PalaceService": clients.palace,
        "memory.v1.DocumentService": clients.documents,
        "ingestion.v1.IngestionService": clients.ingestion,
        "cluster.v1.ClusterService": clients.cluster,
        "cluster.v1.ProjectionService": clients.projections,
        "retrieval.v1.RetrievalService": clients.retrieval,
    }
    return cast("Callable[..., object]", getattr(stubs[service], name))


async def _answers(call: object) -> list[Message]:
    """The one answer, or all of a stream; a watch ends at its bookmark."""
    if isinstance(call, aio.UnaryUnaryCall):
        return [await cast("Awaitable[Message]", call)]
    answers: list[Message] = []
    async for answer in cast("AsyncIterator[Message]", call):
        answers.append(answer)
        if getattr(answer, "bookmark", False):
            cast("aio.UnaryStreamCall[Message, Message]", call).cancel()
            break
    return answers
