"""Every way to write into a session that is somebody else's."""

from google.protobuf.message import Message

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import event_pb2, upload_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from tests.support.seen_world import TOLD_AT


def intrusions(session_id: str, caller: Caller) -> dict[str, Message]:
    """A request for each, of a session of the first namespace."""
    event = event_pb2.Event(role=event_pb2.ROLE_USER, content="let me in", event_time=TOLD_AT)
    requests: dict[str, Message] = {
        "memory.v1.LedgerService/AppendEvents": ledger_pb.AppendEventsRequest(events=[event]),
        "memory.v1.LedgerService/PutUpload": ledger_pb.PutUploadRequest(
            caller=caller, content=b"let me in", format=upload_pb2.UPLOAD_FORMAT_TEXT
        ),
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
