"""All that can be read of a namespace, by every rpc that reads and in the bytes of files."""

import zlib
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.cluster.v1 import cluster_service_pb2 as cluster_pb
from anamnesis.cluster.v1 import projection_pb2
from anamnesis.cluster.v1 import projection_service_pb2 as projection_pb
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import document_service_pb2 as document_pb
from anamnesis.memory.v1 import filter_pb2, topic_service_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.memory.v1 import lesson_service_pb2 as lesson_pb
from anamnesis.memory.v1 import memory_service_pb2 as memory_service
from anamnesis.memory.v1 import palace_service_pb2 as palace_pb
from anamnesis.memory.v1 import procedure_service_pb2 as procedure_pb
from anamnesis.memory.v1 import working_memory_service_pb2 as working_pb
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval_pb
from tests.support.canary_world import ADA, BOB, SPACE, WORD
from tests.support.clients import Clients
from tests.support.messages import made


class CanaryReads:
    """Reads everything of the namespace of canaries."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    async def readable(self) -> AsyncIterator[tuple[str, str]]:
        """Every answer of every rpc that reads, by its name, as text."""
        async for message in self._answers():
            yield message.DESCRIPTOR.name, str(message)

    async def _answers(self) -> AsyncIterator[Message]:
        """For both callers, and for the suite's own services."""
        for caller in (Caller(agent_id="helper", user_id=ADA), Caller(user_id=BOB)):
            for read in (self._of_caller, self._newest, self._known, self._walked, self._viewed):
                async for answer in read(caller):
                    yield answer
        async for answer in self._of_everyone():
            yield answer

    async def _newest(self, caller: Caller) -> AsyncIterator[Message]:
        asked = {"namespace": SPACE, "caller": caller}
        brief = made(retrieval_pb.BuildContextRequest, **asked, token_budget=10_000)
        yield await self._clients.retrieval.BuildContext(brief)
        yield await self._clients.memory.FindCandidates(
            made(memory_service.FindCandidatesRequest, **asked)
        )

    async def _of_caller(self, caller: Caller) -> AsyncIterator[Message]:
        asked = {"namespace": SPACE, "caller": caller}
        clients = self._clients
        everything = filter_pb2.MemoryFilter(include_archived=True)
        for query in (WORD, "what do I work as", "harbour"):
            yield await clients.retrieval.Search(
                made(retrieval_pb.SearchRequest, **asked, query=query, filter=everything, limit=50)
            )
            yield await clients.retrieval.BuildContext(
                made(retrieval_pb.BuildContextRequest, **asked, query=query)
            )
            found = await clients.memory.FindCandidates(
                made(memory_service.FindCandidatesRequest, **asked, query=query, filter=everything)
            )
            found.ClearField("query")  # what was asked, and nothing that is kept
            yield found
        key = working_pb.WorkingMemoryKey(
            namespace=SPACE, agent_id="helper", user_id=caller.user_id
        )
        yield await clients.working.RenderContext(working_pb.RenderContextRequest(key=key))
        yield await clients.memory.ListActivity(made(memory_service.ListActivityRequest, **asked))
        sessions = await clients.ledger.ListSessions(made(ledger_pb.ListSessionsRequest, **asked))
        yield sessions
        yield await clients.palace.ListWings(made(palace_pb.ListWingsRequest, **asked))
        for one in sessions.sessions:
            yield await clients.palace.ListDrawers(
                made(palace_pb.ListDrawersRequest, **asked, session_id=one.session_id)
            )
            yield await clients.ledger.ListEvents(
                made(ledger_pb.ListEventsRequest, **asked, session_id=one.session_id)
            )
        uploads = await clients.ledger.ListUploads(made(ledger_pb.ListUploadsRequest, **asked))
        yield uploads
        for upload in uploads.uploads:
            request = made(ledger_pb.GetUploadRequest, **asked, upload_id=upload.upload_id)
            async for part in clients.ledger.GetUpload(request):
                yield part
        clusters = await clients.cluster.ListClusters(made(cluster_pb.ListClustersRequest, **asked))
        yield clusters
        for cluster in clusters.clusters:
            yield await clients.cluster.ListClusterMemories(
                made(cluster_pb.ListClusterMemoriesRequest, **asked, cluster_id=cluster.cluster_id)
            )
            yield await clients.cluster.ListCrystallizations(
                made(cluster_pb.ListCrystallizationsRequest, **asked, cluster_id=cluster.cluster_id)
            )
            yield await clients.cluster.CrystallizeCluster(
                made(
                    cluster_pb.CrystallizeClusterRequest,
                    **asked,
                    cluster_id=cluster.cluster_id,
                    dry_run=True,
                    force=True,
                )
            )
            yield await clients.cluster.GetCluster(
                made(cluster_pb.GetClusterRequest, **asked, cluster_id=cluster.cluster_id)
            )
        yield await clients.documents.ListDocuments(made(document_pb.ListDocumentsRequest, **asked))
        yield await clients.documents.SearchDocuments(
            made(document_pb.SearchDocumentsRequest, **asked, query=WORD)
        )
        async for answer in self._matched(caller):
            yield answer
        async for row in clients.ingestion.ExportSft(made(ingestion_pb.ExportSftRequest, **asked)):
            yield row

    async def _matched(self, caller: Caller) -> AsyncIterator[Message]:
        """What fits tags, how tasks went, and what has changed, up to now."""
        asked = {"namespace": SPACE, "caller": caller}
        clients = self._clients
        for tags in ([WORD], ["harbour", "ops"]):
            yield await clients.lessons.MatchLessons(
                made(lesson_pb.MatchLessonsRequest, **asked, tags=tags)
            )
            yield await clients.procedures.MatchProcedures(
                made(procedure_pb.MatchProceduresRequest, **asked, tags=tags)
            )
        yield await clients.ledger.GetTrajectoryStats(
            made(ledger_pb.GetTrajectoryStatsRequest, **asked)
        )
        watching = clients.memory.WatchMemories(made(memory_service.WatchMemoriesRequest, **asked))
        async for change in watching:
            yield change
            if change.bookmark:
                watching.cancel()
                break

    async def _known(self, caller: Caller) -> AsyncIterator[Message]:
        """Facts of all times, as they are known and as they were, and whom memories name."""
        asked = {"namespace": SPACE, "caller": caller}
        knowledge = self._clients.knowledge
        facts = await knowledge.ListFacts(
            made(knowledge_pb.ListFactsRequest, **asked, page_size=500)
        )
        yield facts
        for second in sorted({one.known_from.seconds + 1 for one in facts.facts}):
            yield await knowledge.ListFacts(
                made(
                    knowledge_pb.ListFactsRequest,
                    **asked,
                    known_at=Timestamp(seconds=second),
                    page_size=500,
                )
            )
        entities = await knowledge.ListEntities(
            made(knowledge_pb.ListEntitiesRequest, **asked, page_size=500)
        )
        yield entities
        for one in entities.entities:
            yield await knowledge.GetEntity(
                made(knowledge_pb.GetEntityRequest, **asked, entity_id=one.entity_id)
            )
            yield await knowledge.GetTimeline(
                made(knowledge_pb.GetTimelineRequest, **asked, entity_id=one.entity_id)
            )
            yield await knowledge.Traverse(
                made(knowledge_pb.TraverseRequest, **asked, start_ids=[one.entity_id], hops_max=4)
            )

    async def _viewed(self, caller: Caller) -> AsyncIterator[Message]:
        """The views, of each entity its page, its profile and its episodes."""
        asked = {"namespace": SPACE, "caller": caller}
        views = self._clients.projections
        listed = await views.ListProjections(
            made(projection_pb.ListProjectionsRequest, **asked, page_size=500)
        )
        yield listed
        yield await views.ListSkills(made(projection_pb.ListSkillsRequest, **asked))
        yield await views.ListTaskPatterns(made(projection_pb.ListTaskPatternsRequest, **asked))
        yield await views.ListToolFailures(made(projection_pb.ListToolFailuresRequest, **asked))
        pages = [
            view
            for view in listed.projections
            if view.type == projection_pb2.PROJECTION_TYPE_KNOWLEDGE_PAGE
        ]
        for subject in ("", *(view.title for view in pages)):
            yield await views.GetUserProfile(
                made(projection_pb.GetUserProfileRequest, **asked, subject=subject)
            )
            yield await views.ListEpisodes(
                made(projection_pb.ListEpisodesRequest, **asked, subject=subject)
            )
        for view in pages:
            yield await views.GetKnowledgePage(
                made(projection_pb.GetKnowledgePageRequest, **asked, entity_id=view.key)
            )

    async def _walked(self, caller: Caller) -> AsyncIterator[Message]:
        """The palace, from its wings to its drawers, and where their pointers lead."""
        asked = {"namespace": SPACE, "caller": caller}
        palace = self._clients.palace
        wings = await palace.ListWings(made(palace_pb.ListWingsRequest, **asked, page_size=500))
        yield wings
        for wing in wings.wings:
            rooms = await palace.ListRooms(
                made(palace_pb.ListRoomsRequest, **asked, wing_id=wing.wing_id)
            )
            yield rooms
            for session_id in sorted({room.session_id for room in rooms.rooms}):
                yield await palace.ListClosets(
                    made(palace_pb.ListClosetsRequest, **asked, session_id=session_id)
                )
                drawers = await palace.ListDrawers(
                    made(palace_pb.ListDrawersRequest, **asked, session_id=session_id)
                )
                yield drawers
                for one in drawers.memories:
                    yield await palace.ResolvePointer(
                        made(palace_pb.ResolvePointerRequest, **asked, pointer=one.pointer)
                    )

    async def _of_everyone(self) -> AsyncIterator[Message]:
        clients = self._clients
        listed = await clients.memory.ListMemories(
            memory_service.ListMemoriesRequest(
                namespace=SPACE,
                filter=filter_pb2.MemoryFilter(include_archived=True),
                all_visibilities=True,
                page_size=500,
            )
        )
        yield listed
        for one in listed.memories:
            yield await clients.memory.GetMemory(
                memory_service.GetMemoryRequest(
                    namespace=SPACE,
                    memory_id=one.memory_id,
                    include_history=True,
                    caller=Caller(agent_id="helper", user_id=one.user_id),
                )
            )
        yield await clients.ledger.ListSegments(
            ledger_pb.ListSegmentsRequest(namespace=SPACE, all_visibilities=True, page_size=500)
        )
        yield await clients.ledger.ListWork(ledger_pb.ListWorkRequest(namespace=SPACE))
        yield await clients.lessons.ListDuplicates(
            lesson_pb.ListDuplicatesRequest(namespace=SPACE, all_visibilities=True, page_size=500)
        )
        yield await clients.lessons.ListSeeds(lesson_pb.ListSeedsRequest(namespace=SPACE))
        yield await clients.memory.ListUnrefined(
            memory_service.ListUnrefinedRequest(namespace=SPACE, limit=500)
        )
        consolidation = cluster_pb.ConsolidateRequest(namespace=SPACE, dry_run=True)
        async for told in clients.cluster.Consolidate(consolidation):
            yield told
        topics = await clients.topics.ListTopics(
            topic_service_pb2.ListTopicsRequest(namespace=SPACE, for_assignment=True)
        )
        yield topics
        for topic in topics.topics:
            yield await clients.topics.ListTopicMembers(
                topic_service_pb2.ListTopicMembersRequest(namespace=SPACE, topic_id=topic.topic_id)
            )
        yield await clients.admin.ListRuns(admin_pb.ListRunsRequest(namespace=SPACE))
        yield await clients.ingestion.ListFailures(
            ingestion_pb.ListFailuresRequest(namespace=SPACE)
        )
        yield await clients.ingestion.GetPipelineStatus(
            ingestion_pb.GetPipelineStatusRequest(namespace=SPACE)
        )
        yield await clients.admin.GetStats(admin_pb.GetStatsRequest(namespace=SPACE))
        async for chunk in clients.admin.ExportNamespace(
            admin_pb.ExportNamespaceRequest(namespace=SPACE)
        ):
            yield chunk


def in_bytes(directory: Path, word: str) -> list[str]:
    """Files below a directory that have a word in their bytes, or in what is packed in them."""
    found = []
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            held = path.read_bytes()
            texts = (held, *_unpacked(held))
            if any(_has(text, word) for text in texts):
                found.append(path.name)
    return found


def _has(held: bytes, word: str) -> bool:
    lowered = held.lower()
    return any(word.lower().encode(name) in lowered for name in ("utf-8", "utf-16-le"))


def _unpacked(held: bytes) -> list[bytes]:
    """What begins like something that zlib packed, as far as it can be unpacked."""
    unpacked = []
    for mark in (b"\x78\x9c", b"\x78\xda", b"\x78\x01"):
        start = held.find(mark)
        while start >= 0:
            with suppress(zlib.error):
                unpacked.append(zlib.decompressobj().decompress(held[start:]))
            start = held.find(mark, start + 1)
    return unpacked
