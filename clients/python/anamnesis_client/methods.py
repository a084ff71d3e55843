"""The rpcs that the client calls."""

from anamnesis.cluster.v1 import projection_service_pb2 as projection
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion
from anamnesis.memory.v1 import document_service_pb2 as document
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge
from anamnesis.memory.v1 import ledger_service_pb2 as ledger
from anamnesis.memory.v1 import lesson_service_pb2 as lesson
from anamnesis.memory.v1 import memory_service_pb2 as memory
from anamnesis.memory.v1 import palace_service_pb2 as palace
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval
from anamnesis_client.steps import Answer, Method, Request


def _method(path: str, request: type[Request], answer: type[Answer]) -> Method[Request, Answer]:
    return Method(f"/anamnesis.{path}", request, answer)


APPEND_EVENTS = _method(
    "ingestion.v1.IngestionService/AppendEvents",
    ingestion.AppendEventsRequest,
    ingestion.AppendEventsResponse,
)
END_SESSION = _method(
    "ingestion.v1.IngestionService/EndSession",
    ingestion.EndSessionRequest,
    ingestion.EndSessionResponse,
)
RUN_PIPELINE = _method(
    "ingestion.v1.IngestionService/RunPipeline",
    ingestion.RunPipelineRequest,
    ingestion.RunPipelineResponse,
)
SEARCH = _method(
    "retrieval.v1.RetrievalService/Search", retrieval.SearchRequest, retrieval.SearchResponse
)
BUILD_CONTEXT = _method(
    "retrieval.v1.RetrievalService/BuildContext",
    retrieval.BuildContextRequest,
    retrieval.BuildContextResponse,
)
LIST_FACTS = _method(
    "memory.v1.KnowledgeService/ListFacts", knowledge.ListFactsRequest, knowledge.ListFactsResponse
)
GET_TIMELINE = _method(
    "memory.v1.KnowledgeService/GetTimeline",
    knowledge.GetTimelineRequest,
    knowledge.GetTimelineResponse,
)
GET_USER_PROFILE = _method(
    "cluster.v1.ProjectionService/GetUserProfile",
    projection.GetUserProfileRequest,
    projection.GetUserProfileResponse,
)
LIST_EVENTS = _method(
    "memory.v1.LedgerService/ListEvents", ledger.ListEventsRequest, ledger.ListEventsResponse
)
TRUNCATE_SESSION = _method(
    "memory.v1.LedgerService/TruncateSession",
    ledger.TruncateSessionRequest,
    ledger.TruncateSessionResponse,
)
ASSERT_FACT = _method(
    "memory.v1.KnowledgeService/AssertFact",
    knowledge.AssertFactRequest,
    knowledge.AssertFactResponse,
)
RETRACT_FACT = _method(
    "memory.v1.KnowledgeService/RetractFact",
    knowledge.RetractFactRequest,
    knowledge.RetractFactResponse,
)
CREATE_LESSON = _method(
    "memory.v1.LessonService/CreateLesson",
    lesson.CreateLessonRequest,
    lesson.CreateLessonResponse,
)
UPDATE_MEMORY = _method(
    "memory.v1.MemoryService/UpdateMemory",
    memory.UpdateMemoryRequest,
    memory.UpdateMemoryResponse,
)
SAVE_NOTE = _method(
    "memory.v1.PalaceService/SaveNote", palace.SaveNoteRequest, palace.SaveNoteResponse
)
RESOLVE_POINTER = _method(
    "memory.v1.PalaceService/ResolvePointer",
    palace.ResolvePointerRequest,
    palace.ResolvePointerResponse,
)
BATCH_GET_MEMORIES = _method(
    "memory.v1.MemoryService/BatchGetMemories",
    memory.BatchGetMemoriesRequest,
    memory.BatchGetMemoriesResponse,
)
DELETE_MEMORY = _method(
    "memory.v1.MemoryService/DeleteMemory",
    memory.DeleteMemoryRequest,
    memory.DeleteMemoryResponse,
)
WATCH_MEMORIES = _method(
    "memory.v1.MemoryService/WatchMemories",
    memory.WatchMemoriesRequest,
    memory.WatchMemoriesResponse,
)
BATCH_PUT_DOCUMENTS = _method(
    "memory.v1.DocumentService/BatchPutDocuments",
    document.BatchPutDocumentsRequest,
    document.BatchPutDocumentsResponse,
)
BATCH_GET_DOCUMENTS = _method(
    "memory.v1.DocumentService/BatchGetDocuments",
    document.BatchGetDocumentsRequest,
    document.BatchGetDocumentsResponse,
)
LIST_DOCUMENTS = _method(
    "memory.v1.DocumentService/ListDocuments",
    document.ListDocumentsRequest,
    document.ListDocumentsResponse,
)
LIST_DOCUMENT_PATHS = _method(
    "memory.v1.DocumentService/ListDocumentPaths",
    document.ListDocumentPathsRequest,
    document.ListDocumentPathsResponse,
)
SEARCH_DOCUMENTS = _method(
    "memory.v1.DocumentService/SearchDocuments",
    document.SearchDocumentsRequest,
    document.SearchDocumentsResponse,
)
TOUCH_DOCUMENTS = _method(
    "memory.v1.DocumentService/TouchDocuments",
    document.TouchDocumentsRequest,
    document.TouchDocumentsResponse,
)
