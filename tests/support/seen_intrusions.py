"""Every way to write into a session, or to a memory, that is somebody else's."""

from collections.abc import Callable, Mapping

from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message

from anamnesis.cluster.v1 import cluster_service_pb2 as cluster_pb
from anamnesis.cluster.v1 import projection_service_pb2 as projection_pb
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import event_pb2, filter_pb2, memory_pb2, upload_pb2
from anamnesis.memory.v1 import knowledge_pb2 as known
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.memory.v1 import lesson_service_pb2 as lessons_pb
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.memory.v1 import palace_service_pb2 as palace_pb
from anamnesis.memory.v1 import procedure_service_pb2 as procedures_pb
from tests.support.seen_world import TOLD_AT

OF_NOTHING = "of-nothing"
OF_MANY = ["skill"]
"""Tags that others' memories have too."""


def intrusions(session_id: str, caller: Caller) -> dict[str, Message]:
    """A request for each, of a session of the first namespace."""
    event = event_pb2.Event(role=event_pb2.ROLE_USER, content="let me in", event_time=TOLD_AT)
    requests: dict[str, Message] = {
        "memory.v1.LedgerService/AppendEvents": ledger_pb.AppendEventsRequest(events=[event]),
        "memory.v1.LedgerService/PutUpload": ledger_pb.PutUploadRequest(
            caller=caller, content=b"let me in", format=upload_pb2.UPLOAD_FORMAT_TEXT
        ),
        "memory.v1.PalaceService/SaveNote": palace_pb.SaveNoteRequest(content="let me in"),
        "ingestion.v1.IngestionService/AppendEvents": ingestion_pb.AppendEventsRequest(
            events=[event]
        ),
        "ingestion.v1.IngestionService/Observe": ingestion_pb.ObserveRequest(
            source="user", content="let me in, it is urgent", event_time=TOLD_AT
        ),
        "ingestion.v1.IngestionService/EndSession": ingestion_pb.EndSessionRequest(caller=caller),
    }
    fields = {"namespace": "harbour", "session_id": session_id}
    who = {"agent_id": caller.agent_id, "user_id": caller.user_id}
    for request in requests.values():
        for name, value in {**fields, **who}.items():
            if name in request.DESCRIPTOR.fields_by_name:
                setattr(request, name, value)
    return requests


def _update(path: str, change: memory_pb.MemoryChange) -> Callable[[memory_pb2.Memory], Message]:
    return lambda memory: memory_pb.UpdateMemoryRequest(
        memory_id=memory.memory_id, change=change, update_mask=FieldMask(paths=[path])
    )


_CHANGES = {
    "content": memory_pb.MemoryChange(content="mine now"),
    "tags": memory_pb.MemoryChange(tags=["mine"]),
    "pinned": memory_pb.MemoryChange(pinned=True),
    "status": memory_pb.MemoryChange(status=memory_pb2.MEMORY_STATUS_ARCHIVED),
    "visibility": memory_pb.MemoryChange(visibility=event_pb2.VISIBILITY_SHARED),
}

MEDDLING: Mapping[str, Callable[[memory_pb2.Memory], Message]] = {
    **{
        f"memory.v1.MemoryService/UpdateMemory#{path}": _update(path, change)
        for path, change in _CHANGES.items()
    },
    "memory.v1.MemoryService/DeleteMemory": lambda memory: memory_pb.DeleteMemoryRequest(
        memory_id=memory.memory_id
    ),
    "memory.v1.MemoryService/DeleteMemories": lambda memory: memory_pb.DeleteMemoriesRequest(
        filter=filter_pb2.MemoryFilter(session_ids=[memory.session_id])
        if memory.session_id
        else filter_pb2.MemoryFilter(
            tags=memory.tags[:1]
            if list(memory.tags) != OF_MANY and len(memory.tags) == 1
            else [OF_NOTHING]
        )
    ),
    "memory.v1.MemoryService/UndoMerge": lambda memory: memory_pb.UndoMergeRequest(
        memory_id=memory.memory_id
    ),
    "memory.v1.MemoryService/ReportUse": lambda memory: memory_pb.ReportUseRequest(
        memory_ids=[memory.memory_id], kind=memory_pb.USE_KIND_CITED
    ),
    "memory.v1.KnowledgeService/RetractFact": lambda memory: knowledge_pb.RetractFactRequest(
        memory_id=memory.memory_id
    ),
    "memory.v1.KnowledgeService/CreateEdge": lambda memory: knowledge_pb.CreateEdgeRequest(
        source_id=memory.memory_id, target_id=OF_NOTHING, type=known.EDGE_TYPE_SUPPORTS
    ),
    "memory.v1.KnowledgeService/DeleteEdge": lambda memory: knowledge_pb.DeleteEdgeRequest(
        source_id=memory.memory_id, target_id=OF_NOTHING, type=known.EDGE_TYPE_SUPPORTS
    ),
    "memory.v1.KnowledgeService/MergeEntities": lambda memory: knowledge_pb.MergeEntitiesRequest(
        entity_id=memory.memory_id, merged_ids=[OF_NOTHING]
    ),
    "memory.v1.KnowledgeService/SplitEntity": lambda memory: knowledge_pb.SplitEntityRequest(
        entity_id=memory.memory_id
    ),
    "memory.v1.LedgerService/DeleteSession": lambda memory: ledger_pb.DeleteSessionRequest(
        session_id=memory.session_id or OF_NOTHING
    ),
    "memory.v1.LedgerService/TruncateSession": lambda memory: ledger_pb.TruncateSessionRequest(
        session_id=memory.session_id or OF_NOTHING
    ),
    "memory.v1.ProcedureService/RecordRun": lambda memory: procedures_pb.RecordRunRequest(
        memory_id=memory.memory_id, success=False
    ),
    "memory.v1.ProcedureService/ReviewProcedure": lambda memory: (
        procedures_pb.ReviewProcedureRequest(
            memory_id=memory.memory_id, status=memory_pb2.PROCEDURE_STATUS_DEPRECATED
        )
    ),
    "cluster.v1.ProjectionService/ReviewSkill": lambda memory: projection_pb.ReviewSkillRequest(
        memory_id=memory.memory_id, verdict=projection_pb.SKILL_VERDICT_REJECT
    ),
    "memory.v1.LessonService/ValidateLesson": lambda memory: lessons_pb.ValidateLessonRequest(
        memory_id=memory.memory_id, success=True
    ),
    "memory.v1.LessonService/ApplyLesson": lambda memory: lessons_pb.ApplyLessonRequest(
        memory_id=memory.memory_id
    ),
    "cluster.v1.ClusterService/AssignMemory": lambda memory: cluster_pb.AssignMemoryRequest(
        memory_id=memory.memory_id, new_cluster=True
    ),
}
"""A request for each that names a memory, and what there is to change of it after a `#`."""
