"""Requests and responses of the ingestion service between the wire and its verbs."""

from anamnesis.ingestion.v1 import ingestion_service_pb2 as pb
from anamnesis_ingestion.convert.ledger import (
    from_session,
    from_visibility,
    to_event,
    to_offset,
    to_time,
    to_visibility,
)
from anamnesis_ingestion.intake.files.archiving import Archived
from anamnesis_ingestion.intake.files.file_sessions import FileHeader
from anamnesis_ingestion.intake.files.ingest_file import IngestedFile
from anamnesis_ingestion.intake.observe import Observation, Observed
from anamnesis_ingestion.ledger import Append, Appended
from anamnesis_ingestion.model import Shape
from anamnesis_libs.rpc.enums import EnumCodec
from anamnesis_libs.zones import checked_zone

_SHAPE = EnumCodec(
    pb.FileShape,
    Shape,
    default=Shape.AUTO,
    ours_only=set(Shape) - {Shape.AUTO, Shape.OPENAI, Shape.ANTHROPIC},
)


def to_observation(request: pb.ObserveRequest) -> Observation:
    """The observation of a request."""
    has_time, expires = request.HasField("event_time"), request.HasField("expire_time")
    return Observation(
        namespace=request.namespace,
        session_id=request.session_id,
        agent_id=request.agent_id,
        source=request.source,
        content=request.content,
        event_time=to_time(request.event_time, "event_time") if has_time else None,
        server_time=request.use_server_time,
        user_id=request.user_id,
        request_id=request.request_id,
        project=request.project,
        visibility=to_visibility(request.visibility),
        participants=tuple(request.participants),
        expire_time=to_time(request.expire_time, "expire_time") if expires else None,
        utc_offset_minutes=to_offset(request),
    )


def from_observed(session_id: str, observed: Observed) -> pb.ObserveResponse:
    """The answer to one observation; an empty event id says that it was not stored."""
    stored, session = observed.index is not None, observed.session
    return pb.ObserveResponse(
        event_id=f"{session_id}/{observed.index}" if stored else "",
        importance=observed.importance,
        stored=stored,
        memory_id=observed.memory_id,
        revision=observed.revision,
        visibility=from_visibility(session.visibility if session else None),
        user_id=session.user_id if session else "",
        participants=session.participants if session else (),
    )


def to_append(request: pb.AppendEventsRequest) -> Append:
    """The write that a caller asks for."""
    return Append(
        namespace=request.namespace,
        session_id=request.session_id,
        agent_id=request.agent_id,
        user_id=request.user_id,
        events=[
            to_event(event, f"events[{position}]") for position, event in enumerate(request.events)
        ],
        end_session=request.end_session,
        server_time=request.use_server_time,
        request_id=request.request_id,
        label=request.label,
        visibility=to_visibility(request.visibility),
        project=request.project,
        participants=tuple(request.participants),
    )


def from_appended(done: Appended) -> pb.AppendEventsResponse:
    """The answer to an append: its counts, its session and its revision."""
    return pb.AppendEventsResponse(
        appended=done.appended,
        replaced=done.replaced,
        unchanged=done.unchanged,
        session=from_session(done.session),
        revision=done.revision,
    )


def to_header(header: pb.IngestFileHeader) -> FileHeader:
    """The header of a file, as its sender filled it in."""
    has_time = header.HasField("default_event_time")
    path = "header.default_event_time"
    return FileHeader(
        namespace=header.namespace,
        agent_id=header.agent_id,
        label=header.label,
        session_id=header.session_id,
        user_id=header.user_id,
        shape=_SHAPE.from_pb(header.shape),
        default_event_time=to_time(header.default_event_time, path) if has_time else None,
        end_session=header.end_session,
        visibility=to_visibility(header.visibility),
        project=header.project,
        participants=tuple(header.participants),
        size_bytes=header.size_bytes,
        names=dict(header.names),
        zone=checked_zone(header.time_zone, "header.time_zone") if header.time_zone else None,
    )


def from_ingested(file: IngestedFile, archived: Archived) -> pb.IngestFileResponse:
    """The answer to an ingested file: its counts, its skipped lines and its sessions."""
    return pb.IngestFileResponse(
        lines=file.lines,
        events=file.events,
        appended=file.appended,
        replaced=file.replaced,
        unchanged=file.unchanged,
        skipped_lines=[
            pb.SkippedLine(line=skipped.line, reason=skipped.reason) for skipped in file.skipped
        ],
        skipped=file.skipped_count,
        ignored=file.ignored,
        retold=file.retold,
        undated=file.undated,
        session=from_session(file.session) if file.session else None,
        side_sessions=map(from_session, file.side_sessions),
        revision=file.revision,
        upload_id=archived.upload_id,
        not_archived=archived.not_archived,
    )


def from_ended(done: Appended) -> pb.EndSessionResponse:
    """The session after its end."""
    return pb.EndSessionResponse(session=from_session(done.session), revision=done.revision)
